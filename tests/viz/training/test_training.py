"""The curves and tables of a run show its numbers, in any theme and width, while it goes on and before it begins."""

from __future__ import annotations

import numpy as np
import pytest

from lab.metrics import read_curves
from tests.closeness import assert_close
from viz.kit.theme import PALETTES
from viz.training.confusion import confusion_figure
from viz.training.curves import RIGHT, WRONG, answer_table, curve_figure, curves_of
from viz.training.demo_curves import made_up_curves


@pytest.mark.parametrize("measure", ["loss", "accuracy"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [350, 900])
def test_curves_hold_the_numbers_and_keep_their_axis(measure, theme, width) -> None:
    curves = made_up_curves(reached=90)
    figure = curve_figure(curves, iterations=400, measure=measure, theme=theme, width=width)
    raw, smooth, held_out = figure.data
    np.testing.assert_array_equal(raw.y, curves[measure])
    assert np.abs(smooth.y - raw.y).max() < np.ptp(raw.y)
    assert list(held_out.x) == [20, 40, 60, 80]
    np.testing.assert_array_equal(held_out.y, curves[f"held_out_{measure}"].dropna())
    assert tuple(figure.layout.xaxis.range) == (0, 400)
    assert figure.layout.width <= width
    assert PALETTES[theme].accent in figure.layout.annotations[0].text
    assert f"{held_out.y[-1]:.1%}" in figure.layout.annotations[0].text or measure == "loss"


def test_a_run_that_has_not_begun_has_empty_curves(tmp_path) -> None:
    figure = curve_figure(read_curves(tmp_path / "metrics.jsonl"), iterations=10, measure="loss")
    assert all(len(trace.x) == 0 for trace in figure.data)


def test_a_loss_that_runs_away_does_not_hide_the_rest() -> None:
    curves = made_up_curves(reached=300)
    curves.loc[5, "loss"] = 1e6
    assert curve_figure(curves, iterations=300, measure="loss").layout.yaxis.range[1] < 10


def test_a_run_that_learns_two_things_has_a_curve_of_each_beside_its_baseline() -> None:
    curves = made_up_curves(reached=90)
    assert curves_of(curves) == (("loss", "accuracy"),)
    for part, (loss, accuracy) in {"masked": (6.5, 0.05), "next": (np.log(2), 0.5)}.items():
        for measure, level in (("loss", loss), ("accuracy", accuracy)):
            curves[f"{part}_{measure}"] = curves[measure]
            curves[f"held_out_{part}_{measure}"] = curves[f"held_out_{measure}"]
            curves[f"held_out_{part}_{measure}_baseline"] = np.where(curves["held_out_loss"].isna(), np.nan, level)
    assert curves_of(curves) == (("masked_loss", "masked_accuracy"), ("next_loss", "next_accuracy"))
    figure = curve_figure(curves, iterations=400, measure="masked_loss")
    (line,) = figure.layout.shapes
    assert line.y0 == line.y1 == 6.5 < figure.layout.yaxis.range[1]
    assert "baseline 6.500" in figure.layout.annotations[0].text
    assert "baseline 50.0%" in curve_figure(curves, iterations=400, measure="next_accuracy").layout.annotations[0].text
    assert not curve_figure(curves, iterations=400, measure="loss").layout.shapes


@pytest.mark.parametrize("n_labels", [2, 30])
def test_a_confusion_counts_and_colours_by_the_share_of_its_row(n_labels) -> None:
    labels = [f"<b>label {n}</b>" for n in range(n_labels)]
    counts = np.random.default_rng(0).integers(0, 9, (n_labels, n_labels))
    counts[1] = 0
    figure = confusion_figure(labels, counts.tolist(), width=390)
    (heatmap,) = figure.data
    np.testing.assert_array_equal(heatmap.customdata, counts)
    assert_close(heatmap.z[0], counts[0] / counts[0].sum())
    assert not heatmap.z[1].any()
    assert "<b>" not in " ".join(figure.layout.xaxis.ticktext)
    assert figure.layout.width <= 391


def test_right_and_wrong_are_words() -> None:
    table = answer_table([("a", "a"), ("b", "c")], ("true", "said"), [True, False])
    assert list(table[""]) == [RIGHT, WRONG]
    assert list(table["said"]) == ["a", "c"]
