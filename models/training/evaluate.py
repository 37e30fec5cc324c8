"""How well a checkpoint does on text that it never saw, beside guessing by counts alone, and where its heads look.

    python -m models.training.evaluate --run runs/mini-bert --checkpoint models/pretrained/mini-bert

Masks and pairs are drawn as in training, with a seed of their own, so two checkpoints see the same questions.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from models.analysis.head_statistics import HABITS, head_statistics, repetition_shares, strongest
from models.scratch.checkpoint import load_checkpoint
from models.scratch.heads import PretrainingModel
from models.scratch_model import load_scratch
from models.training.baselines import Bigrams, SharedPieces, count_bigrams
from models.training.batches import NO_LABEL, Batch, Draw, draw_pair, draw_passage, make_batch
from models.training.card import DECIDED, REPEATED, score_tables
from models.training.classroom import Classroom, Passage
from models.training.corpus import Corpus
from models.training.data import TrainingData, prepare_data
from models.training.vocabulary import MASK_ID

SEED = 1_000_003
"""Far from the seeds of training."""
MASK_RATE = 0.15
SAMPLE = 200
"""Texts, and pairs, in which the heads are watched."""


@dataclass(slots=True, kw_only=True)
class MaskScores:
    """Over `n` masks: the mean loss in nats, how often the best guess was right, how often one of the best five."""

    n: int = 0
    loss: float = 0.0
    top_1: float = 0.0
    top_5: float = 0.0

    def add(self, log_probabilities: Tensor, targets: Tensor) -> None:
        """Take in the answers [n_masked, d_vocab] to some more masks."""
        found = log_probabilities.topk(5, dim=-1).indices == targets[:, None]  # [n_masked, 5]
        losses = -log_probabilities.gather(1, targets[:, None])  # [n_masked, 1]
        for name, values in (("loss", losses), ("top_1", found[:, :1]), ("top_5", found)):
            total = getattr(self, name) * self.n + float(values.sum())
            setattr(self, name, total / (self.n + len(targets)))
        self.n += len(targets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Masked words of a model and of the two baselines, and how often it told a next sentence from another one:
    of pairs with masked pieces, as in training, and of the same pairs whole, as a page asks them."""

    model: MaskScores
    unigram: MaskScores
    bigram: MaskScores
    n_pairs: int
    next_sentence: float
    next_sentence_unmasked: float
    shared_pieces: float | None = None
    """The same whole pairs, told by the pieces that both have alone; None if that was not asked."""


@torch.inference_mode()
def evaluate(
    model: PretrainingModel, held_out: Corpus, counts: Bigrams, *, n_batches: int = 64, batch_size: int = 32,
    n_tokens: int = 128, draw: Draw = draw_pair, shared: SharedPieces | None = None,
) -> Scores:  # fmt: skip
    """Ask `n_batches` x `batch_size` rows of `held_out`; `counts` of the text learned from give the baselines of masked
    words, `shared` that of next sentences."""
    ours, unigram, bigram = MaskScores(), MaskScores(), MaskScores()
    n_pairs = n_right = n_right_unmasked = n_right_shared = 0
    for step in range(n_batches):
        batch, whole = (
            make_batch(
                held_out, batch_size=batch_size, n_tokens=n_tokens, mask_rate=mask_rate, d_vocab=model.config.d_vocab,
                seed=SEED, step=step, draw=draw,
            )
            for mask_rate in (MASK_RATE, 0.0)
        )  # fmt: skip
        mlm, nsp = _logits(model, batch)
        ours.add(mlm.log_softmax(dim=-1), batch.targets)
        unigram.add(counts.unigram_guess(len(batch.targets)), batch.targets)
        bigram.add(counts.guess(batch.input_ids.flatten()[batch.masked - 1].numpy()), batch.targets)
        is_pair = batch.next_labels != NO_LABEL
        n_pairs += int(is_pair.sum())
        n_right += int((nsp.argmax(dim=-1) == batch.next_labels)[is_pair].sum())
        n_right_unmasked += int((_logits(model, whole)[1].argmax(dim=-1) == whole.next_labels)[is_pair].sum())
        n_right_shared += int((shared.guess(whole) == whole.next_labels)[is_pair].sum()) if shared else 0
    return Scores(
        model=ours, unigram=unigram, bigram=bigram, n_pairs=n_pairs, next_sentence=n_right / max(n_pairs, 1),
        next_sentence_unmasked=n_right_unmasked / max(n_pairs, 1),
        shared_pieces=n_right_shared / max(n_pairs, 1) if shared else None,
    )  # fmt: skip


def _logits(model: PretrainingModel, batch: Batch) -> tuple[Tensor, Tensor]:
    last = model.encoder(batch.input_ids, batch.segment_ids, batch.mask).last  # [b, n_tokens, d_model]
    if model.mlm is None or model.nsp is None:
        raise ValueError("the checkpoint lacks its MLM or NSP head.")
    return model.mlm(last.flatten(end_dim=1)[batch.masked]), model.nsp(last)  # [n_masked, d_vocab], [b, 2]


@torch.inference_mode()
def answered(model: PretrainingModel, tokenizer: Tokenizer, passages: Iterable[Passage]) -> dict[str, float]:
    """For every family, and for all of them under "all", how often the words that a passage decides were guessed right.

    One word is masked at a time; if it has several pieces, all of them are, and all have to be right.
    """
    right: dict[str, list[bool]] = {}
    for passage in passages:
        for ids, masked in _questions(tokenizer, passage):
            asked = torch.tensor([ids])  # [1, n_tokens]
            targets = asked[0, masked].clone()  # [n_masked]
            asked[0, masked] = MASK_ID
            best = _best(model, asked, masked)  # [n_masked]
            right.setdefault(passage.family, []).append(torch.equal(best, targets))
    shares = {family: float(np.mean(hits)) for family, hits in right.items()}
    return {"all": float(np.mean([hit for hits in right.values() for hit in hits])), **shares}


def _questions(tokenizer: Tokenizer, passage: Passage) -> Iterator[tuple[list[int], list[int]]]:
    """(ids of the whole passage, positions to mask) for each of its answers."""
    encoding: Encoding = tokenizer.encode(" ".join(passage.sentences))
    starts = np.cumsum([0, *(len(sentence) + 1 for sentence in passage.sentences)])
    for sentence, start, end in passage.answers:
        begin, stop = starts[sentence] + start, starts[sentence] + end
        inside = [at for at, (left, right) in enumerate(encoding.offsets) if begin <= left < right <= stop]
        if inside:
            yield encoding.ids, inside


def _best(model: PretrainingModel, ids: Tensor, masked: list[int]) -> Tensor:
    if model.mlm is None:
        raise ValueError("the checkpoint lacks its MLM head.")
    best: Tensor = model.mlm(model.encoder(ids).last[0, masked]).argmax(dim=-1)  # [n_masked]
    return best


def heads(folder: Path, texts: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """For each habit the head of a checkpoint that has it most, and the shares of all heads [n_layers][n_heads]: what
    the word pieces of `texts` attend to, and those of `pairs` that stand in both texts."""
    model = load_scratch(folder, name=folder.name, device="cpu")
    statistics = head_statistics(model.record(text).of("encoder") for text in texts)
    shares = {habit: getattr(statistics, habit) for habit in HABITS}
    shares[REPEATED] = repetition_shares(model.record(*pair).of("encoder") for pair in pairs)
    return {
        habit: {
            "strongest (layer, head, share)": strongest(share),
            "all": np.round(share.astype(np.float64), 3).tolist(),
        }
        for habit, share in shares.items()
    }


def sample_texts(corpus: Corpus, tokenizer: Tokenizer, n: int) -> list[str]:
    """Sentences of a corpus of 10 to 60 pieces, spread over it."""
    return [_sentence(corpus, tokenizer, at) for at in _spread(_fitting(corpus), n)]


def sample_pairs(corpus: Corpus, tokenizer: Tokenizer, n: int) -> list[tuple[str, str]]:
    """Neighbours of 10 to 60 pieces each, of one document, spread over a corpus."""
    fitting = _fitting(corpus)
    documents = corpus.document_of
    first = [at for at, after in pairwise(fitting) if after == at + 1 and documents[at] == documents[after]]
    return [
        (_sentence(corpus, tokenizer, at), _sentence(corpus, tokenizer, at + 1)) for at in _spread(np.array(first), n)
    ]


def _fitting(corpus: Corpus) -> NDArray[np.intp]:
    lengths = np.diff(corpus.sentence_starts)
    return np.flatnonzero((lengths >= 10) & (lengths <= 60))


def _spread(sentences: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    return sentences[np.linspace(0, sentences.size - 1, n).astype(np.int64)]


def _sentence(corpus: Corpus, tokenizer: Tokenizer, at: int) -> str:
    start, end = corpus.sentence_starts[at : at + 2]
    text: str = tokenizer.decode(corpus.ids[start:end].tolist())
    return text


def report(folder: Path, data: TrainingData) -> dict[str, Any]:
    """All that a model card says in numbers. Raises ValueError if the run held no text out."""
    if data.held_out is None:
        raise ValueError("the run has no held-out text; name some with --held-out when pretraining.")
    model = load_checkpoint(folder).eval()
    learned_from = [corpus for corpus in (data.learned, data.classroom) if corpus is not None]
    counts = count_bigrams(learned_from, model.config.d_vocab)
    lengths = [length for length in (64, 128, 256, 512) if length <= model.config.max_tokens]
    found: dict[str, Any] = {}
    for n_tokens in lengths:
        scores = evaluate(
            model, data.held_out, counts, n_tokens=n_tokens, n_batches=64 * 128 // n_tokens,
            shared=SharedPieces(data.learned, model.config.d_vocab, n_tokens=n_tokens),
        )  # fmt: skip
        found[f"unseen text, {n_tokens} tokens"] = asdict(scores)
    if data.classroom_held_out is not None:
        found["classroom, any piece"] = asdict(
            evaluate(model, data.classroom_held_out, counts, n_tokens=64, draw=draw_passage)
        )
        unseen = Classroom(SEED).passages(100, held_out=True)
        found[DECIDED] = answered(model, data.tokenizer, unseen)
    sample = (data.held_out, data.tokenizer, SAMPLE)
    found["heads"] = heads(folder, sample_texts(*sample), sample_pairs(*sample))
    return found


def main() -> None:
    """Read the command line, evaluate, write the scores as JSON or as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="the folder of the run, with its held-out text")
    parser.add_argument(
        "--checkpoint", type=Path, required=True, help="a folder with config.json, model.safetensors and a tokenizer"
    )
    parser.add_argument("--card", action="store_true", help="write the tables of a model card instead")
    arguments = parser.parse_args()
    found = report(arguments.checkpoint, prepare_data(arguments.run, [], [], 0))
    written = score_tables(arguments.checkpoint.name, found) if arguments.card else json.dumps(found, indent=2) + "\n"
    sys.stdout.write(written)


if __name__ == "__main__":
    main()
