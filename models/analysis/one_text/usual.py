"""The average behaviour of a head in a text: by distance, and by key.

By distance: over many texts, from the atlas of the model; without one, from the other rows of the text, as the baseline
of fixed offsets in Clark et al. 2019, section 4.2. By key: what the other tokens of the text give to the same key, so a
key that everybody looks at surprises nobody.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import is_piece
from models.values.record import Array, AttentionRecord
from models.values.results.atlas import FURTHEST

Mask = NDArray[np.bool_]


def pieces_seen(record: AttentionRecord, layer: int) -> Mask:
    """Which queries of word pieces may look at which keys of word pieces [n_query, n_key]."""
    bias = np.broadcast_to(record.bias[layer], (record.n_heads, record.n_query, record.n_key))
    seen: Mask = ~np.logical_and.reduce(np.isneginf(bias), axis=0)
    return seen & is_piece(record.query_tokens)[:, None] & is_piece(record.key_tokens)


def by_distance_over_texts(offsets: Array, seen: Mask) -> Array:
    """The weights that follow from the shares of attention by offset [n_heads, 2 · FURTHEST + 1] of an atlas:
    [n_heads, n_query, n_key], 0 where `seen` is not.

    A row holds only some of the offsets; what its head gives to pieces on average is shared among those.
    """
    n_query, n_key = seen.shape
    bins = (np.arange(n_key) - np.arange(n_query)[:, None]).clip(-FURTHEST, FURTHEST) + FURTHEST  # [n_query, n_key]
    rows = np.arange(n_query)[:, None]
    n_bins = 2 * FURTHEST + 1
    sharing = np.bincount((rows * n_bins + bins)[seen], minlength=n_query * n_bins).reshape(n_query, n_bins)
    usual = offsets[:, bins] * (seen / np.maximum(sharing[rows, bins], 1)).astype(np.float32)  # the ends are shared
    total = usual.sum(axis=2, keepdims=True)
    weights: Array = usual * np.divide(
        offsets.sum(axis=1)[:, None, None], total, out=np.zeros_like(total), where=total > 0
    )
    return weights


def by_distance_in_text(weights: Array, seen: Mask) -> Array:
    """What the other rows of `weights` [n_heads, n_query, n_key] give at the same offset, on average with one row whose
    attention is spread evenly: so an offset that no other row has says little."""
    n_query, n_key = seen.shape
    offsets = np.arange(n_key) - np.arange(n_query)[:, None] + n_query - 1  # [n_query, n_key], from 0
    counts = np.bincount(offsets[seen], minlength=n_query + n_key)
    sums = np.stack([np.bincount(offsets[seen], head[seen], n_query + n_key) for head in weights]).astype(np.float32)
    means: Array = (sums[:, offsets] - weights + np.float32(1 / n_key)) / np.maximum(counts[offsets], 1)
    return np.where(seen, means, np.float32(0))


def by_key(weights: Array, seen: Mask) -> Array:
    """Return what other rows that see a key give it on average [n_heads, n_query, n_key]; 0 where there is none."""
    others = seen.sum(axis=0) - 1  # [n_key]
    total = (weights * seen).sum(axis=1, keepdims=True)  # [n_heads, 1, n_key]
    means: Array = np.where(seen & (others > 0), (total - weights) / np.maximum(others, 1), 0).astype(np.float32)
    return means
