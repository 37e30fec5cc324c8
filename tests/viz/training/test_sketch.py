"""A figure as SVG: the marks stand where plotly draws them, and no text of a reader becomes markup."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from models.values.record import Token, record_of_weights
from viz.attention.heatmap import attention_heatmap
from viz.kit.theme import PALETTES, Theme
from viz.training.curves import curve_figure
from viz.training.demo_curves import made_up_curves
from viz.training.sketch import sketch

HOSTILE = '</g><b>"&amp;'


def drawn(svg: str) -> ET.Element:
    """Read the SVG; a text that breaks its markup fails here."""
    return ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_map_has_a_cell_for_every_weight_in_the_colour_of_its_scale(theme: Theme) -> None:
    tokens = tuple(Token(text=text) for text in ("a", HOSTILE, "c"))
    weights = np.array([[[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]], dtype=np.float32)
    record = record_of_weights(kind="encoder", query_tokens=tokens, key_tokens=tokens, weights=[weights])
    figure = attention_heatmap(record, layer=0, head=0, theme=theme, width=400)
    svg = drawn(sketch(figure))
    n_masked = int((weights == 0).sum())
    cells = svg.findall("rect")
    assert len(cells) == weights.size
    places = {(float(cell.get("x", "")), float(cell.get("y", ""))): cell.get("fill") for cell in cells}
    columns, rows = (sorted({place[axis] for place in places}) for axis in (0, 1))
    assert places[columns[0], rows[0]] == PALETTES[theme].sequential[-1]
    assert places[columns[2], rows[2]] == PALETTES[theme].sequential[-1]
    assert list(places.values()).count(PALETTES[theme].masked) == n_masked
    assert columns[0] == pytest.approx(figure.layout.margin.l, abs=0.1)
    assert rows[0] == pytest.approx(figure.layout.margin.t, abs=0.1)
    texts = ["".join(text.itertext()) for text in svg.findall("text")]
    assert any(HOSTILE in text for text in texts)


def test_a_curve_runs_from_the_first_iteration_to_the_last_one_so_far() -> None:
    curves = made_up_curves()
    figure = curve_figure(curves, iterations=2 * int(curves["step"].iloc[-1]), measure="loss", width=400)
    svg = drawn(sketch(figure))
    _, smooth, held_out = svg.findall("polyline")
    middle = figure.layout.margin.l + (figure.layout.width - figure.layout.margin.l - figure.layout.margin.r) / 2
    assert float(smooth.get("points", "").split()[-1].split(",")[0]) == pytest.approx(middle, abs=0.1)
    assert len(held_out.get("points", "").split()) == curves["held_out_loss"].notna().sum()
    assert len(svg.findall("path")) == curves["held_out_loss"].notna().sum()


def test_a_run_that_has_just_begun_has_axes_alone() -> None:
    columns = ["step", "loss", "accuracy", "held_out_loss", "held_out_accuracy"]
    empty = pd.DataFrame({name: pd.Series(dtype="float64") for name in columns})
    svg = drawn(sketch(curve_figure(empty, iterations=250, measure="loss", width=400)))
    assert svg.findall("line")
    assert "Loss" in "".join(svg.itertext())
