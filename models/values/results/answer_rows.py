"""The rows of attention that an answer is read from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays
from models.values.record import Array, Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The token at `query` looks at the one at `key`, with this weight, the mean over the heads."""

    query: int
    key: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerRows:
    """The attention of the rows at `read_from` in the last of `n_layers` layers, the mean over its heads.

    `shares` [n_tokens] is the mean of those rows; it sums to 1. `strongest` is the strongest look of a row that is read
    at another word; None where there is none. Raises RecordError if the shapes contradict each other.
    """

    tokens: tuple[Token, ...]
    read_from: tuple[int, ...]
    shares: Array
    n_layers: int
    strongest: Look | None

    def __post_init__(self) -> None:
        fix_arrays(self, shares=(len(self.tokens),))

    @property
    def words(self) -> NDArray[np.intp]:
        """The positions of the tokens that are no special ones."""
        return np.flatnonzero([not token.is_special for token in self.tokens])

    @property
    def even(self) -> float:
        """The share of each token if all were looked at alike."""
        return 1 / len(self.tokens)

    @check_arguments
    def favourites(self, n: Index) -> NDArray[np.intp]:
        """Return the positions of the `n` largest shares, the largest first; of equals the first."""
        return np.argsort(-self.shares, kind="stable")[:n]

    def overlooked_words(self) -> NDArray[np.intp]:
        """Return the words that get less than half an even share."""
        words = self.words
        return words[self.shares[words] < self.even / 2]
