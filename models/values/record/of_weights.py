"""A record of attention weights alone, checked: without the axis of a batch, none below 0, rows that sum to 1 unless
another sum is allowed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.errors import RecordError
from models.values.record.attention import OFF, AttentionRecord
from models.values.record.tokens import Array, Kind, Token
from models.values.wording import worded


@check_arguments
def record_of_weights(
    *,
    kind: Kind,
    query_tokens: tuple[Token, ...],
    key_tokens: tuple[Token, ...],
    weights: Sequence[Array],
    keeps_sums: bool = False,
) -> AttentionRecord:
    """Make a record of weights alone, one array [n_heads, n_query, n_key] a layer: its queries, keys and values have no
    dimensions, and its bias is the logarithm of the weights, which the softmax turns into them again. With `keeps_sums`
    rows may sum to anything, and are kept as they are; else they are normalised.

    Raises RecordError if the shapes contradict each other, and for arrays that are no weights.
    """
    _expect_weights(weights, len(query_tokens), len(key_tokens), any_sum=keeps_sums)
    n_layers, n_heads = len(weights), weights[0].shape[0]
    nothing = [np.zeros((n_layers, n_heads, len(tokens), 0), dtype=np.float32) for tokens in (query_tokens, key_tokens)]
    with np.errstate(divide="ignore"):
        bias = tuple(np.log(layer) for layer in weights)
    return AttentionRecord(
        kind=kind,
        query_tokens=query_tokens,
        key_tokens=key_tokens,
        query=nothing[0],
        key=nothing[1],
        value=nothing[1].copy(),
        bias=bias,
        scale=(1.0,) * n_layers,
        row_sums=np.stack([layer.sum(axis=-1, dtype=np.float64).astype(np.float32) for layer in weights])
        if keeps_sums
        else None,
    )


def _expect_weights(weights: Sequence[Array], n_query: int, n_key: int, *, any_sum: bool) -> None:
    """Raise RecordError for arrays that are not the weights of layers [n_heads, n_query, n_key].

    A row may be zeros: a query that may look nowhere.
    """
    if not len(weights):
        raise RecordError(worded("weights is empty, expected an array [n_heads, n_query, n_key] for each layer."))
    for layer, array in enumerate(weights):
        _expect_shape(layer, array, (weights[0].shape[0] if weights[0].ndim else 0, n_query, n_key))
        _expect_shares(layer, array)
        if not any_sum:
            _expect_sums(layer, array)


def _expect_shape(layer: int, array: Array, expected: tuple[int, int, int]) -> None:
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


def _expect_shares(layer: int, array: Array) -> None:
    if not np.isfinite(array).all() or (array < 0).any():
        raise RecordError(
            worded(
                "weights[{layer}] holds numbers that are NaN, infinite or below 0, expected weights after the softmax, "
                "from 0 to 1.",
                layer=layer,
            )
        )


def _expect_sums(layer: int, array: Array) -> None:
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
