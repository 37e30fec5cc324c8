"""Attention rollout: the attention of all layers, one applied after the other, each beside its residual connection."""

from __future__ import annotations

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.analysis.attribution.mixing import mean_attention, mixings, roll_out
from models.values.record import Array
from models.values.wording import to_say


def rollout(evidence: Evidence) -> Array:
    """The row of the product from which the answer is read [n_tokens]."""
    scores: Array = evidence.readers @ roll_out(mixings(evidence, mean_attention))
    return scores


ANALYSIS = AttributionMethod(
    name="rollout",
    title=to_say("attention rollout"),
    paper=to_say('Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3'),
    formula=to_say("A_n ... A_2 A_1, each A = 0.5 · mean over the heads + 0.5 I"),
    cost=to_say("one forward pass; time n_layers · n_tokens³"),
    order=20,
    compute=rollout,
)
