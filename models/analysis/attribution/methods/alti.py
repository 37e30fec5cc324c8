"""ALTI: how near what a token brings to a block comes to what the block gives.

A long vector that others cancel says little: what counts is how much closer the part T_i(x_j) of token j is to the
output y_i than nothing would be, by the distance of Manhattan: max(0, ||y_i||₁ - ||y_i - T_i(x_j)||₁). The biases of
the values, b_V, are no part of T_i(x_j), as in the paper; the authors' code leaves them in.
"""

from __future__ import annotations

import numpy as np

from models.analysis.attribution.block_parts import block_of
from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.analysis.attribution.methods.block_norms import with_own
from models.analysis.attribution.mixing import mixings, roll_out
from models.values.record import Array, AttentionRecord
from models.values.wording import to_say


def alti(evidence: Evidence) -> Array:
    """The rollout of the contributions of all attention blocks [n_tokens]."""

    def of_layer(record: AttentionRecord, layer: int) -> tuple[Array, Array]:
        block = block_of(evidence, record, layer, with_value_bias=False)
        taken, kept = [], []
        for query in range(record.n_query):
            parts = block.parts(query)
            keys, own = with_own(parts, record, query)
            shares = contributions(keys if own is None else np.vstack((keys, own)), parts.output)
            taken.append(shares[: record.n_key])
            kept.append(0.0 if own is None else float(shares[-1]))
        return np.stack(taken), np.array(kept, np.float32)

    scores: Array = evidence.readers @ roll_out(mixings(evidence, of_layer))
    return scores


def contributions(parts: Array, output: Array) -> Array:
    """The share of every part [n_parts, d_model] in an output [d_model], from 0 to 1; they sum to 1."""
    nearer = np.abs(output).sum() - np.abs(output - parts).sum(axis=1)  # [n_parts]
    counted = nearer.clip(min=0)
    if not counted.any():  # no part alone comes nearer than nothing does
        return np.full(len(parts), 1 / len(parts), np.float32)
    shares: Array = (counted / counted.sum()).astype(np.float32)
    return shares


ANALYSIS = AttributionMethod(
    name="alti",
    title=to_say("ALTI"),
    paper=to_say(
        'Ferrando et al. 2022, "Measuring the Mixing of Contextual Information in the Transformer", section 3'
    ),
    formula=to_say(
        "A_n ... A_2 A_1, each A = max(0, ||y_i||₁ - ||y_i - T_i(x_j)||₁), T_i without b_V, rows divided by their sums"
    ),
    cost=to_say("four forward passes; time n_layers · n_heads · n_tokens² · d_model"),
    order=60,
    compute=alti,
)
