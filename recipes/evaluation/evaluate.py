"""How well a checkpoint does on text that it never saw, beside guessing by counts alone, and where its heads look.

    python -m recipes.evaluation.evaluate --run runs/mini-bert --checkpoint models/pretrained/mini-bert

Pieces and pairs are drawn as in training, with a seed of their own, so two checkpoints see the same questions. Every
chosen piece is replaced by [MASK]; what BERT is asked while it learns, 80 % [MASK], 10 % any piece, 10 % kept, stands
beside it, because a kept piece can be read off. Without the folder of the run, --text and --held-out prepare it anew,
with the vocabulary of the checkpoint.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from models.checkpoints.bert import load_checkpoint
from models.engine.content_words import best_pieces, content_words
from models.opening.folders import load_folder
from models.scratch.pretraining import PretrainingModel
from models.scratch_models.encoder import ScratchModel
from models.training.corpora.batches import NO_LABEL, Batch, Draw, draw_pair, draw_passage, make_batch
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import special_ids
from recipes.corpora.data import TrainingData, prepare_data
from recipes.evaluation.baselines import Bigrams, SharedPieces, count_bigrams
from recipes.evaluation.card import CONTENT, DECIDED, SHORT_PAIRS, score_tables
from recipes.evaluation.knowledge import heads, knowledge
from recipes.evaluation.samples import sample_pairs, sample_texts
from recipes.evaluation.short_pairs.score import score_short_pairs
from recipes.sentences.classroom.passages import Classroom, Passage

SEED = 1_000_003
"""Far from the seeds of training."""
MASK_RATE = 0.15
CONTENT_SENTENCES = 400
"""Sentences whose content words are masked one after the other."""
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
class Answers:
    """The same questions asked of a model and of the two baselines."""

    model: MaskScores = field(default_factory=MaskScores)
    unigram: MaskScores = field(default_factory=MaskScores)
    bigram: MaskScores = field(default_factory=MaskScores)

    def add(self, logits: Tensor, counts: Bigrams, batch: Batch) -> None:
        """Take in what the model says [n_masked, d_vocab] at the chosen pieces of a batch, and what the counts say."""
        before = batch.input_ids.flatten()[batch.masked - 1]  # [n_masked]
        self.model.add(logits.log_softmax(dim=-1), batch.targets)
        self.unigram.add(counts.unigram_guess(len(batch.targets)), batch.targets)
        self.bigram.add(counts.guess(before.numpy()), batch.targets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Masked words, and how often the model told a next sentence from another one: of pairs with masked pieces, as in
    training, and of the same pairs whole, as a page asks them."""

    behind_mask: Answers
    """Every chosen piece was replaced by [MASK]."""
    as_trained: Answers
    """The same pieces, of which 80 % are [MASK], 10 % any piece, 10 % kept."""
    kept: MaskScores
    """Of these the kept ones alone, which the model has only to repeat."""
    n_pairs: int
    next_sentence: float
    next_sentence_unmasked: float
    shared_pieces: float | None = None
    """The same whole pairs, told by the pieces that both have alone; None if that was not asked."""

    @property
    def kept_adds(self) -> float:
        """What the kept pieces contribute to the share of best guesses that are right, as BERT is trained."""
        return self.kept.top_1 * self.kept.n / max(self.as_trained.model.n, 1)


@torch.inference_mode()
def evaluate(
    model: PretrainingModel,
    held_out: Corpus,
    counts: Bigrams,
    *,
    n_batches: int = 64,
    batch_size: int = 32,
    n_tokens: int = 128,
    draw: Draw = draw_pair,
    shared: SharedPieces | None = None,
) -> Scores:
    """Ask `n_batches` x `batch_size` rows of `held_out`; `counts` of the text learned from give the baselines of masked
    words, `shared` that of next sentences."""
    behind_mask, as_trained, kept = Answers(), Answers(), MaskScores()
    n_pairs = n_right = n_right_unmasked = n_right_shared = 0
    for iteration in range(n_batches):
        batch, whole = (
            make_batch(
                held_out,
                batch_size=batch_size,
                n_tokens=n_tokens,
                mask_rate=mask_rate,
                d_vocab=model.config.d_vocab,
                seed=SEED,
                iteration=iteration,
                draw=draw,
            )
            for mask_rate in (MASK_RATE, 0.0)
        )
        hidden = all_masked(batch, held_out.special.mask)
        behind_mask.add(_logits(model, hidden)[0], counts, hidden)
        mlm, nsp = _logits(model, batch)
        as_trained.add(mlm, counts, batch)
        is_kept = batch.input_ids.flatten()[batch.masked] == batch.targets  # [n_masked]
        if is_kept.any():
            kept.add(mlm[is_kept].log_softmax(dim=-1), batch.targets[is_kept])
        is_pair = batch.next_labels != NO_LABEL
        n_pairs += int(is_pair.sum())
        n_right += int((nsp.argmax(dim=-1) == batch.next_labels)[is_pair].sum())
        n_right_unmasked += int((_logits(model, whole)[1].argmax(dim=-1) == whole.next_labels)[is_pair].sum())
        n_right_shared += int((shared.guess(whole) == whole.next_labels)[is_pair].sum()) if shared else 0
    return Scores(
        behind_mask=behind_mask,
        as_trained=as_trained,
        kept=kept,
        n_pairs=n_pairs,
        next_sentence=n_right / max(n_pairs, 1),
        next_sentence_unmasked=n_right_unmasked / max(n_pairs, 1),
        shared_pieces=n_right_shared / max(n_pairs, 1) if shared else None,
    )


def all_masked(batch: Batch, mask_id: int) -> Batch:
    """The batch with [MASK] wherever a piece was chosen."""
    ids = batch.input_ids.flatten().clone()  # [b * n_tokens]
    ids[batch.masked] = mask_id
    return replace(batch, input_ids=ids.view_as(batch.input_ids))


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
            asked[0, masked] = special_ids(tokenizer).mask
            best = best_pieces(model, asked, masked, 1)[:, 0]  # [n_masked]
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


def report(folder: Path, data: TrainingData, treebank: tuple[Path, Path] | None = None) -> dict[str, Any]:
    """All that a model card says in numbers, with a `treebank` in two parts its grammar, too. Raises ValueError if the
    run held no text out."""
    if data.held_out is None:
        raise ValueError("the run has no held-out text; name some with --held-out when pretraining.")
    model = load_checkpoint(folder).eval()
    learned_from = [corpus for corpus in (data.learned, data.classroom) if corpus is not None]
    counts = count_bigrams(learned_from, model.config.d_vocab)
    lengths = [length for length in (64, 128, 256, 512) if length <= model.config.max_tokens]
    found: dict[str, Any] = {}
    for n_tokens in lengths:
        scores = evaluate(
            model,
            data.held_out,
            counts,
            n_tokens=n_tokens,
            n_batches=64 * 128 // n_tokens,
            shared=SharedPieces(data.learned, model.config.d_vocab, n_tokens=n_tokens),
        )
        found[f"unseen text, {n_tokens} tokens"] = _as_table(scores)
    if data.classroom_held_out is not None:
        found["classroom, any piece"] = _as_table(
            evaluate(model, data.classroom_held_out, counts, n_tokens=64, draw=draw_passage)
        )
        unseen = Classroom(SEED).passages(100, held_out=True)
        found[DECIDED] = answered(model, data.tokenizer, unseen)
    found[CONTENT] = content_words(
        model, data.tokenizer, sample_texts(data.held_out, data.tokenizer, CONTENT_SENTENCES)
    )
    found[SHORT_PAIRS] = score_short_pairs(model, data.tokenizer).shares
    reader = load_folder(folder, name=folder.name, device="cpu")
    if isinstance(reader, ScratchModel):
        found |= knowledge(model, reader, data.held_out, treebank)
    sample = (data.held_out, data.tokenizer, SAMPLE)
    found["heads"] = heads(folder, sample_texts(*sample), sample_pairs(*sample))
    return found


def _as_table(scores: Scores) -> dict[str, Any]:
    return {**asdict(scores), "kept_adds": scores.kept_adds}


def main() -> None:
    """Read the command line, evaluate, write the scores as JSON or as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="the folder of the run, with its held-out text")
    parser.add_argument(
        "--checkpoint", type=Path, required=True, help="a folder with config.json, model.safetensors and a tokenizer"
    )
    parser.add_argument("--text", type=Path, nargs="*", default=[], help="text files, if the run is to be prepared")
    parser.add_argument("--held-out", nargs="*", default=[], help="titles of the documents that it never saw")
    parser.add_argument("--passages", type=int, default=4000, help="classroom passages of every family")
    parser.add_argument("--card", action="store_true", help="write the tables of a model card instead")
    parser.add_argument("--treebank", type=Path, nargs=2, metavar=("DEV", "TEST"), help="two files in CoNLL-U")
    arguments = parser.parse_args()
    data = prepare_data(
        arguments.run,
        arguments.text,
        arguments.held_out,
        0,
        passages=arguments.passages,
        tokenizer=Tokenizer.from_file(str(arguments.checkpoint / "tokenizer.json")),
    )
    found = report(arguments.checkpoint, data, arguments.treebank and tuple(arguments.treebank))
    written = score_tables(arguments.checkpoint.name, found) if arguments.card else json.dumps(found, indent=2) + "\n"
    sys.stdout.write(written)


if __name__ == "__main__":
    main()
