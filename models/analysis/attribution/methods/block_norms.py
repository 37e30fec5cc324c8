"""Norms of what a whole attention block makes of every token: its heads, its residual connection and its norm together.

The residual connection is a vector here, not the assumed half of rollout: in BERT it outweighs the attention.
"""

from __future__ import annotations

import numpy as np

from models.analysis.attribution.block_parts import BlockParts, block_of
from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.analysis.attribution.mixing import mixings, roll_out
from models.values.record import Array, AttentionRecord
from models.values.wording import to_say


def block_norms(evidence: Evidence) -> Array:
    """The product over the layers of ||norm(sum over the heads of α f(x_j) W_O + [i = j] x_i)||, rows divided by their
    sums."""

    def of_layer(record: AttentionRecord, layer: int) -> tuple[Array, Array]:
        block = block_of(evidence, record, layer, with_value_bias=True)
        rows = [_norms(block.parts(query), record, query) for query in range(record.n_query)]
        return np.stack([taken for taken, _ in rows]), np.array([kept for _, kept in rows], np.float32)

    scores: Array = evidence.readers @ roll_out(mixings(evidence, of_layer))
    return scores


def _norms(parts: BlockParts, record: AttentionRecord, query: int) -> tuple[Array, float]:
    """What a query takes from every key [n_key], and what it keeps; they sum to 1. In self-attention what it keeps is
    one vector with what its own value brings."""
    keys, own = with_own(parts, record, query)
    sizes = np.linalg.norm(keys, axis=1)
    kept = 0.0 if own is None else float(np.linalg.norm(own))
    total = float(sizes.sum()) + kept
    return (sizes / total).astype(np.float32), kept / total


def with_own(parts: BlockParts, record: AttentionRecord, query: int) -> tuple[Array, Array | None]:
    """What comes from every key [n_key, d_model], the residual connection of self-attention among them; and beside
    them that of cross attention, whose queries are no keys."""
    if record.kind == "cross":
        return parts.keys, parts.own
    keys = parts.keys.copy()
    keys[query] += parts.own
    return keys, None


ANALYSIS = AttributionMethod(
    name="block_norms",
    title=to_say("norms with residual and norm"),
    paper=to_say(
        'Kobayashi et al. 2021, "Incorporating Residual and Normalization Layers into Analysis of Masked Language '
        'Models", section 3'
    ),
    formula=to_say(
        "A_n ... A_2 A_1, each A = ||norm(sum over the heads of α f(x_j) W_O + [i = j] x_i)||, rows divided by their "
        "sums"
    ),
    cost=to_say("four forward passes; time n_layers · n_heads · n_tokens² · d_model"),
    order=50,
    compute=block_norms,
)
