"""The pictures over time draw the numbers of the history, at the iterations where they were measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plotly.graph_objects import Figure, Heatmap

from models.analysis import find_changes
from models.values.errors import SelectionError
from models.values.history import History, LossPoint, Trajectory
from tests.closeness import assert_close
from viz.kit.demos.records import PAIR
from viz.kit.theme import DARK, LIGHT, WIDE
from viz.training.over_time.answers import answers_over_time
from viz.training.over_time.axis import IterationAxis, places
from viz.training.over_time.demo import ITERATIONS, history
from viz.training.over_time.film import film_strip, picked_frame
from viz.training.over_time.growth import growth_of_answers
from viz.training.over_time.shares import picked_point, shares_over_time
from viz.training.over_time.tables import answer_table, change_table, share_table, written_table

HOSTILE = "[CLS] <b>x</b> [MASK] the the </script> [SEP]"
HEAD = {"kind": "encoder", "layer": 0, "head": 1}


@pytest.fixture(scope="module")
def read() -> History:
    return history()


def curves(read: History, **choices) -> Figure:
    return shares_over_time(read, **HEAD, **({"measure": "previous", "at": 3} | choices))


def of_one(read: History) -> History:
    return history(iterations=(0,))


# -- curves -----------------------------------------------------------------------------------------------------------


def test_steps_grow_and_begin_at_0_whether_or_not_the_first_is_0() -> None:
    placed = places(ITERATIONS)
    assert placed[0] == 0
    assert_close(placed[1], 1)
    assert (np.diff(placed) > 0).all()
    assert np.diff(places((0, 100, 200, 300, 400))).argmin() == 3
    assert_close(places((10, 55), ITERATIONS), np.log2([2, 6.5]))
    assert places((0,)).tolist() == [0]


def test_labels_of_steps_never_touch_and_the_current_one_is_there() -> None:
    for wide in (120, 240, 600):
        for at in range(len(ITERATIONS)):
            layout = IterationAxis(iterations=ITERATIONS, wide=wide).layout(at, LIGHT, WIDE)
            assert places(ITERATIONS)[at] in layout["tickvals"]
            assert sum("<b>" in text for text in layout["ticktext"]) == 1
            low, high = layout["range"]
            pixels = (np.array(layout["tickvals"]) - low) / (high - low) * wide
            assert (np.diff(pixels) > 15).all()


def test_every_head_is_a_line_with_its_shares_and_the_chosen_one_is_on_top(read: History) -> None:
    figure = curves(read, changes=find_changes(read, "encoder"))
    lines = [trace for trace in figure.data if trace.yaxis is None and trace.customdata is not None]
    shares = read.shares("encoder", "previous")
    assert len(lines) == shares[0].size
    for line in lines:
        layer, head, _ = line.customdata[0]
        np.testing.assert_array_equal(line.y, shares[:, layer, head])
        np.testing.assert_array_equal(line.x, places(read.iterations))
        assert [at for *_, at in line.customdata] == list(range(len(read.iterations)))
    assert tuple(lines[-1].customdata[0][:2]) == (0, 1)
    assert lines[-1].line.color == LIGHT.accent


def test_the_stretch_of_a_change_is_shaded_and_its_shares_stand_above_it(read: History) -> None:
    changes = find_changes(read, "encoder")
    (change,) = (one for one in changes if one.measure.name == "previous")
    figure = curves(read, changes=changes)
    (band,) = (shape for shape in figure.layout.shapes if shape.type == "rect")
    assert_close([band.x0, band.x1], places(read.iterations)[[change.start, change.end]])
    written = f"{change.start_share:.0%} → {change.end_share:.0%}"
    assert any(written in note.text for note in figure.layout.annotations)
    other = shares_over_time(read, kind="encoder", layer=0, head=0, measure="previous", at=0, changes=changes)
    assert not [shape for shape in other.layout.shapes if shape.type == "rect"]
    assert any("Layer 0 · Head 1" in note.text for note in other.layout.annotations)


def test_the_current_step_is_a_line_through_both_panels(read: History) -> None:
    for at in (0, 4):
        lines = [shape for shape in curves(read, at=at).layout.shapes if shape.type == "line"]
        assert [line.x0 for line in lines] == [places(read.iterations)[at]] * 2
        assert {line.yref for line in lines} == {"y domain", "y2 domain"}


def test_the_loss_stands_below_at_its_own_iterations(read: History) -> None:
    curve = (LossPoint(iteration=1, training=9.0), LossPoint(iteration=55, training=7.0, unseen=7.5))
    figure = curves(replace(read, trajectory=replace(read.trajectory, curve=curve)))
    below = [trace for trace in figure.data if trace.yaxis == "y2"]
    assert [list(trace.y) for trace in below] == [[9.0, 7.0], [7.5]]
    assert_close(below[0].x, places((1, 55), read.iterations))
    silent = replace(
        read.trajectory, curve=(), snapshots=tuple(replace(one, loss=None) for one in read.trajectory.snapshots)
    )
    figure = curves(replace(read, trajectory=silent))
    assert not [trace for trace in figure.data if trace.yaxis == "y2"]
    assert not figure.layout.yaxis2.visible


def test_the_other_text_is_dotted_where_it_was_measured(read: History) -> None:
    assert sum(trace.line.dash == "dot" for trace in curves(read).data) == 1
    without = history(with_unseen=False)
    assert not sum(trace.line.dash == "dot" for trace in curves(without).data)
    with pytest.raises(SelectionError):
        curves(without, unseen=True)


@pytest.mark.parametrize("width", [350, 740, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_one_snapshot_and_no_turn_are_drawn_too(width: int, theme) -> None:
    for read in (of_one(history()), history(n_layers=1, n_heads=2)):
        figure = curves(read, at=0, theme=theme, width=width)
        assert figure.layout.width <= width
        assert any(trace.line.color == (LIGHT if theme == "light" else DARK).accent for trace in figure.data)
        assert film_strip(read, **HEAD, at=0, theme=theme, width=width).layout.width <= width


# -- film -------------------------------------------------------------------------------------------------------------


def frames(figure: Figure, n_frames: int, side: int) -> list[np.ndarray]:
    """The maps of the assembled image, found by the markers in their middles."""
    (image,) = (trace for trace in figure.data if isinstance(trace, Heatmap))
    (markers,) = (trace for trace in figure.data if not isinstance(trace, Heatmap))
    assert len(markers.x) == n_frames
    return [
        image.z[round(y - (side - 1) / 2) :][:side, round(x - (side - 1) / 2) :][:, :side]
        for x, y in zip(markers.x, markers.y, strict=True)
    ]


@pytest.mark.parametrize("width", [350, 1260])
def test_every_frame_is_the_head_at_its_snapshot(read: History, width: int) -> None:
    records = read.records("encoder")
    found = frames(film_strip(read, **HEAD, at=2, width=width), len(records), records[0].n_query)
    for frame, record in zip(found, records, strict=True):
        np.testing.assert_array_equal(frame, record.weights(0, 1))


def test_a_long_text_is_pooled_and_says_so() -> None:
    read = history(iterations=(0, 5, 9), text=" ".join(["[CLS]", *["word"] * 148, "[SEP]"]))
    figure = film_strip(read, **HEAD, at=1)
    (image,) = (trace for trace in figure.data if isinstance(trace, Heatmap))
    assert np.nanmax(image.z) == max(record.weights(0, 1).max() for record in read.records("encoder"))
    assert image.z.size < 40_000
    assert any("largest of 3 × 3" in note.text.replace("<br>", " ") for note in figure.layout.annotations)


def test_a_turn_is_underlined_from_its_first_map_to_its_last(read: History) -> None:
    changes = find_changes(read, "encoder")
    (change,) = (one for one in changes if one.measure.name == "previous")
    figure = film_strip(read, **HEAD, at=0, measure="previous", changes=changes)
    bars = [shape for shape in figure.layout.shapes if shape.type == "line"]
    assert len(bars) == change.end - change.start + 1
    caption = " ".join(note.text.replace("<br>", " ") for note in figure.layout.annotations)
    assert change.sentence in caption
    assert f"{read.shares('encoder', 'previous')[2, 0, 1]:.0%}" in caption


@pytest.mark.parametrize(
    "told", [None, {}, {"selection": {"points": []}}, {"selection": {"points": [{"customdata": ["x", 1, -1]}]}}, 3]
)
def test_what_a_browser_sends_is_not_trusted(told) -> None:
    assert picked_point(told) is None
    assert picked_frame(told) is None


def test_a_click_names_head_and_snapshot() -> None:
    assert picked_point({"selection": {"points": [{"customdata": [1, 2, 3]}]}}) == (1, 2, 3)
    assert picked_frame({"selection": {"points": [{"customdata": [4]}]}}) == 4


# -- words ------------------------------------------------------------------------------------------------------------


def test_answers_are_the_likeliest_of_every_snapshot(read: History) -> None:
    figure = answers_over_time(read, at=3, top_k=3)
    (cells,) = figure.data
    assert cells.z.shape == (len(ITERATIONS), 3)
    for row, reading in zip(cells.z, read.readings, strict=True):
        assert reading.answer is not None
        assert_close(row, [choice.probability for choice in reading.answer.best(0, 3)])
    framed = [shape.y0 for shape in figure.layout.shapes if shape.type == "rect"]
    assert_close(max(framed), len(ITERATIONS) - 1.47)


def test_lines_follow_the_last_answers_from_the_first_snapshot_on_and_the_hidden_word(read: History) -> None:
    vocabulary = read.readings[0].answer.vocabulary
    banana = vocabulary.index("banana")
    figure = growth_of_answers(read, at=2, asked=(banana,))
    chances = np.exp([reading.answer.log_probabilities[0] for reading in read.readings])
    assert_close(figure.data[0].y, chances[:, banana])
    assert figure.data[0].line.color == LIGHT.accent
    winner = chances[-1].argmax()
    assert_close(figure.data[1].y, chances[:, winner])


def test_answers_that_tell_of_few_tokens_leave_gaps(read: History) -> None:
    readings = []
    for at, reading in enumerate(read.readings):
        kept = [at % 3, 5, 7]
        answer = reading.answer
        few = replace(
            answer,
            question="next",
            log_probabilities=answer.log_probabilities[:, kept].copy(),
            vocabulary=tuple(answer.vocabulary[one] for one in kept),
        )
        readings.append(replace(reading, answer=few))
    told = replace(read, readings=tuple(readings))
    figure = growth_of_answers(told, at=1)
    gaps = [np.isnan(line.y).sum() for line in figure.data]
    assert sorted(gaps) == [0, 0, len(ITERATIONS) - 3]
    assert "gap" in " ".join(note.text for note in figure.layout.annotations)
    assert answers_over_time(told, at=1, top_k=3).data[0].z.min() > 0


def test_strangers_words_are_escaped_everywhere() -> None:
    read = history(text=HOSTILE)
    for figure in (answers_over_time(read, at=0), growth_of_answers(read, at=0), film_strip(read, **HEAD, at=0)):
        for text in ("<b>bold", "</script>", "<b>x"):
            assert text not in figure.to_json()


def test_a_question_that_is_not_there_is_refused(read: History) -> None:
    for draw in (answers_over_time, growth_of_answers):
        with pytest.raises(SelectionError):
            draw(read, which=1, at=0)
        with pytest.raises(SelectionError):
            draw(history(text=PAIR), at=0)


# -- tables -----------------------------------------------------------------------------------------------------------


def test_tables_hold_every_number(read: History) -> None:
    table = share_table(read, kind="encoder")
    assert len(table) == len(ITERATIONS) * 8
    one = table[(table.step == 50) & (table.layer == 0) & (table["head"] == 1)].iloc[0]
    assert one.previous == read.shares("encoder", "previous")[3, 0, 1]
    assert one.unseen_next == read.shares("encoder", "next", unseen=True)[3, 0, 1]
    assert one.loss == read.snapshots[3].loss
    answers = answer_table(read, top_k=4)
    assert len(answers) == 4 * len(ITERATIONS)
    assert answers.groupby("step").probability.is_monotonic_decreasing.all()
    assert len(change_table(find_changes(read, "encoder"))) == len(find_changes(read, "encoder"))
    assert list(written_table(read).step) == list(ITERATIONS)
    assert answer_table(history(text=PAIR), top_k=4).empty


def test_a_run_whose_heads_do_not_change_has_an_empty_table() -> None:
    read = history(iterations=(0,))
    assert change_table(find_changes(read, "encoder")).empty
    assert isinstance(read.trajectory, Trajectory)
