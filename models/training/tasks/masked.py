"""Guess hidden words, and tell whether B follows A (Devlin et al. 2018, section 3.1).

For texts that a reader brings. The embedded models have a trainer of their own, recipes/pretraining/pretrain.py,
with a curriculum and classroom passages; the losses are the same.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedTokenizerBase

from models.checkpoints.bert import save_checkpoint
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import IS_NEXT, PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch, Draw, draw_pair, draw_passage, make_batch
from models.training.corpora.corpus import Corpus
from models.training.tasks.frequencies import score_frequencies
from models.training.trainer.start import initialise
from models.training.trainer.task import Loss
from models.values.wording import worded

MASK_RATE = 0.15
NEXT_SENTENCE_WEIGHT = 0.2
"""As in recipes/pretraining/pretrain.py."""
MEASURED_ROWS, MEASURED_SEED = 64, 20_261_121
SENTENCES_A_DOCUMENT = 8
"""A text of one document is cut into documents of so many sentences: "from another document" needs a second one."""


class MaskedTask:
    """Learn to guess 15 % of the pieces of packed pairs of at most `n_tokens` tokens, half of them real pairs.

    Raises ValueError for a text of fewer than two sentences.
    """

    def __init__(
        self,
        config: TransformerConfig,
        tokenizer: PreTrainedTokenizerBase,
        learned: Corpus,
        held_out: Corpus | None = None,
        *,
        n_tokens: int,
        seed: int = 0,
    ) -> None:
        self.tokenizer, self.n_tokens = tokenizer, n_tokens
        self.learned = _Text(learned, n_tokens)
        self.held_out = _Text(held_out, n_tokens) if held_out is not None and held_out.n_sentences > 1 else None
        self.model = PretrainingModel(config)
        initialise(self.model, seed)

    def loss(self, iteration: int, *, rows: int, seed: int, device: torch.device) -> Loss:
        """Cross entropy of the hidden pieces, and a fifth of that of the pairs."""
        batch = self._batch(self.learned, rows=rows, seed=seed, iteration=iteration).to(device)
        mlm, nsp, words, pairs = self._answers(batch)
        n_right = int((words == batch.targets).sum())
        asked = batch.next_labels != NO_LABEL  # [b]
        parts = {"masked_loss": float(mlm.detach()), "masked_accuracy": n_right / max(1, len(batch.targets))}
        if asked.any():
            right = (pairs.argmax(-1) == batch.next_labels)[asked].float().mean()
            parts |= {"next_loss": float(nsp.detach()), "next_accuracy": float(right)}
        return Loss(
            total=mlm + NEXT_SENTENCE_WEIGHT * nsp,
            n_asked=len(batch.targets),
            n_right=n_right,
            n_tokens=int((batch.input_ids != 0).sum()),
            parts=parts,
        )

    def measure(self, device: torch.device) -> dict[str, float]:
        """ "loss" as it is learned from and "accuracy" of a hidden piece; then both of hidden pieces ("masked_") and of
        pairs ("next_", both answers counting alike), each with the "_baseline" of somebody who knows only how frequent
        the pieces, or the answers, are. Always the same rows."""
        if self.held_out is None:
            return {}
        batch = self._batch(self.held_out, rows=MEASURED_ROWS, seed=MEASURED_SEED, iteration=0).to(device)
        mlm, nsp, words, pairs = self._answers(batch)
        accuracy = float((words == batch.targets).float().mean())
        scores = {"loss": float(mlm + NEXT_SENTENCE_WEIGHT * nsp), "accuracy": accuracy}
        scores |= {"masked_loss": float(mlm), "masked_accuracy": accuracy}
        scores |= by_frequency(self.learned.corpus.ids, batch.targets, d_vocab=self.model.config.d_vocab)
        return scores | both_answers_alike(pairs, batch.next_labels)

    def save(self, folder: Path, dtype: torch.dtype = torch.float16) -> None:
        """A checkpoint in the layout of a BERT for pretraining."""
        save_checkpoint(self.model, folder, dtype)
        self.tokenizer.save_pretrained(folder)

    def _batch(self, text: _Text, *, rows: int, seed: int, iteration: int) -> Batch:
        return make_batch(
            text.corpus,
            batch_size=rows,
            n_tokens=self.n_tokens,
            mask_rate=MASK_RATE,
            seed=seed,
            iteration=iteration,
            draw=text.draw,
            d_vocab=self.model.config.d_vocab,
        )

    def _answers(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """(MLM loss, NSP loss, pieces guessed [n_masked], logits of the pairs [b, 2])."""
        if self.model.mlm is None or self.model.nsp is None:
            raise ValueError("the model to be trained lacks its MLM or NSP head.")
        last = self.model.encoder(batch.input_ids, batch.segment_ids, batch.mask).last  # [b, n_tokens, d_model]
        words = self.model.mlm(last.flatten(end_dim=1)[batch.masked])  # [n_masked, d_vocab]
        pairs = self.model.nsp(last)  # [b, 2]
        mlm = functional.cross_entropy(words, batch.targets, reduction="sum") / max(1, len(batch.targets))
        n_pairs = max(1, int((batch.next_labels != NO_LABEL).sum()))
        nsp = functional.cross_entropy(pairs, batch.next_labels, ignore_index=NO_LABEL, reduction="sum") / n_pairs
        return mlm, nsp, words.argmax(-1), pairs


def by_frequency(learned: NDArray[np.int32], targets: Tensor, *, d_vocab: int) -> dict[str, float]:
    """Return the scores of a baseline that always predicts the frequencies of the pieces `learned` from; every piece of
    the vocabulary counts as seen once more."""
    loss, accuracy = score_frequencies(np.bincount(learned, minlength=d_vocab), targets)
    return {"masked_loss_baseline": loss, "masked_accuracy_baseline": accuracy}


def both_answers_alike(logits: Tensor, labels: Tensor) -> dict[str, float]:
    """How pairs were judged, by their logits [b, 2]: the mean over those that follow and those that do not, so that who
    gives always the same answer is right half of the time. Nothing, where one of the two was not asked."""
    asked = labels != NO_LABEL  # [b]
    if len(set(labels[asked].tolist())) < 2:
        return {}
    costs = functional.cross_entropy(logits[asked], labels[asked], reduction="none")  # [n_pairs]
    right = (logits.argmax(-1) == labels)[asked].float()  # [n_pairs]
    sides = [labels[asked] == answer for answer in (IS_NEXT, 1 - IS_NEXT)]
    return {
        "next_loss": float(torch.stack([costs[side].mean() for side in sides]).mean()),
        "next_accuracy": float(torch.stack([right[side].mean() for side in sides]).mean()),
        "next_loss_baseline": math.log(2),
        "next_accuracy_baseline": 0.5,
    }


class _Text:
    """A corpus of at least two documents, and how pairs are drawn from it."""

    def __init__(self, corpus: Corpus, n_tokens: int) -> None:
        self.corpus = with_documents(corpus)
        self.draw = way_to_draw(self.corpus, n_tokens)


def way_to_draw(corpus: Corpus, n_tokens: int) -> Draw:
    """How pairs are drawn: out of long documents any stretch, short ones whole.

    A stretch of a document shorter than a row mostly reaches its end, so that nothing of it could follow: nearly
    all pairs would come from elsewhere. Such documents are cut in two, if two of them have several sentences.
    """
    n_documents = int(corpus.document_of[-1]) + 1
    lengths = np.bincount(corpus.document_of, minlength=n_documents)  # sentences of each
    is_short = corpus.n_pieces < n_tokens * n_documents
    beginnings = np.cumsum(lengths) - lengths
    endings = {_sentence(corpus, int(begin) + 1) for begin in beginnings[lengths > 1]}
    return draw_passage if is_short and len(endings) > 1 else draw_pair


def _sentence(corpus: Corpus, number: int) -> bytes:
    return corpus.ids[corpus.sentence_starts[number] : corpus.sentence_starts[number + 1]].tobytes()


def with_documents(corpus: Corpus) -> Corpus:
    """The corpus, cut into several documents if it is one. Raises ValueError for fewer than two sentences."""
    if corpus.document_of[0] != corpus.document_of[-1]:
        return corpus
    if corpus.n_sentences < 2:
        raise ValueError(
            worded("the text has {n} sentence, expected at least 2, one after the other.", n=corpus.n_sentences)
        )
    length = min(SENTENCES_A_DOCUMENT, corpus.n_sentences // 2)
    return replace(corpus, document_of=(np.arange(corpus.n_sentences) // length).astype(np.int32))
