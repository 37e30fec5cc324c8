"""Every cell and every point of a line is the probability that it says, and labels do not touch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.closeness import assert_at_most, assert_close
from viz.kit.demos.answers import layerwise
from viz.kit.demos.records import VOCABULARY
from viz.kit.figures.line_ends import spread
from viz.predictions.layer_answers import best_ids, layer_table
from viz.predictions.layer_predictions import answer_by_layer, layer_predictions


def test_cells_are_the_best_words_of_each_state_in_the_way_of_the_signal() -> None:
    prediction = layerwise()
    figure = layer_predictions(prediction, top_k=4)
    (cells,) = figure.data
    expected = -np.sort(-np.exp(prediction.log_probabilities), axis=1)[:, :4]
    assert_close(cells.z, expected)
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert list(figure.layout.yaxis.ticktext) == ["Embeddings", "Layer 0", "Layer 1", "Layer 2", "Layer 3"]
    low, high = figure.layout.yaxis.range
    assert low > high  # the first state on top


def test_frames_are_around_the_word_that_wins() -> None:
    prediction = layerwise()
    order = np.argsort(-prediction.log_probabilities, axis=1)[:, :5]
    expected = {(row, column) for row, column in np.ndindex(*order.shape) if order[row, column] == order[-1, 0]}
    frames = layer_predictions(prediction).layout.shapes
    assert {((frame.y0 + frame.y1) / 2, (frame.x0 + frame.x1) / 2) for frame in frames} == expected


def test_lines_are_the_probabilities_of_their_words() -> None:
    prediction = layerwise()
    asked = VOCABULARY.index("banana")
    figure = answer_by_layer(prediction, token_ids=best_ids(prediction, 3), asked=[asked])
    for line, token_id in zip(figure.data, (asked, *best_ids(prediction, 3)), strict=True):
        assert_close(line.y, np.exp(prediction.log_probabilities[:, token_id]))
    assert len({line.line.color for line in figure.data}) == 4


def test_the_table_tells_how_a_word_ends() -> None:
    prediction = layerwise()
    table = layer_table(prediction, top_k=3)
    assert len(table) == 5 * 3
    last = table[table["after"] == "Layer 3"]
    assert list(last["final_rank"]) == list(last["rank"]) == [1, 2, 3]
    for row in table.to_dict("records"):
        chances = prediction.log_probabilities[-1]
        assert row["final_rank"] == 1 + (chances > chances[VOCABULARY.index(row["piece"])]).sum()


@pytest.mark.parametrize("places", [[0, 0, 0], [99, 100, 98, 97], [50, 10, 51, 52], [5], [], [0] * 30])
def test_labels_keep_their_distance_their_order_and_their_room(places: list[float]) -> None:
    given = np.array(places, np.float64)
    placed = spread(given, distance=10, end=100)
    assert_at_most(-placed, 0, magnitude=100)
    assert_at_most(placed, 100)
    order = np.argsort(given, kind="stable")
    gaps = np.diff(placed[order])
    assert_at_most(min(10, 100 / max(len(places) - 1, 1)), gaps)


def test_labels_with_room_stay_where_they_are() -> None:
    given = np.array([80.0, 10.0, 40.0])
    assert_close(spread(given, distance=10, end=100), given)
