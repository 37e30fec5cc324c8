"""A figure of plotly as a drawing of the same size: its axes, its traces, and what is written around them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import plotly.graph_objects as go

from viz.kit.layout import describe
from viz.painter.colours import STEPS, ramp
from viz.painter.drawing import Anchor, BezierCurve, Boxes, Drawing, DrawnShape, Point, text_width
from viz.painter.plots.axes import AxisWay, PlotAxis, draw_axis, format_number, make_axis
from viz.painter.plots.marks import line, mark, opaque
from viz.painter.plots.packed import parts_of
from viz.painter.plots.traces import UNNAMED, arrange, colour_of, draw_band, draw_trace, symbol_of
from viz.painter.plots.words import LEADING, TextLook, plain_lines, write

WIDTH, HEIGHT = 700.0, 450.0
"""Pixels of a figure that says no size."""
ROOM = {"l": 80.0, "r": 80.0, "t": 100.0, "b": 80.0}
"""Plotly's own margins."""
SEAM = 0.6
"""By how much one colour of a bar reaches over the next one, so that nothing shines through."""
GROUND = "#ffffff"
DARK_GROUND = "#14171f"
BRIGHT = 0x80
NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")
ANCHORS: dict[str, Anchor] = {"left": "start", "right": "end", "center": "middle"}


class _PlotFrame:
    """The rectangle inside the margins of a figure, and its axes by name."""

    def __init__(self, figure: Mapping[str, Any]) -> None:
        layout = figure["layout"]
        self.layout = layout
        self.width, self.height = float(layout.get("width") or WIDTH), float(layout.get("height") or HEIGHT)
        given = layout.get("margin") or {}
        margin = {side: float(room if given.get(side) is None else given[side]) for side, room in ROOM.items()}
        self.left, self.right = margin["l"], self.width - margin["r"]
        self.top, self.bottom = margin["t"], self.height - margin["b"]
        self.axes = {name: self._axis(name, figure["data"]) for name in self._names(figure["data"])}

    def _names(self, traces: Any) -> list[str]:
        used = {str(trace.get(f"{way}axis") or way) for trace in traces for way in "xy"}
        return sorted(used | {key.replace("axis", "") for key in self.layout if key[1:5] == "axis"} | {"x", "y"})

    def _axis(self, name: str, traces: Any) -> PlotAxis:
        way: AxisWay = "x" if name[0] == "x" else "y"
        settings = self.layout.get(f"{way}axis{name[1:]}") or {}
        plot = (self.left, self.right) if way == "x" else (self.bottom, self.top)
        drawn = [trace for trace in traces if (trace.get(f"{way}axis") or way) == name]
        values = list(chain(*(_along(trace, way) for trace in drawn)))
        has_cells = any(trace["type"] == "heatmap" for trace in drawn)
        return make_axis(way, settings, values, plot=plot, has_cells=has_cells)

    def across(self, axis: PlotAxis) -> PlotAxis:
        """Return the axis that a plot has beside another."""
        other = "y" if axis.way == "x" else "x"
        return self.axes.get(axis.settings.get("anchor") or other) or self.axes[other]

    def axes_of(self, trace: Mapping[str, Any]) -> tuple[PlotAxis, PlotAxis]:
        """Return the two axes of a trace."""
        return self.axes[trace.get("xaxis") or "x"], self.axes[trace.get("yaxis") or "y"]

    def at(self, place: Mapping[str, Any], way: AxisWay, key: str) -> float:
        """Return where a coordinate of an annotation or of a shape lies, in pixels."""
        reference, value = str(place.get(f"{way}ref") or way), place.get(key)
        value = 0.5 if value is None else value
        ends = (self.left, self.right) if way == "x" else (self.bottom, self.top)
        if reference == "container":
            ends = (0.0, self.width) if way == "x" else (self.height, 0.0)
        elif reference != "paper":
            axis = self.axes[reference.split(maxsplit=1)[0]]
            if not reference.endswith(" domain"):
                return axis.at(value)
            ends = axis.pixels
        return ends[0] + float(value) * (ends[1] - ends[0])


def draw_figure(figure: go.Figure) -> Drawing:
    """Return a figure of this library as a drawing; what plotly shows beyond that at a pointer's touch is not in it."""
    told = parts_of(figure)
    plot = _PlotFrame(told)
    font = plot.layout.get("font") or {}
    ink = opaque(font.get("color")) or "#1a1d24"
    writing = TextLook(size=float(font.get("size") or 12), fill=ink)
    shapes = plot.layout.get("shapes") or ()
    title = plot.layout.get("title") or {}
    drawn: list[DrawnShape] = [
        *chain.from_iterable(_shape(shape, plot) for shape in shapes if shape.get("layer") == "below"),
        *chain.from_iterable(draw_axis(axis, plot.across(axis), writing) for axis in plot.axes.values()),
        *_bands(told["data"], plot),
        *chain.from_iterable(_trace(trace, plot, writing) for trace in arrange(told)),
        *chain.from_iterable(_shape(shape, plot) for shape in shapes if shape.get("layer") != "below"),
        *chain.from_iterable(_annotation(one, plot, writing) for one in plot.layout.get("annotations") or ()),
        *_title(title, writing),
        *_legend(told, plot, writing),
    ]
    return Drawing(
        width=plot.width,
        height=plot.height,
        ground=DARK_GROUND if int(ink[1:3], 16) > BRIGHT else GROUND,
        shapes=tuple(drawn),
        title=" ".join(plain_lines(title.get("text") or "")),
        description=describe(figure),
    )


def _along(trace: Mapping[str, Any], way: AxisWay) -> list[Any]:
    """Return the values of a trace along an axis; those of a heatmap without any count from 0."""
    values = trace.get(way)
    if values is None and trace["type"] == "heatmap":
        values = range(len(trace["z"]) if way == "y" else len(trace["z"][0]))
    ends = list(values if values is not None else ())
    if trace["type"] == "bar" and (trace.get("orientation") == "h") == (way == "x"):
        ends.append(0.0)
    return ends


def _bands(traces: Sequence[Mapping[str, Any]], plot: _PlotFrame) -> Iterator[DrawnShape]:
    """Yield the areas between a trace and the one before it."""
    for lower, upper in pairwise(traces):
        if upper.get("fill") == "tonexty":
            yield from draw_band(
                lower, upper, plot.axes[upper.get("xaxis") or "x"], plot.axes[upper.get("yaxis") or "y"]
            )


def _trace(trace: Mapping[str, Any], plot: _PlotFrame, writing: TextLook) -> Iterator[DrawnShape]:
    yield from draw_trace(trace, *plot.axes_of(trace), writing)
    bar = trace.get("colorbar")
    if trace["type"] == "heatmap" and trace.get("showscale") is not False and bar:
        yield from _colour_bar(trace, bar, plot, writing)


def _colour_bar(
    trace: Mapping[str, Any], bar: Mapping[str, Any], plot: _PlotFrame, writing: TextLook
) -> Iterator[DrawnShape]:
    """Yield the colours of a heatmap from its smallest to its largest number, which stand at the ends."""
    thick, lies = float(bar.get("thickness") or 16), bar.get("orientation") == "h"
    pad = 0.0 if bar.get("xpad") is None else float(bar["xpad"])
    wide, tall = plot.right - plot.left, plot.bottom - plot.top
    whole = wide if lies else tall
    length = min(float(bar["len"]) if bar.get("lenmode") == "pixels" else whole * float(bar.get("len") or 1), whole)
    left = plot.left + float(bar.get("x", 0.0 if lies else 1.0)) * wide + pad
    top = plot.bottom - float(bar.get("y", 1)) * tall
    if bar.get("yref") == "container":
        top = plot.height - thick - 2.4 * writing.size
    for step, colour in enumerate(ramp(tuple(colour for _, colour in trace["colorscale"]))):
        start = length * step / STEPS
        part = length / STEPS + SEAM
        box = (left + start, top, part, thick) if lies else (left, top + length - start - part, thick, part)
        yield Boxes(fill=colour, boxes=[box])
    font = writing.with_font(bar.get("tickfont"))
    yield from _ends_of_bar(trace, bar, (left, top, length, thick), font)
    if not lies and (text := (bar.get("title") or {}).get("text")):
        x, y = left + thick + 3.4 * font.size, top + length / 2
        yield from write(text.strip(), x, y, font.at_anchor("middle"), angle=90)


def _ends_of_bar(
    trace: Mapping[str, Any], bar: Mapping[str, Any], place: tuple[float, float, float, float], font: TextLook
) -> Iterator[DrawnShape]:
    left, top, length, thick = place
    low, high = trace.get("zmin"), trace.get("zmax")
    if low is None or high is None:
        return
    values = [float(low), float(high)]
    texts = [format_number(value, bar.get("tickformat") or ".3g") for value in values]
    if bar.get("tickvals") is not None and bar.get("ticktext") is not None:
        values, texts = [float(value) for value in bar["tickvals"]], [str(text) for text in bar["ticktext"]]
    for value, text in zip(values, texts, strict=True):
        share = (value - float(low)) / ((float(high) - float(low)) or 1.0)
        if bar.get("orientation") == "h":
            yield from write(text, left + share * length, top + thick + 1.1 * font.size, font.at_anchor("middle"))
        else:
            yield from write(text, left + thick + 4, top + (1 - share) * length + 0.35 * font.size, font)


def _shape(shape: Mapping[str, Any], plot: _PlotFrame) -> Iterator[DrawnShape]:
    """Yield a line, a rectangle or a curve of a layout."""
    if shape.get("type") == "path":
        yield from _curve(shape, plot)
        return
    left, right = plot.at(shape, "x", "x0"), plot.at(shape, "x", "x1")
    top, bottom = plot.at(shape, "y", "y0"), plot.at(shape, "y", "y1")
    if shape["type"] == "rect" and (fill := opaque(shape.get("fillcolor"))):
        box = (min(left, right), min(top, bottom), abs(right - left), abs(bottom - top))
        yield Boxes(fill=fill, boxes=[box])
    pen = shape.get("line") or {}
    stroke, width = opaque(pen.get("color")), 2.0 if pen.get("width") is None else float(pen["width"])
    if stroke and width:
        corners: list[Point] = [(left, top), (right, bottom)]
        if shape["type"] == "rect":
            corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        yield from line(corners, stroke=stroke, width=width, dash=pen.get("dash"))


def _curve(shape: Mapping[str, Any], plot: _PlotFrame) -> Iterator[DrawnShape]:
    """Yield a Bézier curve, "M x,y C x,y x,y x,y": the one path that our figures draw."""
    x, y = plot.axes[shape.get("xref") or "x"], plot.axes[shape.get("yref") or "y"]
    numbers = [float(number) for number in NUMBER.findall(shape["path"])]
    start, first, second, end = (
        (x.along(left), y.along(top)) for left, top in zip(numbers[::2], numbers[1::2], strict=True)
    )
    pen = shape["line"]
    yield BezierCurve(
        start=start,
        pulls=(first, second),
        end=end,
        stroke=opaque(pen["color"]) or UNNAMED,
        width=float(pen["width"]),
        opacity=float(shape.get("opacity") or 1),
    )


def _annotation(given: Mapping[str, Any], plot: _PlotFrame, writing: TextLook) -> Iterator[DrawnShape]:
    """Yield the lines of a text where plotly puts them; with an arrow, from the text to its point."""
    font = writing.with_font(given.get("font"))
    x = plot.at(given, "x", "x") + float(given.get("xshift") or 0)
    y = plot.at(given, "y", "y") - float(given.get("yshift") or 0)
    if not math.isfinite(x + y) or not given.get("text"):
        return
    if given.get("showarrow") is not False:
        point = (x, y)
        x, y = x + float(given.get("ax") or 0), y + float(given.get("ay") or 0)
        stroke = opaque(given.get("arrowcolor")) or font.fill
        yield from line([(x, y), point], stroke=stroke, width=float(given.get("arrowwidth") or 1))
    lines = plain_lines(given["text"])
    tall = LEADING * font.size * len(lines)
    above = {"top": 0.0, "bottom": tall}.get(_side(given, "y", ("bottom", "middle", "top")), tall / 2)
    anchor = ANCHORS[_side(given, "x", ("left", "center", "right"))]
    y += font.size - above
    yield from write(given["text"], x, y, font.at_anchor(anchor), angle=float(given.get("textangle") or 0))


def _side(given: Mapping[str, Any], way: AxisWay, sides: tuple[str, str, str]) -> str:
    """Return by what side a text is held: where plotly chooses, by that at whose edge of the figure it stands."""
    side = given.get(f"{way}anchor") or "auto"
    if side != "auto":
        return str(side)
    if given.get(f"{way}ref") != "paper" or given.get("showarrow") is not False:
        return sides[1]
    value = float(given.get(way) or 0)
    return sides[0] if value <= 1 / 3 else sides[2] if value >= 2 / 3 else sides[1]


def _title(title: Mapping[str, Any], writing: TextLook) -> Iterator[DrawnShape]:
    if text := title.get("text"):
        font, pad = writing.with_font(title.get("font")), title.get("pad") or {}
        yield from write(text, float(pad.get("l") or 0), float(pad.get("t") or 0) + font.size, font)


def _legend(told: Mapping[str, Any], plot: _PlotFrame, writing: TextLook) -> Iterator[DrawnShape]:
    """Yield the names of the traces with their colours, in a line above the plot, or in two."""
    if plot.layout.get("showlegend") is not True:
        return
    named = [trace for trace in told["data"] if trace.get("name") and trace.get("showlegend") is not False]
    font = writing.with_font((plot.layout.get("legend") or {}).get("font"))
    x, y = plot.left, plot.top - 2.2 * font.size
    for trace in named:
        (name,) = plain_lines(trace["name"])[:1]
        wide = text_width(name, font.size) + 2.4 * font.size
        if x + wide > plot.width and x > plot.left:
            x, y = plot.left, y + LEADING * font.size
        place, size = (x + 0.4 * font.size, y - 0.35 * font.size), 0.6 * font.size
        yield mark(place, symbol=symbol_of(trace), fill=colour_of(trace), size=size)
        yield from write(name, x + font.size, y, font)
        x += wide
