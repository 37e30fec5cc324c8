"""Give every word its label, read from the state of its first piece (Devlin et al. 2018, section 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedTokenizerBase

from models.checkpoints.bert import save_checkpoint
from models.scratch.classification import ClassifierModel
from models.scratch.config import TransformerConfig
from models.training.corpora.batches import NO_LABEL
from models.training.corpora.labelled_words import LabelledSentence, first_pieces
from models.training.corpora.vocabulary import PAD_ID
from models.training.tasks.rows import Ids, pad_rows, trim_rows
from models.training.trainer.start import initialise
from models.training.trainer.task import Loss

MEASURED_ROWS = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedWords:
    """Texts as ids [n, n_tokens], padded, each with [CLS] and [SEP]; `labels` [n, n_tokens] count the names of the
    labels at the first piece of each word, NO_LABEL elsewhere. `n_words` of the texts, those without a piece too."""

    ids: Ids
    labels: NDArray[np.int64]
    n_words: int

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Some rows, cut to the longest of them: (ids [b, n_tokens], labels [b, n_tokens])."""
        ids = trim_rows(self.ids[chosen])
        return ids, torch.from_numpy(self.labels[chosen][:, : ids.shape[1]])


class WordLabelTask:
    """Learn the labels of words."""

    def __init__(
        self,
        config: TransformerConfig,
        tokenizer: PreTrainedTokenizerBase,
        labels: tuple[str, ...],
        learned: EncodedWords,
        held_out: EncodedWords | None = None,
        *,
        seed: int = 0,
    ) -> None:
        self.tokenizer, self.learned, self.held_out = tokenizer, learned, held_out
        self.model = ClassifierModel(config, labels, of="tokens")
        initialise(self.model, seed)

    def loss(self, iteration: int, *, rows: int, seed: int, device: torch.device) -> Loss:
        """Cross entropy of the labels, mean over the words."""
        chosen = np.random.default_rng((seed, iteration)).integers(len(self.learned), size=rows)
        ids, labels = (part.to(device) for part in self.learned.rows(chosen))
        answers = answer_words(self.model, ids, labels)
        return Loss(
            total=functional.cross_entropy(answers.logits, answers.labels),
            n_asked=len(answers.labels),
            n_right=answers.n_right,
            n_tokens=int((ids != PAD_ID).sum()),
        )

    def measure(self, device: torch.device) -> dict[str, float]:
        """ "loss" and "accuracy" of a word."""
        if self.held_out is None:
            return {}
        loss, n_right, n_asked = 0.0, 0, 0
        n_rows = min(len(self.held_out), MEASURED_ROWS)
        for part in np.array_split(np.arange(n_rows), max(1, n_rows // 64)):
            answers = answer_words(self.model, *(side.to(device) for side in self.held_out.rows(part)))
            loss += float(functional.cross_entropy(answers.logits, answers.labels, reduction="sum"))
            n_right, n_asked = n_right + answers.n_right, n_asked + len(answers.labels)
        return {"loss": loss / max(1, n_asked), "accuracy": n_right / max(1, n_asked)}

    def save(self, folder: Path, dtype: torch.dtype = torch.float16) -> None:
        """A checkpoint in the layout of a BERT for token classification."""
        save_checkpoint(self.model, folder, dtype)
        self.tokenizer.save_pretrained(folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredWords:
    """The logits [n_words, n_labels] of words that have a label, and their labels [n_words]."""

    logits: Tensor
    labels: Tensor

    @property
    def n_right(self) -> int:
        """How many likeliest labels are the true ones."""
        return int((self.logits.argmax(-1) == self.labels).sum())


def answer_words(model: ClassifierModel, ids: Tensor, labels: Tensor) -> AnsweredWords:
    """Return the logits of the labelled pieces of some rows [b, n_tokens]. Raises ValueError for another model."""
    mask = ids != PAD_ID  # [b, n_tokens]
    logits: Tensor | None = model(ids, mask=None if bool(mask.all()) else mask).token_labels
    if logits is None:
        raise ValueError("the model to be trained labels texts, not tokens.")
    has_label = labels != NO_LABEL  # [b, n_tokens]
    return AnsweredWords(logits=logits[has_label], labels=labels[has_label])


def encode_words(
    tokenizer: PreTrainedTokenizerBase,
    sentences: Sequence[LabelledSentence],
    labels: Sequence[str],
    *,
    max_tokens: int,
) -> EncodedWords:
    """The ids of sentences and, at the first piece of each word, the number of its label; a sentence longer than the
    positions loses its end. A label that is not in `labels` is not asked."""
    encoded = tokenizer(
        [sentence.text for sentence in sentences], truncation=True, max_length=max_tokens, return_offsets_mapping=True
    )
    ids, number = pad_rows(encoded["input_ids"]), {label: position for position, label in enumerate(labels)}
    wanted = np.full(ids.shape, NO_LABEL, dtype=np.int64)  # [n, n_tokens]
    for row, sentence, offsets in zip(wanted, sentences, encoded["offset_mapping"], strict=True):
        for piece, label in zip(first_pieces(sentence.spans, offsets), sentence.labels, strict=True):
            if piece is not None:
                row[piece] = number.get(label, NO_LABEL)
    return EncodedWords(ids=ids, labels=wanted, n_words=sum(len(sentence.labels) for sentence in sentences))
