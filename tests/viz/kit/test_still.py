"""A figure is seen where no script runs: the picture that a notebook stores beside it says what plotly shows."""

from __future__ import annotations

import base64
import io
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import numpy as np
import PIL.Image
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from tests.closeness import assert_at_most, assert_close
from viz import attention_heatmap, query_bands
from viz.attention.overview import overview
from viz.kit.demos.records import plausible_record, random_record, tokens_of
from viz.kit.figures.still import Figure
from viz.kit.layout import describe
from viz.kit.theme import PALETTES
from viz.painter.colours import STEPS, ramp
from viz.painter.drawing import BezierCurve, Boxes, Drawing, Label, Strokes
from viz.painter.output import LARGEST_SVG
from viz.painter.plots.figure import draw_figure
from viz.painter.plots.marks import clip, opaque
from viz.painter.png import png_of
from viz.painter.svg import svg_of

LAYOUT = {"width": 400, "height": 300, "margin": {"l": 100, "r": 100, "t": 50, "b": 50}}
"""A plot of 200 × 200 pixels, from (100, 50) to (300, 250)."""


@pytest.fixture(params=["heatmap", "overview", "bands"])
def figure(request: pytest.FixtureRequest) -> go.Figure:
    record = plausible_record()
    return {
        "heatmap": lambda: attention_heatmap(record, layer=0, head=3),
        "overview": lambda: overview(record, selected=(0, 3)),
        "bands": lambda: query_bands(record, layer=0, head=3, position=2),
    }[request.param]()


def labels_of(drawing: Drawing) -> list[Label]:
    return [shape for shape in drawing.shapes if isinstance(shape, Label)]


def boxes_of(drawing: Drawing) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    for shape in drawing.shapes:
        if isinstance(shape, Boxes):
            yield from ((shape.fill, box) for box in shape.boxes)


def colour_at(drawing: Drawing, x: float, y: float) -> str:
    """The colour of a point, of what is drawn last."""
    inside = [
        fill for fill, (left, top, wide, tall) in boxes_of(drawing) if 0 <= x - left <= wide and 0 <= y - top <= tall
    ]
    return inside[-1]


def test_a_notebook_stores_the_picture_beside_the_figure(figure: go.Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pio.renderers, "default", "plotly_mimetype")
    outputs = figure._repr_mimebundle_()
    (kind,) = outputs.keys() - {"application/vnd.plotly.v1+json"}
    if kind == "image/svg+xml":
        assert ET.fromstring(outputs[kind]).tag.endswith("svg")
    else:
        assert base64.b64decode(outputs["image/png"]).startswith(b"\x89PNG")
    assert len(outputs[kind].encode()) < LARGEST_SVG


def test_where_plotly_opens_a_window_there_is_no_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pio.renderers, "default", "browser")
    assert attention_heatmap(plausible_record(), layer=0, head=3)._repr_mimebundle_() == {}


def test_every_word_around_a_figure_is_in_its_picture(figure: go.Figure) -> None:
    drawing = draw_figure(figure)
    written = " ".join(label.text for label in labels_of(drawing))
    for word in describe(figure).replace(". ", " ").rstrip(".").split():
        assert word.strip(".,") in written
    assert drawing.description == describe(figure)


def test_the_cells_of_a_map_have_the_colours_of_its_weights() -> None:
    record = random_record(n_layers=1, n_heads=1, tokens=tokens_of("a b c d"))
    figure = attention_heatmap(record, layer=0, head=0)
    drawing, weights = draw_figure(figure), record.weights(0, 0)
    colours = ramp(PALETTES["light"].sequential)
    n_query, n_key = weights.shape
    margin = figure.layout.margin
    wide, tall = (figure.layout.width - margin.l - margin.r), (figure.layout.height - margin.t - margin.b)
    for row, column in np.ndindex(n_query, n_key):
        x, y = margin.l + (column + 0.5) / n_key * wide, margin.t + (row + 0.5) / n_query * tall
        assert colour_at(drawing, x, y) == colours[round(float(weights[row, column]) * (STEPS - 1))]


def test_the_label_of_a_row_stands_in_its_middle() -> None:
    figure = attention_heatmap(random_record(tokens=tokens_of("a bb c d")), layer=0, head=0)
    margin, tall = figure.layout.margin, figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    (label,) = (
        one for one in labels_of(draw_figure(figure)) if one.text.strip("\u2068\u2069") == "bb" and not one.angle
    )
    assert_close(label.y - 0.35 * label.size, margin.t + 1.5 / 4 * tall)
    assert label.anchor == "end"
    assert label.x < margin.l


def test_bars_end_at_their_numbers_and_those_of_a_stack_follow_each_other() -> None:
    bars = [
        go.Bar(x=[part], y=["all"], orientation="h", marker={"color": colour})
        for part, colour in ((0.25, "#111111"), (0.5, "#222222"))
    ]
    figure = Figure(bars, {**LAYOUT, "barmode": "stack", "xaxis": {"range": [0, 1]}})
    first, second = (box for _, box in boxes_of(draw_figure(figure)))
    assert_close(np.array([first[0], first[2], second[0], second[2]]), np.array([100.0, 50.0, 150.0, 100.0]))


def test_bars_of_a_group_lie_side_by_side() -> None:
    bars = [go.Bar(x=["all"], y=[1.0], marker={"color": colour}) for colour in ("#111111", "#222222")]
    first, second = (box for _, box in boxes_of(draw_figure(Figure(bars, LAYOUT))))
    assert_at_most(first[0] + first[2], second[0])


def test_a_line_is_drawn_between_its_axes_and_no_further() -> None:
    curve = go.Scatter(x=[0, 1, 2], y=[0.5, 2.0, 0.5], mode="lines", line={"color": "#123456"})
    figure = Figure([curve], {**LAYOUT, "xaxis": {"range": [0, 2]}, "yaxis": {"range": [0, 1]}})
    (line,) = (
        shape for shape in draw_figure(figure).shapes if isinstance(shape, Strokes) and shape.stroke == "#123456"
    )
    ys = [y for path in line.paths for _, y in path]
    assert len(line.paths) == 2
    assert_close(np.array([min(ys), max(ys)]), np.array([50.0, 150.0]))


@pytest.mark.parametrize("end", [(3.0, 1.0), (1.0, 3.0), (-3.0, 0.0), (0.0, -3.0), (3.0, 3.0)])
def test_what_is_left_of_a_clipped_line_lies_on_it_and_inside(end: tuple[float, float]) -> None:
    (_, last, *_) = clip([(0.5, 0.5), end], (0, 2), (0, 2))
    assert max(last) <= 2
    assert min(last) >= 0
    assert 0 in last or 2 in last
    angles = [math.atan2(point[1] - 0.5, point[0] - 0.5) for point in (last, end)]
    assert_close(np.array(angles[:1]), np.array(angles[1:]))


def test_a_line_beside_the_plot_is_not_drawn() -> None:
    assert not any(math.isfinite(sum(point)) for point in clip([(3.0, 0.0), (3.0, 1.0), (4.0, 9.0)], (0, 2), (0, 2)))


def test_a_curve_of_a_layout_is_the_same_curve() -> None:
    shape = {"type": "path", "path": "M 0,0 C 0,1 1,1 1,0", "line": {"color": "#112233", "width": 3}, "opacity": 0.5}
    figure = Figure([], {**LAYOUT, "shapes": [shape], "xaxis": {"range": [0, 1]}, "yaxis": {"range": [1, 0]}})
    (curve,) = (one for one in draw_figure(figure).shapes if isinstance(one, BezierCurve))
    assert (curve.start, *curve.pulls, curve.end) == ((100, 50), (100, 250), (300, 250), (300, 50))


def test_an_arrow_and_the_parts_of_a_text_keep_their_looks() -> None:
    text = '<span style="color:#ff0000"><b>one</b></span> two<br>three'
    note = {"text": text, "x": 0, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "showarrow": False}
    one, two, three = labels_of(
        draw_figure(
            Figure([], {**LAYOUT, "annotations": [note], "xaxis": {"visible": False}, "yaxis": {"visible": False}})
        )
    )
    assert (one.text, one.fill, one.bold) == ("one", "#ff0000", True)
    assert (two.text, two.bold, two.y) == (" two", False, one.y)
    assert two.fill != one.fill
    assert two.x > one.x
    assert three.y > one.y


@pytest.mark.parametrize(
    ("symbol", "middle", "beside", "corner"),
    [
        ("circle", True, True, False),
        ("circle-open", False, False, False),
        ("square", True, True, True),
        ("square-open", False, False, False),
        ("diamond", True, False, False),
        ("diamond-open", False, False, False),
    ],
)
def test_a_marker_has_its_shape(symbol: str, middle: bool, beside: bool, corner: bool) -> None:
    marker = {"symbol": symbol, "size": 100, "color": "#ff0000", "line": {"width": 4}}
    figure = go.Figure(go.Scatter(x=[0], y=[0], mode="markers", marker=marker))
    figure.update_layout(LAYOUT, xaxis={"range": [-1, 1], "visible": False}, yaxis={"range": [-1, 1], "visible": False})
    image = PIL.Image.open(io.BytesIO(png_of(draw_figure(figure), dots=1))).convert("RGB")

    def is_red(right: int, down: int) -> bool:
        return image.getpixel((200 + right, 150 + down))[1] < 100

    assert is_red(49, 0) or symbol == "diamond"  # its tip is thin
    assert not is_red(56, 0)
    assert (is_red(0, 0), is_red(30, -30), is_red(44, 44)) == (middle, beside, corner)


def test_a_marker_has_the_edge_that_it_is_given() -> None:
    marker = {"size": 18, "color": "#ff0000", "line": {"width": 2, "color": "#0000ff"}}
    drawing = draw_figure(go.Figure(go.Scatter(x=[0], y=[0], mode="markers", marker=marker)))
    inside, edge = (shape for shape in drawing.shapes if isinstance(shape, Strokes) and shape.stroke[3:5] == "00")
    assert (inside.stroke, inside.width, edge.stroke, edge.width) == ("#ff0000", 18, "#0000ff", 2)


def test_an_arrow_points_away_from_the_point_before_it() -> None:
    marker = {"symbol": "arrow", "angleref": "previous", "size": [0, 10], "color": "#ff0000"}
    figure = go.Figure(go.Scatter(x=[0, 1], y=[0, 0], mode="lines+markers", marker=marker, line={"color": "#0000ff"}))
    (head,) = (shape for shape in draw_figure(figure).shapes if getattr(shape, "stroke", "") == "#ff0000")
    tip = max(point[0] for path in head.paths for point in path)
    assert all(path[0][0] == tip for path in head.paths)
    assert_close(min(path[-1][0] for path in head.paths), tip - 10)


def test_no_text_becomes_markup() -> None:
    hostile = "<b>&\"'</b>"
    figure = attention_heatmap(random_record(tokens=tokens_of(f"a {hostile} b")), layer=0, head=0)
    svg = svg_of(draw_figure(figure))
    names = {re.sub(r"\{.*\}", "", part.tag) for part in ET.fromstring(svg).iter()}
    assert names <= {"g", "svg", "title", "desc", "rect", "path", "text"}
    assert any(hostile in label.text for label in labels_of(draw_figure(figure)))


@pytest.mark.parametrize(
    ("colour", "seen"),
    [("#abc", "#aabbcc"), ("rgba(0,0,0,0)", None), ("rgba(0,0,0,0.5)", "#808080"), ("transparent", None), (None, None)],
)
def test_a_colour_is_one_of_css_or_none(colour: str | None, seen: str | None) -> None:
    assert opaque(colour) == seen
