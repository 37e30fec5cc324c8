"""One query and one key in numbers: the sum is the score of the record, and every key has its own line."""

from __future__ import annotations

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.closeness import assert_close
from viz.kit.calculation import score_as_text
from viz.kit.demos.records import random_record
from viz.kit.theme import MINUS, number, percentage, title_width, whole_percent
from viz.vectors.one_score import MOST, SHOWN, SHOWN_COMPACT, key_list, score_sum
from viz.vectors.query_key_value import look_up

PLACE = {"layer": 0, "head": 1, "position": 5}


def numbers_of(figure: go.Figure) -> list[str]:
    """The texts in boxes, in the order in which they were drawn."""
    return [text.removeprefix("<b>").removesuffix("</b>").strip("\u2068\u2069") for text in figure.data[0].text]


def words_of(figure: go.Figure) -> list[str]:
    return [annotation.text for annotation in figure.layout.annotations]


@pytest.mark.parametrize(("width", "n"), [(680, SHOWN), (350, SHOWN_COMPACT)])
def test_the_largest_products_and_the_others_make_the_score_and_the_weight(width: int, n: int) -> None:
    record, key = random_record(), 3
    look, figure = look_up(record, **PLACE), score_sum(record, **PLACE, key=key, width=width)
    largest = np.argsort(-np.abs(look.products[key]), kind="stable")[:n]
    vectors = look.query[largest], look.keys[key][largest], look.products[key][largest]
    written = numbers_of(figure)
    assert written[: 3 * n] == [number(value, digits=2) for vector in vectors for value in vector]
    assert written[3 * n] == score_as_text(look.dots[key])
    assert score_as_text(look.scores[key]) in written[3 * n :]
    assert written[-1] == whole_percent(float(look.weights[key]))
    rest = look.dots[key] - look.products[key][largest].sum()
    assert number(float(rest), digits=2, plus=True) in words_of(figure)
    assert_close(look.products[key].sum(), look.dots[key])


@pytest.mark.parametrize("width", [286, 356, 680])
def test_nothing_reaches_over_the_edge_of_a_page(width: int) -> None:
    record = random_record()
    for figure in (score_sum(record, **PLACE, key=3, width=width), key_list(record, **PLACE, answer=2, width=width)):
        for written in figure.layout.annotations:
            text = re.sub(r"<[^>]*>", "", written.text.split("<br>")[0])
            wide = 0.75 * title_width(text, written.font.size)  # that is an upper bound; letters are narrower
            reach = {"left": wide, "center": wide / 2, "right": 0}[written.xanchor]
            assert written.x + reach <= width, text


def test_every_key_has_its_score_and_a_bar_as_long_as_its_weight() -> None:
    record = random_record()
    look, figure = look_up(record, **PLACE), key_list(record, **PLACE, answer=2, width=500)
    words = words_of(figure)
    assert {score_as_text(value) for value in look.scores} <= set(words)
    assert {percentage(float(value)) for value in look.weights} <= set(words)
    bars = np.array([shape.x1 - shape.x0 for shape in figure.layout.shapes])
    is_seen = bars > 1  # a bar is at least a pixel
    assert is_seen.sum() > 1
    assert_close(bars[is_seen] * look.weights.max(), bars.max() * look.weights[is_seen])
    assert len(bars) == min(len(look.weights), MOST)


def test_a_key_that_is_hidden_has_no_score_and_no_weight() -> None:
    record = random_record(causal=True)
    hidden = {"layer": 0, "head": 0, "position": 1}
    assert f"{MINUS}∞" in numbers_of(score_sum(record, **hidden, key=3))
    assert f"{MINUS}∞" in words_of(key_list(record, **hidden))
