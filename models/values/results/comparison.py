"""Two heads, layers, texts or models side by side: which tokens belong together, and how far the rows differ."""

from __future__ import annotations

from dataclasses import dataclass

from models.values.arguments.shapes import fix_arrays
from models.values.record import Array, Token


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPair:
    """A token of the one text beside that of the other: `one` and `other` are their positions, None for a token that
    stands alone. A pair that `is_equal` is the same piece; others stand in the same place."""

    one: int | None
    other: int | None
    is_equal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WordShift:
    """Where the attention of a word that both texts have goes in the other text, special tokens left out.

    `rows` are the places of its tokens among the rows of the comparison; `from_columns` those of the word that loses
    most, `to_columns` of the word that gains most. The shares are those of the whole words, first in the one text, then
    in the other; `moved` is half the sum of all differences between words, 0 to 1.
    """

    rows: tuple[int, ...]
    from_columns: tuple[int, ...]
    to_columns: tuple[int, ...]
    from_shares: tuple[float, float]
    to_shares: tuple[float, float]
    moved: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionComparison:
    """The weights of two heads, or of the means of two layers, on rows and columns that they share.

    `rows` and `columns` are pairs of tokens of `one_queries` and `other_queries`, and of the keys alike. `one` and
    `other` [n_rows, n_columns] are NaN where a token stands alone; `distances` [n_rows] are those of Jensen and Shannon
    between the rows, 0 to 1, NaN for a row that stands alone. `shift` is the word at which both differ most; None if no
    word stands in both texts.
    """

    rows: tuple[TokenPair, ...]
    columns: tuple[TokenPair, ...]
    one_queries: tuple[Token, ...]
    other_queries: tuple[Token, ...]
    one_keys: tuple[Token, ...]
    other_keys: tuple[Token, ...]
    one: Array
    other: Array
    distances: Array
    shift: WordShift | None = None

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.columns))
        fix_arrays(self, one=shape, other=shape, distances=shape[:1])

    @property
    def difference(self) -> Array:
        """The weights of the other less those of the one [n_rows, n_columns]; NaN where a token stands alone."""
        difference: Array = self.other - self.one
        return difference


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadShift:
    """A head, and the word at which it differs most between two texts."""

    layer: int
    head: int
    shift: WordShift
