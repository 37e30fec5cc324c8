"""The pictures of a head made by hand: their numbers are those of the run, and the goal is marked."""

from __future__ import annotations

import numpy as np
import pytest

from models.inspection.by_hand.goals import solve, targets_of
from models.inspection.by_hand.heads import run_heads
from tests.closeness import assert_close
from viz.kit.layout import describe
from viz.kit.theme import Theme
from viz.steps.by_hand import hand_picture
from viz.steps.hand_arcs import FAINT, THICKEST, hand_arcs

LETTERS = (0, 1, 2, 0)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [350, 900])
def test_the_picture_has_the_numbers_of_the_run_and_frames_the_goal(theme: Theme, width: int) -> None:
    run = run_heads(solve("previous"), LETTERS)
    goal = targets_of("previous", LETTERS)
    figure = hand_picture(
        run.weights[0],
        run.output[0],
        tokens=run.record.query_tokens,
        letters=run.names,
        goal=goal,
        title="Mine",
        theme=theme,
        width=width,
    )
    masked, weights, output, *texts = figure.data
    seen = np.tri(5, dtype=bool)
    assert_close(weights.z[seen], run.weights[0][seen])
    assert np.isnan(weights.z[~seen]).all()
    assert np.array_equal(np.isnan(masked.z), seen)
    assert_close(output.z, run.output[0])
    assert [len(text.text) for text in texts] == [seen.sum(), run.output[0].size]
    framed = {(shape.y0 + 0.5, shape.x0 + 0.5) for shape in figure.layout.shapes}
    assert framed == {(query, key) for query, keys in goal.items() for key in keys}
    assert describe(figure).startswith("Mine. Every row sums to 1. Framed")


def test_without_a_goal_nothing_is_framed_or_said_to_be() -> None:
    run = run_heads(solve("copy"), LETTERS)
    figure = hand_picture(
        run.weights[0], run.output[0], tokens=run.record.query_tokens, letters=run.names, goal={}, title="Mine"
    )
    assert not figure.layout.shapes
    assert "Framed" not in describe(figure)


@pytest.mark.parametrize("width", [350, 560])
def test_arcs_are_as_thick_as_the_weights_and_those_of_the_goal_are_dotted(width: int) -> None:
    run, goal = run_heads(solve("previous"), LETTERS), targets_of("previous", LETTERS)
    tokens = run.record.query_tokens
    figure = hand_arcs(run.weights[0], tokens=tokens, hands_on=("", "", "A", "B", "C"), goal=goal, width=width)
    looks, wanted = ([arc for arc in figure.layout.shapes if (arc.line.dash == "dot") == dotted] for dotted in (0, 1))
    seen = run.weights[0][1:][np.tri(5, dtype=bool)[1:]]
    assert_close(np.array([arc.line.width for arc in looks]), THICKEST * seen[seen >= FAINT])
    assert len(wanted) == sum(map(len, goal.values()))
    written = [note.text.strip("\u2068\u2069") for note in figure.layout.annotations if note.xanchor == "center"]
    assert written == [*(token.text for token in tokens), "–", "–", "→ A", "→ B", "→ C"]
