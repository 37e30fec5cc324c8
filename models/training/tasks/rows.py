"""Rows of ids of different lengths in one array, padded at their ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.training.corpora.vocabulary import PAD_ID

Ids = NDArray[np.int32]


def pad_rows(rows: Sequence[Sequence[int]]) -> Ids:
    """The rows as one array [n, longest]."""
    ids = np.full((len(rows), max(map(len, rows))), PAD_ID, dtype=np.int32)
    for row, values in zip(ids, rows, strict=True):
        row[: len(values)] = values
    return ids


def trim_rows(ids: Ids) -> Tensor:
    """Rows as a tensor [b, n_tokens], no wider than the longest of them."""
    longest = int((ids != PAD_ID).sum(axis=1).max())
    return torch.from_numpy(ids[:, :longest].astype(np.int64))
