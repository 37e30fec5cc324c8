"""How alike heads look: the distance between their rows, summed over many texts, and the plane that shows it best.

Clark et al. 2019, section 6 and figure 6: the divergence of Jensen and Shannon between the attention of two heads, and
multidimensional scaling; here the classical one (Torgerson 1952), which has one answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import is_piece
from models.analysis.jensen_shannon import entropies
from models.values.record import Array, Token
from models.values.writing import Numbers

ROWS_OF_A_TEXT = 8
"""So many rows of a text are compared, at even steps: each costs as many comparisons as there are pairs of heads."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LikenessSums:
    """Distances between all pairs of heads, layer by layer, summed over `count` rows: `totals` [n_all, n_all]."""

    totals: Numbers
    count: int

    def __add__(self, other: LikenessSums) -> LikenessSums:
        return replace(self, totals=self.totals + other.totals, count=self.count + other.count)

    @property
    def apart(self) -> Array:
        """The mean distances [n_all, n_all], 0 to 1."""
        means: Array = (self.totals / max(self.count, 1)).astype(np.float32)
        return means


def rows_to_compare(tokens: Sequence[Token]) -> NDArray[np.intp]:
    """Which rows of a text are compared [n_rows]."""
    pieces = np.flatnonzero(is_piece(tokens))
    return pieces[:: max(1, len(pieces) // ROWS_OF_A_TEXT)][:ROWS_OF_A_TEXT]


def likeness_sums(rows: Array) -> LikenessSums:
    """The sums of one text, from the rows to compare of all its heads [n_all, n_rows, n_tokens], or from
    whole rows that have the share of a sink beside them."""
    n_all, n_rows, _ = rows.shape
    totals = np.zeros((n_all, n_all))
    for row in range(n_rows):
        totals += _between_all(rows[:, row])
    return LikenessSums(totals=totals, count=n_rows)


def _between_all(rows: Array) -> Numbers:
    """The distances between any two of some distributions [n_all, n_tokens]."""
    given = rows.astype(np.float64)
    own = entropies(given)  # [n_all]
    middles = np.stack([entropies((given + distribution) / 2) for distribution in given])  # [n_all, n_all]
    distances: Numbers = np.sqrt(np.clip(middles - (own[:, None] + own) / 2, 0, 1))
    np.fill_diagonal(distances, 0)
    return distances


def in_a_plane(apart: Array) -> Array:
    """Places [n, 2] whose distances come as near to `apart` [n, n] as those of a plane can: classical multidimensional
    scaling. The sign of each axis is such that its largest place is above 0."""
    squared = apart.astype(np.float64) ** 2
    centred = -0.5 * (squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean())
    values, vectors = np.linalg.eigh(centred)
    axes = vectors[:, ::-1][:, :2] * np.sqrt(values[::-1][:2].clip(min=0))  # [n, 2 or 1]
    places = np.zeros((len(apart), 2))
    places[:, : axes.shape[1]] = axes
    largest = places[np.abs(places).argmax(axis=0), [0, 1]]
    plane: Array = (places * np.where(largest < 0, -1, 1)).astype(np.float32)
    return plane
