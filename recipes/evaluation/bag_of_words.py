"""A judge that only counts words: logistic regression on which words (and pairs of neighbours) a text has.

It knows no order, so whatever a transformer does better than it comes from more than the choice of words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

EPOCHS, ROWS, RATE, DECAY = 10, 256, 0.02, 1e-4
_WORD = re.compile(r"\w+|[^\w\s]")


class BagOfWords:
    """Logistic regression on the words of texts; with `n_neighbours` 2 also on pairs of words side by side."""

    def __init__(self, n_neighbours: int = 1, *, seed: int = 0) -> None:
        self.n_neighbours, self.seed = n_neighbours, seed
        self._numbers: dict[str, int] = {}
        self._weights: nn.EmbeddingBag | None = None

    def fit(self, texts: Sequence[str], is_positive: Sequence[bool]) -> None:
        """Learn from texts and whether each has the label."""
        names = sorted({name for text in texts for name in self.features(text)})
        self._numbers = {name: number for number, name in enumerate(names)}
        rows = self._rows(texts)
        torch.manual_seed(self.seed)
        self._weights = nn.EmbeddingBag(len(self._numbers) + 1, 1, mode="sum")
        nn.init.zeros_(self._weights.weight)
        optimizer = torch.optim.AdamW(self._weights.parameters(), lr=RATE, weight_decay=DECAY)
        targets = torch.tensor(is_positive, dtype=torch.float32)  # [n_texts]
        for _ in range(EPOCHS):
            for chosen in torch.split(torch.randperm(len(texts)), ROWS):
                logits = self._logits([rows[int(at)] for at in chosen])  # [b]
                optimizer.zero_grad()
                torch.autograd.backward(functional.binary_cross_entropy_with_logits(logits, targets[chosen]))
                optimizer.step()

    def accuracy(self, texts: Sequence[str], is_positive: Sequence[bool]) -> float:
        """The share of texts that are judged right. Raises ValueError before `fit`."""
        with torch.inference_mode():
            return float(((self._logits(self._rows(texts)) > 0) == torch.tensor(is_positive)).float().mean())

    def features(self, text: str) -> list[str]:
        """The words of a text in lower case, marks among them, and its runs of up to `n_neighbours` words."""
        found = _WORD.findall(text.lower())
        return [
            " ".join(found[start : start + length])
            for length in range(1, self.n_neighbours + 1)
            for start in range(len(found) - length + 1)
        ]

    def _rows(self, texts: Sequence[str]) -> list[list[int]]:
        """The numbers of the features of each text that are known, and one more that all texts share."""
        bias = len(self._numbers)
        return [
            [*(self._numbers[name] for name in self.features(text) if name in self._numbers), bias] for text in texts
        ]

    def _logits(self, rows: Sequence[Sequence[int]]) -> Tensor:
        if self._weights is None:
            raise ValueError("nothing has been learned yet; call fit first.")
        starts = torch.tensor([0, *map(len, rows[:-1])]).cumsum(0)  # [n_texts]
        logits: Tensor = self._weights(torch.tensor([at for row in rows for at in row]), starts)[:, 0]  # [n_texts]
        return logits
