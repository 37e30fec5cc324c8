"""Which method is to be believed for one answer, and in words why.

The rule: of all methods but raw attention the one with the highest score, comprehensiveness less sufficiency; and only
if it is above the scores of at least BETTER_THAN of the random orders. Else none is. One answer says nothing of another
one; and leaving words out one by one is judged by what it does itself, which favours it.
"""

from __future__ import annotations

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.labels import KNOWN_LABELS
from models.values.probing.contrast import Contrast
from models.values.results.attribution import Faithfulness, FaithfulnessCurve
from models.values.text.spelling import text_of
from models.values.wording import Message, share_in_words, worded

BETTER_THAN = 0.95
"""The share of random orders that a method has to beat."""
RAW = "raw"


def better_than_random(faithfulness: Faithfulness, curve: FaithfulnessCurve) -> float:
    """The share of random orders that a method beats; NaN where none were drawn."""
    scores = [order.score for order in faithfulness.random]
    return float(np.mean([curve.score > score for score in scores])) if scores else float("nan")


@check_arguments
def choose_method(faithfulness: Faithfulness) -> FaithfulnessCurve | None:
    """The method that is to be believed; None if no method is."""
    explanations = [curve for curve in faithfulness.curves if curve.method != RAW]
    best = max(explanations, key=lambda curve: curve.score, default=None)
    return best if best is not None and better_than_random(faithfulness, best) >= BETTER_THAN else None


@check_arguments
def finding(faithfulness: Faithfulness) -> str:
    """Return the statement of the rule, with its numbers."""
    return " ".join(findings(faithfulness))


def findings(faithfulness: Faithfulness) -> tuple[Message, ...]:
    """The same as sentences, first which method is to be believed. Plain text: the answer is a word of the model's."""
    chosen = choose_method(faithfulness)
    said = _of_none(faithfulness) if chosen is None else _of_best(faithfulness, chosen)
    return tuple(filter(None, (said, _as_good(faithfulness, chosen), _of_raw(faithfulness))))


def _of_none(faithfulness: Faithfulness) -> Message:
    return worded(
        "No method beats {share} of {n} random orders here: believe none of them for this answer.",
        share=f"{BETTER_THAN:.0%}",
        n=len(faithfulness.random),
    )


def _of_best(faithfulness: Faithfulness, chosen: FaithfulnessCurve) -> Message:
    """The method to believe, with how the answer does without its words; the answer without the marks by which
    vocabularies tell spaces and pieces."""
    answer = _answer_in_words(faithfulness.contrast)
    numbers: dict[str, object] = {
        "method": chosen.title,
        "whole": share_in_words(chosen.whole),
        "without": share_in_words(chosen.without.mean()),
        "alone": share_in_words(chosen.with_only.mean()),
        "share": f"{better_than_random(faithfulness, chosen):.0%}",
        "n": len(faithfulness.random),
    }
    if not answer:
        return worded(
            "The method to believe here is {method}. Without the words that it names first the answer falls from "
            "{whole} to {without}; with nothing but them it is at {alone}. It beats {share} of {n} random orders.",
            **numbers,
        )
    return worded(
        "The method to believe here is {method}. Without the words that it names first “{answer}” falls from {whole} "
        "to {without}; with nothing but them it is at {alone}. It beats {share} of {n} random orders.",
        answer=answer,
        **numbers,
    )


def _answer_in_words(contrast: Contrast) -> str:
    """Return an answer as it is spelled, or a label that readers know by a word of their own language."""
    text = contrast.answer_text
    return Message(KNOWN_LABELS[text]) if contrast.of == "label" and text in KNOWN_LABELS else text_of(text)


def _as_good(faithfulness: Faithfulness, chosen: FaithfulnessCurve | None) -> Message | None:
    """Which other methods do exactly as well, if any."""
    if chosen is None:
        return None
    equal = [curve.title for curve in faithfulness.curves if curve is not chosen and _is_equal(curve, chosen)]
    if not equal:
        return None
    listed = equal[0]
    for title in equal[1:]:
        listed = worded("{some}, {last}", some=listed, last=title)
    return worded("Exactly as good here: {methods}.", methods=listed)


def _is_equal(one: FaithfulnessCurve, other: FaithfulnessCurve) -> bool:
    return bool(np.allclose(one.without, other.without) and np.allclose(one.with_only, other.with_only))


def _of_raw(faithfulness: Faithfulness) -> Message | None:
    """That attention alone is no explanation, with how it does here, if it was asked."""
    raw = next((curve for curve in faithfulness.curves if curve.method == RAW), None)
    if raw is None:
        return None
    place = 1 + sum(curve.score > raw.score for curve in faithfulness.curves)
    return worded(
        "Raw attention is no explanation by itself: it says where the last layer looks, whichever answer is asked "
        "about. Here it beats {share} of the random orders, and is number {place} of {n} methods.",
        share=f"{better_than_random(faithfulness, raw):.0%}",
        place=place,
        n=len(faithfulness.curves),
    )
