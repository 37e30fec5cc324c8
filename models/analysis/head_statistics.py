"""Where the heads look, in four numbers: the previous token, the next one, the token itself, special tokens.

Clark et al. 2019, "What Does BERT Look At?", section 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.record import Array, AttentionRecord

HABITS = ("previous", "next", "same", "special")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadStatistics:
    """The mean share of attention, 0 to 1, that the word pieces of some texts give away: [n_layers, n_heads] each.

    `previous` and `next` are the neighbours in the text, `same` is the token itself, `special` all special tokens
    together ([CLS], [SEP]). A neighbour that is a special token counts as special alone.
    """

    previous: Array
    next: Array
    same: Array
    special: Array


def strongest(shares: Array) -> tuple[int, int, float]:
    """(layer, head, share) of the largest of some `shares` [n_layers, n_heads]."""
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    return int(layer), int(head), float(shares[layer, head])


def head_statistics(records: Iterable[AttentionRecord]) -> HeadStatistics:
    """The statistics over all word pieces of all records, which must be of one model and of self-attention.

    Raises ValueError without any record, or if queries and keys of one are different texts.
    """
    total: Array | None = None
    n_pieces = 0
    for record in records:
        _refuse_cross(record)
        special = np.array([token.is_special for token in record.key_tokens], dtype=np.bool_)
        sums = np.stack(
            [habits(record.layer_weights(layer), special) for layer in range(record.n_layers)], axis=1
        )  # [4, n_layers, n_heads]
        total = sums if total is None else total + sums
        n_pieces += int((~special).sum())
    if total is None or not n_pieces:
        raise ValueError("no word piece was given, expected at least one record with some.")
    shares = (total / n_pieces).astype(np.float32)  # [4, n_layers, n_heads]
    return HeadStatistics(**dict(zip(HABITS, shares, strict=True)))


def repetition_shares(records: Iterable[AttentionRecord]) -> Array:
    """The mean share of attention that a word piece which stands in both texts of a pair gives to itself in the other
    text [n_layers, n_heads], over all such pieces of all records, which must be of one model and of self-attention.

    Raises ValueError if no piece of any record stands in both texts, or if queries and keys of one are different texts.
    """
    total: Array | None = None
    n_pieces = 0
    for record in records:
        _refuse_cross(record)
        names = np.array([token.text for token in record.key_tokens])  # [n_tokens]
        text = np.array([-1 if token.is_special else token.segment for token in record.key_tokens])  # [n_tokens]
        said = text >= 0
        again = (names[:, None] == names) & (text[:, None] != text) & said[:, None] & said  # [n_tokens, n_tokens]
        if not again.any():
            continue
        sums = np.stack(
            [record.layer_weights(layer)[:, again].sum(axis=1) for layer in range(record.n_layers)]
        )  # [n_layers, n_heads]
        total = sums if total is None else total + sums
        n_pieces += int(again.any(axis=1).sum())
    if total is None:
        raise ValueError("no word piece stands in both texts of a pair, expected at least one.")
    shares: Array = (total / n_pieces).astype(np.float32)
    return shares


def _refuse_cross(record: AttentionRecord) -> None:
    if record.kind == "cross":
        raise ValueError(
            "a record of cross-attention was given, expected self-attention, whose queries and keys are one text."
        )


def habits(weights: Array, special: NDArray[np.bool_]) -> Array:
    """What the word pieces give to each of HABITS [4, n_heads], from `weights` [n_heads, n_tokens, n_tokens]."""
    pieces = np.flatnonzero(~special)  # [n_pieces]
    behind, ahead = pieces[(pieces > 0) & ~special[pieces - 1]], _with_next(pieces, special)
    previous = weights[:, behind, behind - 1].sum(axis=1)  # [n_heads]
    following = weights[:, ahead, ahead + 1].sum(axis=1)  # [n_heads]
    same = weights[:, pieces, pieces].sum(axis=1)  # [n_heads]
    to_special = weights[:, pieces][:, :, special].sum(axis=(1, 2))  # [n_heads]
    shares: Array = np.stack([previous, following, same, to_special])  # [4, n_heads]
    return shares


def _with_next(pieces: NDArray[np.intp], special: NDArray[np.bool_]) -> NDArray[np.intp]:
    inner = pieces[pieces < special.size - 1]
    return inner[~special[inner + 1]]
