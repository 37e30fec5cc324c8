"""Integrated gradients: the gradient on the whole way from a text that says nothing to this one.

The text that says nothing has the tokenizer's mask for every word; special tokens stay. Along the straight line between
what layer 0 reads of both (as for gradient × input) the scores add up to m - m(nothing): completeness (Sundararajan et
al. 2017, proposition 1). The integral is a sum over the points of Clenshaw and Curtis (Trefethen 2008, "Is Gauss
Quadrature Better than Clenshaw-Curtis?"), twice as many of them until no token's score moves: those before are among
them.
"""

from __future__ import annotations

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod, Estimate
from models.values.probing.changes import Changes, StateEdit
from models.values.probing.gradients import EmbeddingGradients, Gradients
from models.values.results.attribution import STANDS_STILL
from models.values.wording import to_say
from models.values.writing import Numbers

N_INTERVALS = (8, 16, 32, 64, 128, 256, 512)
MARGIN = 2
"""The scores may be further from the integral than they last moved: they stop at a move so many times smaller."""


def integrated_gradients(evidence: Evidence) -> Estimate:
    """The integral for every token [n_tokens], and how far its scores moved when the points were last doubled. It stops
    when no score moves by more than STANDS_STILL / MARGIN of the largest, and their sum is as exact."""
    path = _Path(evidence)
    scores = path.integral(N_INTERVALS[0])
    moved = np.inf
    for n_intervals in N_INTERVALS[1:]:
        before, scores = scores, path.integral(n_intervals)
        moved = max(_part(np.abs(scores - before).max(), np.abs(scores).max()), path.incompleteness(scores))
        if moved <= STANDS_STILL / MARGIN:
            break
    return Estimate(scores=scores.astype(np.float32), off_by=moved)


def from_nothing(evidence: Evidence) -> float:
    """Return m - m(nothing), the difference that the scores sum to."""
    whole, nothing = evidence.under([Changes(), _nothing(evidence)]).differences.tolist()
    return float(whole - nothing)


def _nothing(evidence: Evidence) -> Changes:
    """A mask for every word that may have mattered."""
    return Changes(blank=tuple(evidence.places[token] for word in evidence.words for token in word))


class _Path:
    """The straight line of embeddings from the text that says nothing to the whole one. What was asked at a point of it
    is remembered: the points of an integral are among those of one with twice as many."""

    def __init__(self, evidence: Evidence) -> None:
        (self.start,) = evidence.gradients_under([_nothing(evidence)])
        self.evidence, self.end = evidence, evidence.gradients
        self.products: dict[float, Numbers] = {0.0: self._along(self.start), 1.0: self._along(self.end)}

    def integral(self, n_intervals: int) -> Numbers:
        """The integral by the values at n_intervals + 1 points [n_tokens]."""
        points, weights = clenshaw_curtis(n_intervals)
        missing = [share for share in points.tolist() if share not in self.products]
        gradients = self.evidence.gradients_under([self._at(share) for share in missing])
        self.products |= zip(missing, map(self._along, gradients), strict=True)
        integral: Numbers = weights @ np.stack([self.products[share] for share in points.tolist()])
        return integral

    def incompleteness(self, scores: Numbers) -> float:
        """How far the sum of the scores is from m - m(nothing), as a part of all of them, unsigned."""
        return _part(abs(scores.sum() - (self.end.difference - self.start.difference)), np.abs(scores).sum())

    def _along(self, gradients: Gradients) -> Numbers:
        """The gradient at a point, along the line [n_tokens]."""
        products = [
            ((last.embeddings - first.embeddings).astype(np.float64) * between.gradient).sum(axis=1)
            for first, last, between in zip(
                self.start.embeddings, self.end.embeddings, gradients.embeddings, strict=True
            )
        ]
        return np.concatenate(products)

    def _at(self, share: float) -> Changes:
        """The embeddings at a share of the way."""
        pairs = zip(self.start.embeddings, self.end.embeddings, strict=True)
        return Changes(states=tuple(_between(first, last, share) for first, last in pairs))


def _between(first: EmbeddingGradients, last: EmbeddingGradients, share: float) -> StateEdit:
    return StateEdit(
        stack=last.stack,
        layer=0,
        positions=tuple(range(len(last.tokens))),
        states=(first.embeddings + share * (last.embeddings - first.embeddings)).astype(np.float32),
    )


def clenshaw_curtis(n_intervals: int) -> tuple[Numbers, Numbers]:
    """Points from 0 to 1 and their weights [n_intervals + 1], for an even number of intervals (Trefethen 2008, section
    2): the integral of the polynomial through the values at these points."""
    numbers = np.arange(n_intervals + 1)
    points = (1 - np.cos(np.pi * numbers / n_intervals)) / 2
    orders = np.arange(1, n_intervals // 2 + 1)
    counts = np.where(orders < n_intervals // 2, 2, 1) / (4 * orders**2 - 1)
    weights = (1 - np.cos(2 * np.pi * np.outer(numbers, orders) / n_intervals) @ counts) / n_intervals
    weights[[0, -1]] /= 2
    return points, weights


def _part(number: float, whole: float) -> float:
    """A number as a part of a whole; 0 of nothing."""
    return float(number / whole) if whole > 0 else 0.0


ANALYSIS = AttributionMethod(
    name="integrated",
    title=to_say("integrated gradients"),
    paper=to_say('Sundararajan et al. 2017, "Axiomatic Attribution for Deep Networks", section 3, equation 1'),
    formula=to_say("(x - x') · integral of dm/dx from x' to x, with x what layer 0 reads at a token, x' at a mask"),
    cost=to_say("17 to 513 forward and backward passes, in batches"),
    order=90,
    is_signed=True,
    sums_to=from_nothing,
    compute=integrated_gradients,
)
