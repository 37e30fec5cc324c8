"""The score of a query and a key as the sum over what wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.values.arguments.bounds import Count
from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays
from models.values.probing.changes import HeadPlace
from models.values.record import Kind, Token
from models.values.writing import Numbers

Writer = Literal["token", "position", "segment", "head", "feed_forward", "biases"]
"""The writers of a residual stream: the three embeddings, a head, a feed-forward network; "biases" are all that is the
same whatever is read: biases of projections and shifts of norms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamPart:
    """One term of a residual stream; `layer` and `kind` for a head and a network, `head` for a head."""

    of: Writer
    kind: Kind | None = None
    layer: int | None = None
    head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartPair:
    """Two parts, one of the query and one of the key, with the sum that they add to a score."""

    query: StreamPart
    key: StreamPart
    value: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreParts:
    """The score of one query and one key of a head, before the softmax, as an exact sum over pairs of parts.

    `matrix` [n_query_parts, n_key_parts] float64 is what each part of the query and each part of the key add together;
    `bias` is what the model adds by distance (relative positions, ALiBi), 0 in other models. `score` is that of the
    pass, which is their sum. `query` and `key` are positions among `query_tokens` and `key_tokens`.
    """

    place: HeadPlace
    query: int
    key: int
    query_tokens: tuple[Token, ...]
    key_tokens: tuple[Token, ...]
    query_parts: tuple[StreamPart, ...]
    key_parts: tuple[StreamPart, ...]
    matrix: Numbers
    bias: float
    score: float

    def __post_init__(self) -> None:
        fix_arrays(self, matrix=(len(self.query_parts), len(self.key_parts)))

    @property
    def total(self) -> float:
        """The sum of all pairs and the bias, which is the score."""
        return float(self.matrix.sum()) + self.bias

    @property
    def by_query_part(self) -> Numbers:
        """The sum that every part of the query adds, with all parts of the key [n_query_parts]."""
        return np.asarray(self.matrix.sum(axis=1))

    @property
    def by_key_part(self) -> Numbers:
        """The sum that every part of the key adds, with all parts of the query [n_key_parts]."""
        return np.asarray(self.matrix.sum(axis=0))

    @check_arguments
    def largest(self, n: Count = 12) -> tuple[PartPair, ...]:
        """Return the `n` pairs that add or take away most, the largest first."""
        order = np.argsort(-np.abs(self.matrix), axis=None, kind="stable")[:n]
        rows, columns = np.unravel_index(order, self.matrix.shape)
        return tuple(
            PartPair(query=self.query_parts[row], key=self.key_parts[column], value=float(self.matrix[row, column]))
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        )
