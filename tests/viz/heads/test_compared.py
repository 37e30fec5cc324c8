"""What is said of two heads side by side is read off the numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.analysis import compare
from viz.heads.compared import comparison_finding
from viz.heads.demo import demo_comparison
from viz.kit.demos.records import random_record, record_from_scores, tokens_of

SCORES = np.zeros((1, 1, 5, 5), np.float32)


def test_the_row_that_is_farthest_apart_is_named_with_the_cell_that_differs_most() -> None:
    tokens = tokens_of("[CLS] it is tired [SEP]")
    other_scores = SCORES.copy()
    other_scores[0, 0, 1, 3] = 3
    one, other = record_from_scores(SCORES, tokens), record_from_scores(other_scores, tokens)
    found = compare(one, other, one_layer=0, other_layer=0, one_head=0, other_head=0)
    said = comparison_finding(found, "Head 0", "Head 1")
    weights = one.weights(0, 0)[1, 3], other.weights(0, 0)[1, 3]
    assert said.startswith(
        f"They differ most at “it”: there Head 0 gives “tired” a weight of {weights[0]:.2f}, Head 1 one of "
        f"{weights[1]:.2f}, and the rows are {found.distances[1]:.2f} apart. On average the rows are "
        f"{found.distances.mean():.2f} apart"
    )


def test_a_token_that_stands_more_than_once_is_named_with_its_place() -> None:
    tokens = tokens_of("the cat the mat the")
    other_scores = SCORES.copy()
    other_scores[0, 0, 2, 4] = 3
    found = compare(
        record_from_scores(SCORES, tokens),
        record_from_scores(other_scores, tokens),
        one_layer=0,
        other_layer=0,
        one_head=0,
        other_head=0,
    )
    assert "most at “2 · the”: there a gives “4 · the”" in comparison_finding(found, "a", "b")


def test_what_is_alike_and_what_has_nothing_in_common_is_said_so() -> None:
    record = random_record()
    same = compare(record, record, one_layer=0, other_layer=0, one_head=1, other_head=1)
    assert comparison_finding(same, "a", "b") == (
        "There is hardly a difference between a and b: no two weights are 0.005 apart."
    )
    found = demo_comparison()
    assert comparison_finding(found, "a", "b").endswith(" 1 token stands in one text alone.")
    nothing = np.full_like(found.one, np.nan)
    apart = np.full_like(found.distances, np.nan)
    alone = replace(found, one=nothing, other=nothing, distances=apart)
    assert comparison_finding(alone, "a", "b") == "No token stands in both texts, so there is nothing to compare."
