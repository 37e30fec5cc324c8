"""The habits of the heads in a text: rest on special tokens, look at the next word, or at the word itself."""

from __future__ import annotations

import numpy as np

from models.analysis.analysis import is_piece
from models.values.record import AttentionRecord
from models.values.results.habits import HeadHabits


def head_habits(record: AttentionRecord) -> HeadHabits:
    """Count the heads by where their attention goes: the largest of four shares, each a mean over the word pieces.

    The shares are those of special tokens, of the pieces side by side, of the piece itself, and of all others. In
    cross-attention no piece is a neighbour, and none is itself.
    """
    pieces = is_piece(record.query_tokens)
    special = ~is_piece(record.key_tokens)
    distance = np.abs(np.arange(record.n_key) - np.arange(record.n_query)[:, None])
    is_one_text = record.kind != "cross"
    places = [
        np.broadcast_to(special, distance.shape),
        (distance == 1) & ~special & is_one_text,
        (distance == 0) & ~special & is_one_text,
    ]
    counts = np.zeros(len(places), dtype=np.int64)
    for layer in range(record.n_layers):
        weights = record.layer_weights(layer)[:, pieces]  # [n_heads, n_pieces, n_key]
        shares = np.stack([(weights * place[pieces]).sum(axis=2).mean(axis=1) for place in places])  # [3, n_heads]
        others = weights.sum(axis=2).mean(axis=1) - shares.sum(axis=0)
        largest = np.vstack([shares, others]).argmax(axis=0)
        counts += np.bincount(largest, minlength=len(places) + 1)[: len(places)]
    on_special, on_neighbours, on_itself = map(int, counts)
    return HeadHabits(
        n_heads=record.n_layers * record.n_heads,
        on_special=on_special,
        on_neighbours=on_neighbours,
        on_itself=on_itself,
        special_tokens=tuple(dict.fromkeys(str(token.text) for token in record.key_tokens if token.is_special)),
    )
