"""Give a text its label, read from the state of [CLS] or from the mean over its words (`models.scratch.classification`
has both equations)."""

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
from models.scratch.classification import ClassifierModel, Pooling
from models.scratch.config import TransformerConfig
from models.training.corpora.vocabulary import CLS_ID, PAD_ID, SEP_ID
from models.training.tasks.rows import Ids, pad_rows, trim_rows
from models.training.trainer.start import initialise
from models.training.trainer.task import Loss

MEASURED_ROWS = 1024
MARKS = (PAD_ID, CLS_ID, SEP_ID)
"""Special tokens, which are left out of a mean over the words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedTexts:
    """Texts as ids [n, n_tokens], padded, each with [CLS] and [SEP]; `labels` [n] count the names of the labels."""

    ids: Ids
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Some rows, cut to the longest of them: (ids [b, n_tokens], labels [b])."""
        return trim_rows(self.ids[chosen]), torch.from_numpy(self.labels[chosen])


class ClassificationTask:
    """Learn the labels of texts."""

    def __init__(
        self,
        config: TransformerConfig,
        tokenizer: PreTrainedTokenizerBase,
        labels: tuple[str, ...],
        learned: EncodedTexts,
        held_out: EncodedTexts | None = None,
        *,
        pooling: Pooling = "cls",
        seed: int = 0,
    ) -> None:
        self.tokenizer, self.learned, self.held_out = tokenizer, learned, held_out
        self.model = ClassifierModel(config, labels, pooling=pooling, marks=MARKS if pooling == "mean" else ())
        initialise(self.model, seed)

    def loss(self, iteration: int, *, rows: int, seed: int, device: torch.device) -> Loss:
        """Cross entropy of the labels."""
        chosen = np.random.default_rng((seed, iteration)).integers(len(self.learned), size=rows)
        ids, labels = (part.to(device) for part in self.learned.rows(chosen))
        logits = self._logits(ids)  # [b, n_labels]
        return Loss(
            total=functional.cross_entropy(logits, labels),
            n_asked=rows,
            n_right=int((logits.argmax(-1) == labels).sum()),
            n_tokens=int((ids != PAD_ID).sum()),
        )

    def measure(self, device: torch.device) -> dict[str, float]:
        """ "loss" and "accuracy" of a text."""
        if self.held_out is None:
            return {}
        n_rows = min(len(self.held_out), MEASURED_ROWS)
        loss, n_right = 0.0, 0
        for part in np.array_split(np.arange(n_rows), max(1, n_rows // 128)):
            ids, labels = (side.to(device) for side in self.held_out.rows(part))
            logits = self._logits(ids)
            loss += float(functional.cross_entropy(logits, labels, reduction="sum"))
            n_right += int((logits.argmax(-1) == labels).sum())
        return {"loss": loss / n_rows, "accuracy": n_right / n_rows}

    def save(self, folder: Path, dtype: torch.dtype = torch.float16) -> None:
        """A checkpoint in the layout of a BERT, with its classifier."""
        save_checkpoint(self.model, folder, dtype)
        self.tokenizer.save_pretrained(folder)

    def _logits(self, ids: Tensor) -> Tensor:
        mask = ids != PAD_ID  # [b, n_tokens]
        logits: Tensor | None = self.model(ids, mask=None if bool(mask.all()) else mask).text_labels
        if logits is None:
            raise ValueError("the model to be trained labels tokens, not texts.")
        return logits  # [b, n_labels]


def encode_texts(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], labels: Sequence[int], *, max_tokens: int
) -> EncodedTexts:
    """The ids of texts and the numbers of their labels; a text longer than the positions loses its end."""
    rows = tokenizer(list(texts), truncation=True, max_length=max_tokens)["input_ids"]
    return EncodedTexts(ids=pad_rows(rows), labels=np.asarray(labels, dtype=np.int64))
