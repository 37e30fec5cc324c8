"""Draw the batches of a run, ahead of it if there are processors to spare."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import numpy as np
from torch.utils.data import DataLoader, Dataset

from models.training.corpora.corpus import Corpus
from recipes.korean.batches import N_TOKENS, WINDOWS, Masking, PackedBatch, draw_rows, pack_rows
from recipes.korean.texts import PROSE

LINES = 16
"""How many lines of N_TOKENS an iteration learns from; `batch` multiplies them."""
FILLED = 0.96
"""The part of a batch that is drawn: little of it finds no room, and little room stays empty."""


class Draws(Dataset[PackedBatch]):
    """The batch of every iteration, which follows from the seed and its number alone."""

    def __init__(self, texts: Mapping[str, Corpus], masking: Masking, *, seed: int, batch: int) -> None:
        self.texts, self.masking, self.seed, self.lines = texts, masking, seed, LINES * batch

    def __getitem__(self, iteration: int) -> PackedBatch:
        """Draw the batch of an iteration."""
        random = np.random.default_rng((self.seed, iteration))
        tokens = round(FILLED * self.lines * N_TOKENS)
        window = int(random.choice(WINDOWS))
        rows = draw_rows(self.texts, random, window=window, tokens=tokens)
        return pack_rows(rows, random, special=self.texts[PROSE].special, masking=self.masking, b=self.lines)

    def ahead(self, first: int, loaders: int) -> Iterator[PackedBatch]:
        """Yield the batches of `first` and of all later iterations, drawn ahead by so many processes; 0 for none."""
        return iter(DataLoader(self, batch_size=None, sampler=range(first, sys.maxsize), num_workers=loaders))
