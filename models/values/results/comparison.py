"""Two heads, layers, texts or models side by side: which tokens belong together, and how far the rows differ."""

from __future__ import annotations

from dataclasses import dataclass

from models.values.errors import RecordError
from models.values.record import Array, Token


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPair:
    """A token of the one text beside that of the other: `one` and `other` are their positions, None for a token that
    stands alone. A pair that `is_equal` is the same piece; others stand in the same place."""

    one: int | None
    other: int | None
    is_equal: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionComparison:
    """The weights of two heads, or of the means of two layers, on rows and columns that they share.

    `rows` and `columns` are pairs of tokens of `one_queries` and `other_queries`, and of the keys alike. `one` and
    `other` [n_rows, n_columns] are NaN where a token stands alone; `distances` [n_rows] are those of Jensen and Shannon
    between the rows, 0 to 1, NaN for a row that stands alone.
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

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.columns))
        for name in ("one", "other"):
            if getattr(self, name).shape != shape:
                raise RecordError(f"{name} has shape {getattr(self, name).shape}, expected {shape}.")
        if self.distances.shape != shape[:1]:
            raise RecordError(f"distances has shape {self.distances.shape}, expected [{shape[0]}].")
        for array in (self.one, self.other, self.distances):
            array.flags.writeable = False

    @property
    def difference(self) -> Array:
        """The weights of the other less those of the one [n_rows, n_columns]; NaN where a token stands alone."""
        difference: Array = self.other - self.one
        return difference
