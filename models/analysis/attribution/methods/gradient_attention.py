"""Gradient × attention, layer after layer: how relevance spreads where attention speaks for the answer.

Ā = mean over the heads of (dm/dA ⊙ A) above 0, and R <- R + Ā R from the first layer on: Chefer et al. 2021, "Generic
Attention-model Explainability", equations 5 and 6; their equations 7 to 11 for cross attention. What a token had from
the start, its own row of the identity, is left out of the scores.
"""

from __future__ import annotations

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.analysis.attribution.mixing import attention_layers
from models.values.probing.gradients import WeightGradients
from models.values.record import Array, no_vectors
from models.values.wording import to_say


def gradient_attention(evidence: Evidence) -> Array:
    """The relevance of every token for where the answer is read [n_tokens].

    Raises MissingCapabilityError for a model that hands out its weights alone.
    """
    if not evidence.recording.info.has_vectors:
        raise no_vectors(evidence.recording.info)
    gradients = {heads.kind: heads for heads in evidence.gradients.weights}
    n_tokens, n_source = len(evidence.tokens), evidence.n_source
    source: Array = np.eye(n_source or n_tokens, dtype=np.float32)  # R^ss
    target: Array = np.eye(n_tokens - n_source, dtype=np.float32)  # R^tt
    crossed: Array = np.zeros((n_tokens - n_source, n_source), np.float32)  # R^ts
    for record, layer in attention_layers(evidence):
        positive = positive_attention(gradients[record.kind], layer)  # [n_query, n_key]
        if record.kind == "cross":
            crossed += _normalise_rows(target).T @ positive @ _normalise_rows(source)
        elif record.kind == "encoder" and n_source:
            source = source + positive @ source
        else:
            crossed = crossed + positive @ crossed
            target = target + positive @ target
    relevance = np.hstack((crossed, target - np.eye(len(target), dtype=np.float32)))  # [n_query, n_tokens]
    scores: Array = evidence.readers[n_source:] @ relevance
    return scores


def positive_attention(gradients: WeightGradients, layer: int) -> Array:
    """Ā of one layer [n_query, n_key]."""
    positive: Array = (gradients.weights[layer] * gradients.gradient[layer]).clip(min=0).mean(axis=0)
    return positive


def _normalise_rows(relevance: Array) -> Array:
    """The relevance that was added to the identity, each row divided by its sum, and the identity again (equations 8
    and 9)."""
    identity = np.eye(len(relevance), dtype=np.float32)
    added = relevance - identity
    total = added.sum(axis=1, keepdims=True)
    scaled: Array = np.divide(added, total, out=np.zeros_like(added), where=total > 0) + identity
    return scaled


ANALYSIS = AttributionMethod(
    name="gradient_attention",
    title=to_say("gradient × attention"),
    paper=to_say('Chefer et al. 2021, "Generic Attention-model Explainability", section 3, equations 5 to 11'),
    formula=to_say("R <- R + mean over the heads of (dm/dA ⊙ A)⁺ · R"),
    cost=to_say("one forward and one backward pass; time n_layers · n_tokens³"),
    order=70,
    compute=gradient_attention,
)
