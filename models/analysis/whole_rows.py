"""Rows of attention as distributions, for what compares them: what goes to a sink is one outcome more.

A head with an attention sink gives a part of its attention to no token (Xiao et al. 2023, section 3.3), so that its
weights alone sum to less than 1.
"""

from __future__ import annotations

import numpy as np

from models.values.record import Array, AttentionRecord


def whole_rows(record: AttentionRecord, weights: Array) -> Array:
    """The weights of a layer [n_heads, n_query, n_key], in a record with sinks beside what is left of 1
    [n_heads, n_query, n_key + 1]: its rows sum to 1."""
    if not record.has_sinks():
        return weights
    left = (1 - weights.sum(axis=-1, keepdims=True)).clip(min=0)  # [n_heads, n_query, 1]
    whole: Array = np.concatenate([weights, left], axis=-1)
    return whole
