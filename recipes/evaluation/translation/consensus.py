"""Which of several translations is most like the others: minimum Bayes risk (Kumar & Byrne 2004; Eikema & Aziz 2022).

What a model finds likely all together is more often right than what it finds likeliest alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recipes.evaluation.translation.scores import BETA, CHARACTERS

Utilities = NDArray[np.float64]


def expected_chrf(texts: Sequence[str]) -> Utilities:
    """The mean chrF [n] of each text, 0 to 1, beside all the others as its references."""
    alike = mutual_chrf(texts)  # [n, n]
    total: Utilities = alike.sum(axis=1) - np.diag(alike)  # [n]
    return total / max(1, len(texts) - 1)


def mutual_chrf(texts: Sequence[str]) -> Utilities:
    """chrF [n, n] of each text beside each as its only reference, 0 to 1; white space left out, of single sentences."""
    bare = ["".join(text.split()) for text in texts]
    n_orders = np.zeros((len(bare), len(bare)))
    precision, recall = n_orders.copy(), n_orders.copy()
    for length in range(1, CHARACTERS + 1):
        shared = _shared([_grams(text, length) for text in bare])  # [n, n]
        total = np.diag(shared)  # [n]
        is_there = (total[:, None] > 0) & (total[None, :] > 0)  # [n, n]
        n_orders += is_there
        precision += np.where(is_there, shared / np.maximum(1, total)[:, None], 0)
        recall += np.where(is_there, shared / np.maximum(1, total)[None, :], 0)
    n_orders = np.maximum(1, n_orders)
    precision, recall = precision / n_orders, recall / n_orders
    below = BETA**2 * precision + recall
    return np.divide((1 + BETA**2) * precision * recall, below, out=np.zeros_like(below), where=below > 0)


def _grams(text: str, length: int) -> Counter[str]:
    return Counter(text[at : at + length] for at in range(len(text) - length + 1))


def _shared(counted: Sequence[Counter[str]]) -> NDArray[np.int64]:
    """How many n-grams each two texts share [n, n]."""
    columns = {gram: at for at, gram in enumerate(dict.fromkeys(gram for each in counted for gram in each))}
    counts = np.zeros((len(counted), len(columns)), dtype=np.int64)
    for row, each in zip(counts, counted, strict=True):
        row[[columns[gram] for gram in each]] = list(each.values())
    shared: NDArray[np.int64] = np.minimum(counts[:, None], counts[None, :]).sum(axis=2)  # [n, n]
    return shared
