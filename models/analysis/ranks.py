"""Whether two lists put things in the same order (Spearman 1904)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def ranks(values: ArrayLike) -> NDArray[np.float64]:
    """The place of every value among all, from 1; equals share the mean of their places."""
    given = np.asarray(values, dtype=np.float64)
    _, where, n_equal = np.unique(given, return_inverse=True, return_counts=True)
    last = np.cumsum(n_equal)
    placed: NDArray[np.float64] = (last - (n_equal - 1) / 2)[where]
    return placed


def rank_agreement(one: ArrayLike, other: ArrayLike) -> float:
    """Spearman's rho, from -1 to 1: the correlation of the places. NaN where all values of a list are equal.

    Raises ValueError for lists of different lengths.
    """
    first, second = ranks(one), ranks(other)
    if first.shape != second.shape:
        raise ValueError(f"{len(first)} and {len(second)} values were given, expected as many of both.")
    first, second = first - first.mean(), second - second.mean()
    spread = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum() / spread) if spread else float("nan")
