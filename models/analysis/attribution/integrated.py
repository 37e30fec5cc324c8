"""Integrated gradients: the gradient on the whole way from a text that says nothing to this one.

The text that says nothing has the tokenizer's mask for every word; special tokens stay. Along the straight line between
the embeddings of both the scores add up to m - m(nothing): completeness (Sundararajan et al. 2017, proposition 1). The
integral is a sum over the points of Gauss and Legendre, more of them until it is complete to 1 %.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.values.probing.changes import Changes, StateEdit
from models.values.probing.gradients import EmbeddingGradients, Gradients
from models.values.record import Array
from models.values.wording import to_say

POINTS = (16, 48, 144, 432)
COMPLETE, NEARLY = 0.01, 0.001
"""How far the sum may be from m - m(nothing), as a part of it; or, where that is little, of all scores, unsigned."""


def integrated_gradients(evidence: Evidence) -> Array:
    """The integral for every token [n_tokens]."""
    (start,) = evidence.gradients_under([_nothing(evidence)])
    end = evidence.gradients
    target = end.difference - start.difference
    scores = np.zeros(len(evidence.tokens), np.float32)
    for n_points in POINTS:
        scores = _integral(evidence, start, end, n_points)
        if abs(float(scores.sum()) - target) <= max(COMPLETE * abs(target), NEARLY * float(np.abs(scores).sum())):
            break
    return scores


def from_nothing(evidence: Evidence) -> float:
    """m - m(nothing)."""
    whole, nothing = evidence.under([Changes(), _nothing(evidence)]).differences.tolist()
    return float(whole - nothing)


def _nothing(evidence: Evidence) -> Changes:
    """A mask for every word that may have mattered."""
    return Changes(blank=tuple(evidence.places[at] for word in evidence.words for at in word))


def _integral(evidence: Evidence, start: Gradients, end: Gradients, n_points: int) -> Array:
    points, weights = np.polynomial.legendre.leggauss(n_points)  # on [-1, 1]
    on_the_way = evidence.gradients_under([_at(start.embeddings, end.embeddings, (at + 1) / 2) for at in points])
    scores = []
    for number, (first, last) in enumerate(zip(start.embeddings, end.embeddings, strict=True)):
        mean = sum(
            weight / 2 * found.embeddings[number].gradient.astype(np.float64)
            for weight, found in zip(weights, on_the_way, strict=True)
        )  # [n_tokens, d_model]
        scores.append(((last.embeddings - first.embeddings) * mean).sum(axis=1))
    return np.concatenate(scores).astype(np.float32)


def _at(start: Sequence[EmbeddingGradients], end: Sequence[EmbeddingGradients], share: float) -> Changes:
    """The embeddings at a share of the way."""
    edits = [
        StateEdit(
            stack=last.stack, layer=0, positions=tuple(range(len(last.tokens))),
            states=(first.embeddings + share * (last.embeddings - first.embeddings)).astype(np.float32),
        )
        for first, last in zip(start, end, strict=True)
    ]  # fmt: skip
    return Changes(states=tuple(edits))


ANALYSIS = AttributionMethod(
    name="integrated",
    title=to_say("integrated gradients"),
    paper=to_say('Sundararajan et al. 2017, "Axiomatic Attribution for Deep Networks", section 3, equation 1'),
    formula=to_say("(x - x') · integral of dm/dx from x' to x"),
    cost=to_say("16 to 640 forward and backward passes, in batches"),
    order=90,
    is_signed=True,
    sums_to=from_nothing,
    compute=integrated_gradients,
)
