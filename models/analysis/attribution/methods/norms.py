"""Norms of what attention really moves: ||sum over the heads of α f(x) W_O||, and not α alone.

A weight of 0.9 on a token whose value is nearly nothing moves nearly nothing. `head_norms` is the map of one head, with
W_O: the partner of "weights × value norm", which leaves W_O out.
"""

from __future__ import annotations

import numpy as np

from models.analysis.attribution.block_parts import block_of
from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.analysis.attribution.mixing import keep_half, mixings, roll_out
from models.values.probing.stream import SubLayer
from models.values.record import Array, AttentionRecord
from models.values.wording import to_say


def norms(evidence: Evidence) -> Array:
    """The rollout of the norms, each row divided by its sum and half kept as in attention rollout [n_tokens]."""

    def of_layer(record: AttentionRecord, layer: int) -> tuple[Array, Array]:
        block = block_of(evidence, record, layer, with_value_bias=True)
        mixed = np.stack(
            [
                np.linalg.norm(np.einsum("hk,hkd->kd", block.weights[:, query], block.moved), axis=1)
                for query in range(record.n_query)
            ]
        )  # [n_query, n_key]
        return keep_half(mixed / mixed.sum(axis=1, keepdims=True).clip(min=1e-12))

    scores: Array = evidence.readers @ roll_out(mixings(evidence, of_layer))
    return scores


def head_norms(record: AttentionRecord, sub_layer: SubLayer, head: int) -> Array:
    """||α_ij f(x_j) W_O|| of one head [n_query, n_key] (Kobayashi et al. 2020, equation 5)."""
    if sub_layer.projection is None:
        raise TypeError(f"a sub-layer of {sub_layer.part} has no heads.")
    moved = record.value[sub_layer.layer, head] @ sub_layer.projection.weight[head]  # [n_key, d_model]
    norms_of_head: Array = record.weights(sub_layer.layer, head) * np.linalg.norm(moved, axis=1)
    return norms_of_head


ANALYSIS = AttributionMethod(
    name="norms",
    title=to_say("norms with W_O"),
    paper=to_say('Kobayashi et al. 2020, "Attention is Not Only a Weight", section 3, equation 5'),
    formula=to_say(
        "A_n ... A_2 A_1, each A = 0.5 · ||sum over the heads of α f(x) W_O|| + 0.5 I, the norms of a row divided by "
        "their sum"
    ),
    cost=to_say("four forward passes; time n_layers · n_heads · n_tokens² · d_model"),
    order=40,
    compute=norms,
)
