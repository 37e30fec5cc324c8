"""Which method is to be believed for one answer, and in words why.

The rule: of all methods but raw attention the one with the highest score, comprehensiveness less sufficiency; and only
if it is above the scores of at least BETTER_THAN of the random orders. Else none is. One answer says nothing of another
one; and leaving words out one by one is judged by what it does itself, which favours it.
"""

from __future__ import annotations

import numpy as np

from models.values.results.attribution import Faithfulness, FaithfulnessCurve

BETTER_THAN = 0.95
"""The share of random orders that a method has to beat."""
RAW = "raw"


def better_than_random(faithfulness: Faithfulness, curve: FaithfulnessCurve) -> float:
    """The share of random orders that a method beats; NaN where none were drawn."""
    scores = [each.score for each in faithfulness.random]
    return float(np.mean([curve.score > score for score in scores])) if scores else float("nan")


def believed(faithfulness: Faithfulness) -> FaithfulnessCurve | None:
    """The method that is to be believed; None if no method is."""
    explanations = [curve for curve in faithfulness.curves if curve.method != RAW]
    best = max(explanations, key=lambda curve: curve.score, default=None)
    return best if best is not None and better_than_random(faithfulness, best) >= BETTER_THAN else None


def finding(faithfulness: Faithfulness) -> str:
    """What the rule says, with the numbers behind it."""
    return " ".join(findings(faithfulness))


def findings(faithfulness: Faithfulness) -> tuple[str, ...]:
    """The same as sentences, first which method is to be believed. Plain text: the answer is a word of the model's."""
    chosen = believed(faithfulness)
    n_random = len(faithfulness.random)
    said = (
        f"No method beats {BETTER_THAN:.0%} of {n_random} random orders here: believe none of them for this answer."
        if chosen is None
        else f"Believe {chosen.title} here: without the words that it names first the answer "
        f"{_answer(faithfulness)}falls from {chosen.whole:.0%} to {chosen.without.mean():.0%}, with nothing but them "
        f"it is at {chosen.with_only.mean():.0%}; it beats {better_than_random(faithfulness, chosen):.0%} of "
        f"{n_random} random orders."
    )
    return tuple(filter(None, (said, _as_good(faithfulness, chosen), _of_raw(faithfulness))))


def _answer(faithfulness: Faithfulness) -> str:
    """The answer in quotation marks, without the marks by which vocabularies tell spaces and pieces."""
    word = faithfulness.contrast.answer_text.lstrip("Ġ▁ ")
    return f"“{word}” " if word else ""


def _as_good(faithfulness: Faithfulness, chosen: FaithfulnessCurve | None) -> str:
    """Which other methods do exactly as well, if any."""
    if chosen is None:
        return ""
    equal = [curve.title for curve in faithfulness.curves if curve is not chosen and _is_equal(curve, chosen)]
    return f"Exactly as good here: {', '.join(equal)}." if equal else ""


def _is_equal(one: FaithfulnessCurve, other: FaithfulnessCurve) -> bool:
    return bool(np.allclose(one.without, other.without) and np.allclose(one.with_only, other.with_only))


def _of_raw(faithfulness: Faithfulness) -> str:
    """That attention alone is no explanation, with how it does here, if it was asked."""
    raw = next((curve for curve in faithfulness.curves if curve.method == RAW), None)
    if raw is None:
        return ""
    place = 1 + sum(curve.score > raw.score for curve in faithfulness.curves)
    return (
        "Raw attention is no explanation by itself: it says where the last layer looks, whichever answer is asked "
        f"about. Here it beats {better_than_random(faithfulness, raw):.0%} of the random orders, and is number {place} "
        f"of {len(faithfulness.curves)} methods."
    )
