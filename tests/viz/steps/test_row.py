"""The picture of one token at a step: the numbers that are written and drawn are those of the walk."""

from __future__ import annotations

from typing import Literal

import numpy as np
import plotly.graph_objects as go
import pytest

from models.values.steps import LayerWalk, WhatIf
from tests.closeness import assert_close
from viz.kit.calculation import format_result, score_as_text
from viz.kit.theme import MINUS, percentage, whole_percent
from viz.kit.tokens import escape
from viz.steps.demo import demo_walk
from viz.steps.one_row import looked_at
from viz.steps.row.keys import MOST_COMPACT
from viz.steps.row.picture import row_picture
from viz.steps.row.words import row_headline

ROW = 10
POST, PRE, CAUSAL = demo_walk(), demo_walk(pre=True), demo_walk(causal=True)
WALKS = [pytest.param(walk, id=name) for name, walk in (("post", POST), ("pre", PRE), ("causal", CAUSAL))]


def words(figure: go.Figure) -> list[str]:
    return [annotation.text for annotation in figure.layout.annotations]


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize("width", [761, 358])
def test_every_step_has_a_picture_and_a_headline_of_the_followed_token(
    walk: LayerWalk, width: Literal[761, 358]
) -> None:
    for step in walk.steps:
        figure = row_picture(walk, step.name, row=ROW, width=width)
        assert figure.layout.width <= width
        assert row_headline(walk, step.name, row=ROW)
        names = " ".join(words(figure))
        assert all(escape(array.symbol) in names for array in (*step.inputs, *step.outputs))


def test_the_first_numbers_of_a_vector_are_written_as_many_as_have_room() -> None:
    step = POST.step("embeddings")
    n_arrays = len((*step.inputs, *step.outputs))
    for width, least in ((761, 5), (358, 3)):
        figure = row_picture(POST, "embeddings", row=ROW, width=width)
        written = [
            text.strip("\u2068\u2069") for text in next(trace for trace in figure.data if trace.type == "scatter").text
        ]
        n = len(written) // n_arrays
        assert n >= least
        for place, array in enumerate((*step.inputs, *step.outputs)):
            shown = [format_result(value) for value in array.values[ROW][:n]]
            assert written[place * n : (place + 1) * n] == shown
        assert words(figure).count("…") == n_arrays


def test_scores_and_weights_are_written_beside_bars_of_their_length() -> None:
    figure, step = row_picture(POST, "softmax", row=ROW), POST.step("softmax")
    scores, weights = step.inputs[0].values[ROW], step.outputs[0].values[ROW]
    assert {score_as_text(value) for value in scores} <= set(words(figure))
    assert {percentage(float(value)) for value in weights} <= set(words(figure))
    bars = np.array([shape.x1 - shape.x0 for shape in figure.layout.shapes])[len(scores) :]
    is_seen = bars > 1  # a bar is at least a pixel
    assert is_seen.sum() > 2
    assert_close(bars.max() * weights[is_seen], bars[is_seen] * weights.max())
    assert whole_percent(float(weights[looked_at(POST, ROW)])) in row_headline(POST, "softmax", row=ROW)


def test_a_hidden_token_has_no_bar_and_a_phone_shows_the_strongest() -> None:
    hidden = int(np.isneginf(CAUSAL.step("mask").outputs[0].values[3]).sum())
    assert words(row_picture(CAUSAL, "softmax", row=3)).count(f"{MINUS}∞") == hidden
    written = words(row_picture(POST, "softmax", row=ROW, width=358))
    weights = np.sort(POST.step("softmax").outputs[0].values[ROW])
    assert percentage(float(weights[-MOST_COMPACT])) in written


def test_a_change_is_marked_where_the_bars_ended_before() -> None:
    after = demo_walk(what_if=WhatIf(name="temperature", temperature=2.0))
    plain, marked = (row_picture(after, "softmax", row=ROW, before=before) for before in (None, POST))
    n_keys = len(POST.key_tokens)
    assert len(marked.layout.shapes) == len(plain.layout.shapes) + 2 * n_keys


@pytest.mark.parametrize(
    ("value", "text"), [(-7.394, "−7.39"), (-0.0039, "−0.0039"), (-0.00001, "0.0000"), (0.5, "0.50")]
)
def test_a_small_score_keeps_its_digits_and_zero_has_no_sign(value: float, text: str):
    assert score_as_text(value) == text
