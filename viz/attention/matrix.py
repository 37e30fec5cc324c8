"""The one matrix that a picture shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.values.record import Array, Token

Quantity = Literal["weights", "scores", "value_weighted", "output_weighted"]
"""`output_weighted` is the weight times the norm of the value after W_O, ||α v W_O||, how much a key adds to the
residual stream by way of a head: Kobayashi et al. 2020, "Attention is Not Only a Weight: Analyzing Transformers with
Vector Norms", section 3, equation 5. `value_weighted` leaves W_O out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """The matrix that a picture shows: `values` [n_query, n_key], read-only float32, with the tokens of both axes.

    The positions are those in the record, also after tokens were hidden; a merged word has that of its first piece.
    `masked` [n_query, n_key] marks the cells where a query may not look: weight 0, score minus infinity. `note` says
    what a row sums to and what was changed, in whole sentences in the current language. Raises ValueError if the shapes
    contradict each other.
    """

    values: Array
    masked: NDArray[np.bool_]
    query_tokens: tuple[Token, ...]
    key_tokens: tuple[Token, ...]
    query_positions: tuple[int, ...]
    key_positions: tuple[int, ...]
    quantity: Quantity
    note: str

    def __post_init__(self) -> None:
        expected = (len(self.query_tokens), len(self.key_tokens))
        for name, array in (("values", self.values), ("masked", self.masked)):
            if array.shape != expected:
                raise ValueError(f"{name} has shape {array.shape}, expected {expected}, one row a query token.")
            array.flags.writeable = False
        if (len(self.query_positions), len(self.key_positions)) != expected:
            raise ValueError("query_positions and key_positions need one position a token.")
