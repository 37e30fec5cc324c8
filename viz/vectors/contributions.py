"""How much each dimension of a head adds to the scores of its keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.kit.errors import expect_vectors
from viz.vectors.query_key_value import look_up


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributions:
    """The contribution of each dimension to the scores of one query, float32.

    `by_key` [n_key, d_head] is scale · q_d · k_d, centred over the keys in view if `is_centred`; masked keys are NaN.
    `of_query` [d_head] is its sum over the keys, each times its weight.
    """

    by_key: Array
    of_query: Array
    is_centred: bool

    @property
    def ranking(self) -> NDArray[np.intp]:
        """The dimensions, the largest contribution of the query first, whatever its sign."""
        return np.argsort(-np.abs(self.of_query), kind="stable")


@check_arguments
def contributions(
    record: AttentionRecord, *, layer: int, head: int, position: int, centred: bool = True
) -> Contributions:
    """Return the contributions of the dimensions of a head. Raises SelectionError for a layer, head or position out of
    range."""
    look = look_up(record, layer=layer, head=head, position=position)
    by_key = look.products * np.float32(look.scale)
    if centred and look.visible.any():
        by_key = by_key - by_key[look.visible].mean(axis=0)
    return Contributions(
        by_key=np.where(look.visible[:, None], by_key, np.float32(np.nan)),
        of_query=look.weights @ by_key,
        is_centred=centred,
    )


@check_arguments
def sentence_contributions(record: AttentionRecord, *, layer: int, head: int, centred: bool = True) -> Array:
    """Return `Contributions.of_query`, summed over all queries of the text [d_head]."""
    query, key, weights, means = whole_head(record, layer=layer, head=head, centred=centred)
    total: Array = (query * (weights @ key - weights.sum(axis=1, keepdims=True) * means)).sum(axis=0)
    return total


@check_arguments
def unsigned_contributions(record: AttentionRecord, *, layer: int, head: int, centred: bool = True) -> Array:
    """Return the sum, over queries and keys, of the absolute contribution of each dimension [d_head]."""
    query, key, weights, means = whole_head(record, layer=layer, head=head, centred=centred)
    total = np.zeros(query.shape[1], np.float32)
    for row, asked in enumerate(query):  # one query at a time: n x n x d_head numbers would not fit for a long text
        total += np.abs(asked) * (weights[row] @ np.abs(key - means[row]))
    return total


@check_arguments
def whole_head(record: AttentionRecord, *, layer: int, head: int, centred: bool) -> tuple[Array, Array, Array, Array]:
    """Return scaled queries [n_query, d_head], keys, weights [n_query, n_key], and the mean key in view of each query.
    Raises PictureError for a record of weights alone."""
    expect_vectors(record)
    weights, visible = record.weights(layer, head), ~np.isneginf(record.scores(layer, head))
    query, key = record.query[layer, head] * np.float32(record.scale[layer]), record.key[layer, head]
    if not centred:
        return query, key, weights, np.zeros_like(query)
    seen = visible.astype(np.float32)
    return query, key, weights, seen @ key / np.maximum(seen.sum(axis=1, keepdims=True), 1)
