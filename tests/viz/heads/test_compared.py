"""What is said of two heads side by side is read off the numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from models.analysis import compare
from viz.heads.compared import comparison_finding, comparison_measured, difference_title
from viz.heads.demos.effects import demo_comparison
from viz.kit.demos.records import random_record, record_from_scores, tokens_of

SCORES = np.zeros((1, 1, 5, 5), np.float32)


def compared(text: str, scores: dict[tuple[int, int], float], other: dict[tuple[int, int], float]) -> Any:
    """Two heads on a text of five tokens, whose scores are 0 but for the given places."""
    records = []
    for given in (scores, other):
        filled = SCORES.copy()
        for place, score in given.items():
            filled[0, 0, *place] = score
        records.append(record_from_scores(filled, tokens_of(text)))
    return compare(*records, one_layer=0, other_layer=0, one_head=0, other_head=0)


def test_attention_goes_from_a_word_to_a_word_of_the_row_that_moves_most() -> None:
    found = compared("[CLS] it is tired [SEP]", {(1, 2): 3}, {(1, 3): 3})
    before, after = found.one[1, 2], found.other[1, 3]
    assert comparison_finding(found, "Head 0", "Head 1") == f"“it”: from “is” ({before:.0%}) to “tired” ({after:.0%})."
    moved = found.one[1, 2] - found.other[1, 2]
    assert f"{moved:.0%} of the attention of “it” moves" in comparison_measured(found)
    assert f"On average {found.distances.mean():.2f}." in comparison_measured(found)


def test_a_word_that_gains_from_no_other_word_is_named_with_both_numbers_and_its_place_if_it_stands_twice() -> None:
    repeated = comparison_finding(compared("the cat the mat the", {}, {(2, 4): 3}), "a", "b")
    assert repeated.startswith("“the (2)”")
    assert "“the (4)”" in repeated
    special = compared("[CLS] a b c [SEP]", {(1, 0): 2, (1, 2): 0.5}, {(1, 2): 2})
    before, after = special.one[1, 2], special.other[1, 2]
    assert after > before
    assert comparison_finding(special, "one", "two") == f"“a”: “b” from {before:.0%} to {after:.0%}."


def test_the_difference_is_named_by_the_word_that_differs_or_by_both_sides() -> None:
    scores = np.zeros((1, 1, 4, 4), np.float32)
    one, other, third = (
        record_from_scores(scores, tokens_of(f"[CLS] {text} [SEP]")) for text in ("is tired", "is wide", "was wide")
    )
    place = {"one_layer": 0, "other_layer": 0, "one_head": 0, "other_head": 0}
    assert difference_title(compare(one, other, **place), "this", "that") == "wide − tired"
    assert difference_title(compare(one, third, **place), "this", "that") == "that − this"


def test_what_is_alike_and_what_has_nothing_in_common_is_said_so() -> None:
    record = random_record()
    same = compare(record, record, one_layer=0, other_layer=0, one_head=1, other_head=1)
    assert comparison_finding(same, "a", "b") == "There is hardly a difference between a and b."
    found = demo_comparison()
    assert comparison_measured(found).endswith(" 1 token stands in one text alone.")
    alone = replace(found, shift=None)
    assert comparison_finding(alone, "a", "b") == "No word stands in both texts, so there is nothing to compare."
