"""The record of one kind of attention in one forward pass.

Weights are derived, not stored: softmax(scale * q @ k.T + bias), "Attention Is All You Need", section 3.2.1. Where a
head has an attention sink, one more logit stands in the denominator (Xiao et al. 2023, section 3.3; gpt-oss, 2025).
A record of n tokens therefore takes memory in proportion to n, not to n squared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from models.values.arguments.check import check_arguments, check_fields
from models.values.arguments.shapes import fix_arrays, make_read_only
from models.values.errors import RecordError, SelectionError
from models.values.offset_bias import known_offsets, pack, unpack
from models.values.record.tokens import Array, Kind, Token
from models.values.wording import Message, worded

OFF = 0.01
"""By how much the sum of a row may differ from 1: weights of half precision were rounded one by one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionRecord:
    """All layers and heads of one kind of attention in one forward pass, without the dimension of the batch.

    Shapes: `query` [n_layers, n_heads, n_query, d_head]; `key` and `value` [n_layers, n_heads, n_key, d_head], grouped
    key/value heads already repeated to n_heads. `bias` holds one array a layer, broadcastable to
    [n_heads, n_query, n_key] and shared between layers where it is the same: padding, causal and window masks (minus
    infinity where a query may not look) and position biases. `scale` holds one factor a layer, also where a model puts
    it into its queries (OPT): here they are without it. `soft_cap` bounds the scores as Gemma 2 does:
    soft_cap * tanh(scores / soft_cap), before the bias. `output_norms` [n_layers, n_heads, n_key] are the lengths of
    the values after W_O, ||v W_O||; None where W_O was not found, because a norm or a gate stands before it. `sinks`
    [n_layers, n_heads, n_query or 1] are the logits of attention sinks, minus infinity in a layer without; None for a
    model that has none. A record of weights alone (`record_of_weights`) has vectors of no dimensions, d_head 0;
    `row_sums` [n_layers, n_heads, n_query] are the sums of its rows, None where they are those of a softmax.

    Raises RecordError, naming the field, if the shapes contradict each other.
    """

    kind: Kind
    query_tokens: tuple[Token, ...]
    key_tokens: tuple[Token, ...]
    query: Array
    key: Array
    value: Array
    bias: tuple[Array, ...]
    scale: tuple[float, ...]
    soft_cap: float | None = None
    output_norms: Array | None = None
    sinks: Array | None = None
    row_sums: Array | None = None

    def __repr__(self) -> str:
        return f"<attention: {self.size}>"

    @property
    def size(self) -> str:
        """The kind of attention and its numbers of layers, heads and tokens, in words."""
        tokens = f"{self.n_query} × {self.n_key} tokens"
        return f"{self.kind} {self.n_layers} layers × {self.n_heads} heads, {tokens}"

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        heads, n_key = ("n_layers", "n_heads"), len(self.key_tokens)
        is_one_sink = self.sinks is not None and self.sinks.shape[2:] == (1,)
        fix_arrays(
            self,
            query=(*heads, "n_query", "d_head"),
            key=(*heads, n_key, "d_head"),
            value=(*heads, n_key, "d_value"),
            output_norms=(*heads, n_key),
            sinks=(*heads, 1 if is_one_sink else "n_query"),
            row_sums=(*heads, "n_query"),
        )
        n_layers, n_heads, n_query, _ = self.query.shape
        _expect("query_tokens", len(self.query_tokens), n_query)
        _expect("bias", len(self.bias), n_layers)
        _expect("scale", len(self.scale), n_layers)
        for bias in self.bias:
            try:
                np.broadcast_shapes(bias.shape, (n_heads, n_query, n_key))
            except ValueError:
                expected = [n_heads, n_query, n_key]
                raise RecordError(f"bias has shape {bias.shape}, which does not broadcast to {expected}.") from None
        make_read_only(*self.bias)

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], AttentionRecord], tuple[Mapping[str, Any]]]:
        """Let another process rebuild the record, in memory that grows with the text and not with its square."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return _rebuild, (values | {"bias": pack(self.bias)},)

    @property
    def has_vectors(self) -> bool:
        """Whether queries, keys and values were recorded, and not the weights alone (`record_of_weights`)."""
        return int(self.query.shape[-1]) > 0

    @property
    def n_layers(self) -> int:
        return int(self.query.shape[0])

    @property
    def n_heads(self) -> int:
        return int(self.query.shape[1])

    @property
    def n_query(self) -> int:
        return len(self.query_tokens)

    @property
    def n_key(self) -> int:
        return len(self.key_tokens)

    @property
    def n_weights(self) -> int:
        """The number of weights of all heads of all layers."""
        return self.n_layers * self.n_heads * self.n_query * self.n_key

    @check_arguments
    def scores(self, layer: int, head: int, rows: slice | None = None) -> Array:
        """Return the numbers before the softmax [n_query, n_key]; minus infinity where a query may not look.

        With `rows` only those of some queries [n_rows, n_key], as for everything below that takes it.
        """
        self._check(layer, head)
        scores: Array = self._scores(layer, slice(head, head + 1), rows)[0]
        return scores

    def cap_scores(self, scaled: Array) -> Array:
        """Return scaled scores within the bounds of the soft cap; the scores themselves if there is none."""
        if self.soft_cap is None:
            return scaled
        capped: Array = scaled / np.float32(self.soft_cap)
        np.tanh(capped, out=capped)
        capped *= np.float32(self.soft_cap)
        return capped

    @check_arguments
    def bias_of(self, layer: int, head: int, rows: slice | None = None) -> Array:
        """Return the bias of the scaled scores of a head [n_query, n_key]: a read-only view, not a copy."""
        self._check(layer, head)
        bias: Array = self._bias(layer, rows)[head]
        return bias

    @check_arguments
    def bias_by_offset(self, layer: int) -> Array | None:
        """Return the bias [n_heads or 1, n_query + n_key - 1] for key position - query position, from 1 - n_query on.

        None if the bias of this layer is not known to depend on nothing else.
        """
        self._check(layer, 0)
        bias = self.bias[layer]
        if bias.ndim == 3 and bias.shape[1:] == (1, 1):
            return np.broadcast_to(bias[:, 0], (len(bias), self.n_query + self.n_key - 1))
        return known_offsets(bias) if bias.shape[1:] == (self.n_query, self.n_key) else None

    @check_arguments
    def weights(self, layer: int, head: int, rows: slice | None = None) -> Array:
        """Return the attention weights [n_query, n_key]; every row sums to 1, less the share of its sink if there is
        one (to 0 if a query may look nowhere)."""
        return self.normalise(self.scores(layer, head, rows), layer, head, rows)

    def normalise(self, scores: Array, layer: int, heads: int | slice, rows: slice | None = None) -> Array:
        """Turn scores of a head, or of some, into their weights, in the same memory."""
        weights = softmax(scores, sinks=self.sink_logits(layer, heads, rows), out=scores)
        if self.row_sums is not None:
            weights *= self.row_sums[layer, heads][..., rows or slice(None), None]
        return weights

    def has_own_sums(self, layer: int | None = None) -> bool:
        """Return whether rows of a layer, or of any, sum to something else than a softmax gives, by more than the
        rounding of half precision."""
        sums = self.row_sums if self.row_sums is None or layer is None else self.row_sums[layer]
        return sums is not None and bool(((np.abs(sums - 1) > OFF) & (sums != 0)).any())

    def has_sinks(self, layer: int | None = None) -> bool:
        """Return whether heads of a layer, or of any, give a part of their attention to a sink, and so to no token."""
        sinks = self.sinks if self.sinks is None or layer is None else self.sinks[layer]
        return sinks is not None and not bool(np.isneginf(sinks).all())

    @check_arguments
    def sink_shares(self, layer: int, head: int | None, rows: slice | None = None) -> Array:
        """Return the share of each query that goes to the sink of a head [n_query]: 1 less the sum of its weights. 0
        if there is no sink; `head=None` is the mean over the heads of the layer."""
        if head is None:
            shares_of_heads = [self.sink_shares(layer, number, rows) for number in range(self.n_heads)]
            mean: Array = np.mean(shares_of_heads, axis=0, dtype=np.float32)
            return mean
        self._check(layer, head)
        sinks = self.sink_logits(layer, head, rows)
        if sinks is None:
            return np.zeros(len(range(self.n_query)[rows or slice(None)]), np.float32)
        scores = self.scores(layer, head, rows)
        extended = np.concatenate([scores, np.broadcast_to(sinks, (len(scores), 1))], axis=1)  # [n_query, n_key + 1]
        shares: Array = softmax(extended, out=extended)[:, -1]
        return shares

    @check_arguments
    def layer_weights(self, layer: int, rows: slice | None = None) -> Array:
        """Return the weights of all heads of a layer [n_heads, n_query, n_key]."""
        self._check(layer, 0)
        return self.normalise(self._scores(layer, slice(None), rows), layer, slice(None), rows)

    @check_arguments
    def mean_weights(self, layer: int, rows: slice | None = None) -> Array:
        """Return the mean over the heads of a layer [n_query, n_key]; rows still sum to 1, or to 1 less the mean share
        of the sinks."""
        total = self.weights(layer, 0, rows)
        for head in range(1, self.n_heads):
            total += self.weights(layer, head, rows)
        total /= np.float32(self.n_heads)
        return total

    @check_arguments
    def head_output(self, layer: int, head: int) -> Array:
        """Return the output of a head before W_O: weights @ value [n_query, d_head]."""
        output: Array = self.weights(layer, head) @ self.value[layer, head]
        return output

    def _scores(self, layer: int, heads: slice, rows: slice | None) -> Array:
        """Return the scores of some heads [n_of_them, n_query, n_key], in memory of their own."""
        query, key = self.query[layer, heads, rows or slice(None)], self.key[layer, heads]
        scores: Array = query @ key.swapaxes(1, 2)
        scores *= np.float32(self.scale[layer])
        scores = self.cap_scores(scores)
        scores += self._bias(layer, rows)[heads]
        return scores

    def sink_logits(self, layer: int, heads: int | slice, rows: slice | None = None) -> Array | None:
        """Return the logits of the sinks of a head, or of some, for its scores [..., n_query or 1, 1]; None if none."""
        if self.sinks is None:
            return None
        sinks: Array = self.sinks[layer, heads, :, None]
        return sinks if rows is None or self.sinks.shape[2] == 1 else sinks[..., rows, :]

    def _bias(self, layer: int, rows: slice | None) -> Array:
        """Return the whole bias of a layer [n_heads, n_query, n_key]."""
        whole: Array = np.broadcast_to(self.bias[layer], (self.n_heads, self.n_query, self.n_key))
        return whole if rows is None else whole[:, rows]

    def _check(self, layer: int, head: int) -> None:
        if not 0 <= layer < self.n_layers:
            raise SelectionError(no_such_layer(layer, self.n_layers))
        if not 0 <= head < self.n_heads:
            raise SelectionError(no_such_head(head, self.n_heads))


def _rebuild(values: Mapping[str, Any]) -> AttentionRecord:
    return AttentionRecord(**{**values, "bias": unpack(values["bias"])})


def no_such_layer(layer: int, n_layers: int) -> Message:
    """Say that a model does not have a layer."""
    return worded("layer {layer} was asked for, but this model has layers 0 to {last}.", layer=layer, last=n_layers - 1)


def no_such_head(head: int, n_heads: int) -> Message:
    """Say that a model does not have a head."""
    return worded("head {head} was asked for, but this model has heads 0 to {last}.", head=head, last=n_heads - 1)


def softmax(scores: Array, *, sinks: Array | None = None, out: Array | None = None) -> Array:
    """Compute the softmax over the last axis; a row that is minus infinity everywhere becomes zeros.

    `out` may be `scores`. `sinks` [..., n_query or 1, 1] are logits that stand in the denominator alone.
    """
    highest = scores.max(axis=-1, keepdims=True)
    if sinks is not None:
        highest = np.maximum(highest, sinks)
    highest[np.isneginf(highest)] = 0  # minus infinity minus itself is no number
    weights: Array = np.subtract(scores, highest, out=out)
    np.exp(weights, out=weights)
    total = weights.sum(axis=-1, keepdims=True)
    if sinks is not None:
        total += np.exp(sinks - highest)
    total[total == 0] = 1
    weights /= total
    return weights


def _expect(name: str, size: int, expected: int) -> None:
    if size != expected:
        raise RecordError(f"{name} has size {size}, expected {expected}.")
