"""The output of an attention block as a sum over the tokens: vectors, not weights.

Post-LN: norm(x_i + sum_j sum_h α_ij^h f^h(x_j) + b_O) with f^h(x) = (x W_V^h + b_V^h) W_O^h; pre-LN the same without
the norm. With its deviation held at what it was, the norm is linear: Kobayashi et al. 2021, section 3, and Ferrando et
al. 2022, section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.values.probing.stream import FixedNorm, Projection, SubLayer
from models.values.record import Array, AttentionRecord


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlockParts:
    """What a block gives at one token [d_model]: what `keys` [n_key, d_model] and `own`, the residual connection, bring
    to it, and a bias that does not depend on any of them. They add up to `output`."""

    keys: Array
    own: Array
    bias: Array
    output: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """An attention block of one pass: its weights [n_heads, n_query, n_key], and every value times its slice of W_O
    [n_heads, n_key, d_model]."""

    sub_layer: SubLayer
    weights: Array
    moved: Array
    moved_bias: Array
    """The biases of the values times their slices of W_O [n_heads, d_model]: in `moved`, or in the bias."""
    has_value_bias: bool

    def parts(self, position: int) -> BlockParts:
        """Return the output of the block at a token."""
        projection, sub_layer = self._projection, self.sub_layer
        keys = np.einsum("hk,hkd->kd", self.weights[:, position], self.moved)  # [n_key, d_model]
        bias = projection.bias
        if not self.has_value_bias:
            bias = bias + self.weights[:, position].sum(axis=1) @ self.moved_bias
        own = sub_layer.carried[position]
        if projection.norm is not None:
            keys, bias = _through(projection.norm, keys, bias, position)
        if sub_layer.norm is not None:
            keys, bias = _through(sub_layer.norm, keys, bias, position)
            own = sub_layer.norm.linear(own, position)
        return BlockParts(keys=keys, own=own, bias=bias, output=keys.sum(axis=0) + own + bias)

    @property
    def _projection(self) -> Projection:
        if self.sub_layer.projection is None:
            raise TypeError(f"a sub-layer of {self.sub_layer.part} has no heads.")
        return self.sub_layer.projection


def block_of(evidence: Evidence, record: AttentionRecord, layer: int, *, with_value_bias: bool) -> Block:
    """The block of an attention; the biases of the values are counted to the tokens, or to the bias."""
    sub_layer = evidence.streams.of(record.kind).attention(record.kind, layer)
    if sub_layer.projection is None:
        raise TypeError(f"a sub-layer of {sub_layer.part} has no heads.")
    value, value_bias = record.value[layer], sub_layer.projection.value_bias
    counted = value if with_value_bias else value - value_bias[:, None]
    return Block(
        sub_layer=sub_layer,
        weights=record.layer_weights(layer),
        moved=counted @ sub_layer.projection.weight,
        moved_bias=np.einsum("hv,hvd->hd", value_bias, sub_layer.projection.weight),
        has_value_bias=with_value_bias,
    )


def _through(norm: FixedNorm, keys: Array, bias: Array, position: int) -> tuple[Array, Array]:
    return norm.linear(keys, position), norm.linear(bias, position) + norm.shift
