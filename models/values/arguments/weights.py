"""Check that arrays are attention weights: without the axis of a batch, no number below 0, rows that sum to 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.values.errors import RecordError
from models.values.wording import worded

OFF = 0.01
"""By how much the sum of a row may differ from 1: weights of half precision were rounded one by one."""


def expect_weights(weights: Sequence[NDArray[np.float32]], n_query: int, n_key: int) -> None:
    """Raise RecordError for arrays that are not the weights of layers [n_heads, n_query, n_key].

    A row may be zeros: a query that may look nowhere.
    """
    if not len(weights):
        raise RecordError(worded("weights is empty, expected an array [n_heads, n_query, n_key] for each layer."))
    for layer, array in enumerate(weights):
        _expect_shape(layer, array, (weights[0].shape[0] if weights[0].ndim else 0, n_query, n_key))
        _expect_shares(layer, array)


def _expect_shape(layer: int, array: NDArray[np.float32], expected: tuple[int, int, int]) -> None:
    if array.ndim == len(expected) + 1:
        raise RecordError(
            worded(
                "weights[{layer}] has the shape {shape}, expected [n_heads, n_query, n_key] without the axis of a "
                "batch. Give the layers of one text: {code}.",
                layer=layer,
                shape=list(array.shape),
                code="[layer[0] for layer in weights]",
            )
        )
    if array.shape != expected or not array.size:
        raise RecordError(
            worded(
                "weights[{layer}] has the shape {shape}, expected {expected}: [n_heads, n_query, n_key], as many rows "
                "as query_tokens and as many columns as key_tokens.",
                layer=layer,
                shape=list(array.shape),
                expected=list(expected),
            )
        )


def _expect_shares(layer: int, array: NDArray[np.float32]) -> None:
    if not np.isfinite(array).all() or (array < 0).any():
        raise RecordError(
            worded(
                "weights[{layer}] holds numbers that are NaN, infinite or below 0, expected weights after the softmax, "
                "from 0 to 1.",
                layer=layer,
            )
        )
    sums = array.sum(axis=-1)
    wrong = sums[(np.abs(sums - 1) > OFF) & (sums != 0)]
    if wrong.size:
        raise RecordError(
            worded(
                "weights[{layer}] has a row that sums to {sum}, expected 1: weights after the softmax over the keys, "
                "which are the last axis, none of them left out.",
                layer=layer,
                sum=f"{wrong[0]:.4g}",
            )
        )
