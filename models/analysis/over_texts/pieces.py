"""Which pieces of the vocabulary a head looks from and at: sums for each piece, so memory grows with the vocabulary
and not with the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import is_piece
from models.values.arguments.check import check_arguments
from models.values.record import Array, Token
from models.values.results.atlas import HeadPieces, PieceShare

FEWEST = 5
"""A piece that stood there less often is not named."""
N_NAMED = 10


@dataclass(frozen=True, slots=True)
class _OfPiece:
    """Of one piece how often it stood there, and `totals` [2, n_layers, n_heads]: the largest weights of its rows, and
    what it was given."""

    totals: NDArray[np.float64]
    count: int

    def __add__(self, other: _OfPiece) -> _OfPiece:
        return _OfPiece(self.totals + other.totals, self.count + other.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceSums:
    """The sums of all pieces of some texts, by their spelling."""

    of: dict[str, _OfPiece] = field(default_factory=dict)

    def __add__(self, other: PieceSums) -> PieceSums:
        merged = dict(self.of)
        for text, sums in other.of.items():
            merged[text] = merged[text] + sums if text in merged else sums
        return PieceSums(of=merged)

    @check_arguments
    def strongest(self, layer: int, head: int) -> HeadPieces:
        """The pieces that a head looks from and at most, of those that stood there FEWEST times."""
        often = [(text, sums) for text, sums in self.of.items() if sums.count >= FEWEST]
        queries, keys = (
            sorted(
                (
                    PieceShare(text=text, share=float(sums.totals[side, layer, head] / sums.count), n=sums.count)
                    for text, sums in often
                ),
                key=lambda piece: (-piece.share, piece.text),
            )[:N_NAMED]
            for side in (0, 1)
        )
        return HeadPieces(queries=tuple(queries), keys=tuple(keys))


def looks_and_gifts(weights: Array, piece: NDArray[np.bool_]) -> Array:
    """Of every token the largest weight of its row, and what it is given by all other pieces on average, in some heads
    [n_heads, n_tokens, n_tokens]: [2, n_heads, n_tokens]. The mean, so that long texts count as much as short ones."""
    others = max(int(piece.sum()) - 1, 1)
    given = (weights[:, piece].sum(axis=1) - np.einsum("hqq->hq", weights)) / others
    totals: Array = np.stack((weights.max(axis=2), given))
    return totals


def piece_sums(totals: Array, tokens: Sequence[Token]) -> PieceSums:
    """The sums of one text, from its `looks_and_gifts` in all layers [2, n_layers, n_heads, n_tokens]. Special tokens
    are no pieces."""
    sums: dict[str, _OfPiece] = {}
    for position in np.flatnonzero(is_piece(tokens)).tolist():
        new = _OfPiece(totals[..., position].astype(np.float64), 1)
        text = tokens[position].text
        sums[text] = sums[text] + new if text in sums else new
    return PieceSums(of=sums)
