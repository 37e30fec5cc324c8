"""The traces of a figure of plotly as shapes: cells, bars, lines, markers and words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.kit.theme import Colours
from viz.painter.colours import STEPS, ramp
from viz.painter.drawing import Anchor, Boxes, DrawnShape
from viz.painter.plots.axes import PlotAxis
from viz.painter.plots.marks import arrow_head, clip, line, mark, opaque
from viz.painter.plots.words import TextLook, write

Trace = Mapping[str, Any]
ANCHORS: dict[str, Anchor] = {"left": "end", "right": "start", "center": "middle"}
"""Where a word is held, by the side of its point at which it stands."""
STRIP = 2.0
"""Pixels of a strip of an area."""
UNNAMED = "#3464c5"
"""The colour of a mark that names none."""


def arrange(told: Mapping[str, Any]) -> Iterator[Trace]:
    """Yield the traces of a figure: bars of a stack begin where the one before ends, those of a group lie side by
    side."""
    mode = told["layout"].get("barmode") or "group"
    groups = Counter(_axes_of(trace) for trace in told["data"] if trace["type"] == "bar")
    reached: dict[Any, float] = {}
    before: Counter[tuple[str, str]] = Counter()
    for trace in told["data"]:
        n = groups[_axes_of(trace)]
        if trace["type"] != "bar" or mode not in {"stack", "group"} or n == 1:
            yield trace
        elif mode == "group":
            thick = (1 - (told["layout"].get("bargap") or 0.0)) / n
            lift = (before[_axes_of(trace)] - (n - 1) / 2) * thick
            before[_axes_of(trace)] += 1
            yield trace if trace.get("width") is not None else {**trace, "width": thick, "lift": lift}
        else:
            lies = trace.get("orientation") == "h"
            lengths, places = (trace["x"], trace["y"]) if lies else (trace["y"], trace["x"])
            base = [reached.get(place, 0.0) for place in places]
            reached |= {place: at + float(length) for place, at, length in zip(places, base, lengths, strict=True)}
            yield {**trace, "base": base}


def _axes_of(trace: Trace) -> tuple[str, str]:
    return str(trace.get("xaxis") or "x"), str(trace.get("yaxis") or "y")


def colour_of(trace: Trace) -> str:
    """Return the colour by which a trace is known in a legend."""
    for part in ("marker", "line"):
        colour = _nth((trace.get(part) or {}).get("color"), 0)
        if found := opaque(colour):
            return found
    return UNNAMED


def symbol_of(trace: Trace) -> str:
    """Return the marker by which a trace is known in a legend."""
    return str(_nth((trace.get("marker") or {}).get("symbol"), 0) or "circle")


def draw_trace(trace: Trace, x: PlotAxis, y: PlotAxis, writing: TextLook) -> Iterator[DrawnShape]:
    """Yield the shapes of a trace between its two axes."""
    if trace.get("visible", True) is not True:
        return
    if trace["type"] == "heatmap":
        yield from _cells(trace, x, y)
        if trace.get("texttemplate"):
            yield from _texts_of_cells(trace, x, y, writing)
    elif trace["type"] == "bar":
        yield from _bars(trace, x, y, writing)
    elif trace["type"] == "scatter":
        yield from _draw_scatter(trace, x, y, writing)


def _cells(trace: Trace, x: PlotAxis, y: PlotAxis) -> Iterator[Boxes]:
    """Yield the cells of a heatmap, those of one colour together; a NaN is a gap."""
    values = np.asarray(trace["z"], dtype=np.float64)
    steps = _colour_steps(values, trace)
    columns, rows = (_edges(axis, trace.get(axis.way), n) for axis, n in ((x, values.shape[1]), (y, values.shape[0])))
    gaps = (trace.get("xgap") or 0) / 2, (trace.get("ygap") or 0) / 2
    colours = ramp(_colours(trace["colorscale"]))
    for step in np.unique(steps[steps >= 0]).tolist():
        boxes = []
        for row, column in np.argwhere(steps == step).tolist():
            (left, right), (top, bottom) = columns[column], rows[row]
            boxes.append((left + gaps[0], top + gaps[1], right - left - 2 * gaps[0], bottom - top - 2 * gaps[1]))
        yield Boxes(fill=colours[step], boxes=boxes)


def _texts_of_cells(trace: Trace, x: PlotAxis, y: PlotAxis, writing: TextLook) -> Iterator[DrawnShape]:
    """Yield the text in the middle of every cell, in the colour that is read on it."""
    steps = _colour_steps(np.asarray(trace["z"], dtype=np.float64), trace)
    font = writing.with_font(trace.get("textfont")).at_anchor("middle")
    for (row, column), step in np.ndenumerate(steps):
        ink = font if step < STEPS // 2 else replace(font, fill="#ffffff")
        text = str(trace["text"][row][column])
        yield from write(text, x.along(column), y.along(row) + 0.35 * font.size, ink)


def _colour_steps(values: NDArray[np.float64], trace: Trace) -> NDArray[np.int64]:
    """Return the number of the colour of every value, -1 for a gap."""
    low, high = trace.get("zmin"), trace.get("zmax")
    seen = values[np.isfinite(values)]
    low = float(seen.min(initial=0)) if low is None else low
    high = float(seen.max(initial=1)) if high is None else high
    shares = np.clip((np.nan_to_num(values) - low) / ((high - low) or 1.0), 0, 1)
    steps: NDArray[np.int64] = np.round(shares * (STEPS - 1)).astype(np.int64)
    steps[~np.isfinite(values)] = -1
    return steps


def _colours(scale: Sequence[tuple[float, str]]) -> Colours:
    """Return the colours of a scale whose places are evenly apart."""
    return tuple(colour for _, colour in scale)


def _edges(axis: PlotAxis, given: Any, n: int) -> list[tuple[float, float]]:
    """Return the two pixels between which each of `n` rows or columns lies, the lower one first."""
    places = [axis.number(value) for value in (range(n) if given is None else given)]
    if len(places) == n + 1:
        pairs = list(pairwise(places))
    else:
        inner = [(first + second) / 2 for first, second in pairwise(places)]
        half = (places[1] - places[0]) / 2 if n > 1 else 0.5
        pairs = list(pairwise([places[0] - half, *inner, places[-1] + (places[-1] - inner[-1] if inner else 0.5)]))
    clipped = [tuple(_inside(axis, axis.along(place)) for place in pair) for pair in pairs]
    return [(min(pair), max(pair)) for pair in clipped]


def _inside(axis: PlotAxis, pixel: float) -> float:
    low, high = sorted(axis.pixels)
    return min(max(pixel, low), high)


def _bars(trace: Trace, x: PlotAxis, y: PlotAxis, writing: TextLook) -> Iterator[DrawnShape]:
    lies = trace.get("orientation") == "h"
    along, across = (x, y) if lies else (y, x)
    lengths, places = (trace["x"], trace["y"]) if lies else (trace["y"], trace["x"])
    marker = trace.get("marker") or {}
    font = writing.with_font(trace.get("textfont"))
    for index, (length, place) in enumerate(zip(lengths, places, strict=True)):
        base = float(_nth(trace.get("base"), index) or 0)
        if length is None or not math.isfinite(float(length)):
            continue
        half = float(_nth(trace.get("width"), index) or 0.8) / 2
        middle = across.number(place) + float(trace.get("lift") or 0)
        ends = sorted(_inside(along, along.along(value)) for value in (base, base + float(length)))
        sides = sorted(_inside(across, across.along(middle + side)) for side in (-half, half))
        left, top, right, bottom = (
            (ends[0], sides[0], ends[1], sides[1]) if lies else (sides[0], ends[0], sides[1], ends[1])
        )
        if fill := opaque(_nth(marker.get("color"), index) or UNNAMED):
            yield Boxes(fill=fill, boxes=[(left, top, right - left, bottom - top)])
        if text := _nth(trace.get("text"), index):
            if lies:
                is_left = float(length) < 0
                spot = (left - 4 if is_left else right + 4, (top + bottom) / 2 + 0.35 * font.size)
                yield from write(str(text), *spot, font.at_anchor("end" if is_left else "start"))
            else:
                yield from write(str(text), (left + right) / 2, top - 4, font.at_anchor("middle"))


def _draw_scatter(trace: Trace, x: PlotAxis, y: PlotAxis, writing: TextLook) -> Iterator[DrawnShape]:
    opacity = 1.0 if trace.get("opacity") is None else float(trace["opacity"])
    points = [(x.at(across), y.at(down)) for across, down in zip(trace["x"], trace["y"], strict=True)]
    mode = trace.get("mode") or "lines"
    if "lines" in mode:
        pen = trace.get("line") or {}
        if stroke := opaque(pen.get("color") or UNNAMED):
            path = clip(_step_corners(points) if pen.get("shape") == "hvh" else points, x.pixels, y.pixels)
            width = 2.0 if pen.get("width") is None else float(pen["width"])
            yield from line(path, stroke=stroke, width=width, opacity=opacity, dash=pen.get("dash"))
    if "markers" in mode:
        yield from _dots(trace, points, opacity)
    if "text" in mode:
        yield from _words(trace, points, writing)


def draw_band(lower: Trace, upper: Trace, x: PlotAxis, y: PlotAxis) -> Iterator[Boxes]:
    """Yield the area between two curves that have a value at the same places, in strips."""
    fill = opaque(upper.get("fillcolor"))
    left, right = x.at(upper["x"][0]), x.at(upper["x"][-1])
    if fill is None or not math.isfinite(left + right):
        return
    strips = np.arange(left, right, STRIP)
    places = [x.at(value) for value in upper["x"]]
    edges = [
        np.interp(strips + STRIP / 2, places, [_inside(y, y.at(value)) for value in trace["y"]])
        for trace in (lower, upper)
    ]
    tops, bottoms = np.minimum(*edges), np.maximum(*edges)
    parts = zip(strips.tolist(), tops.tolist(), (bottoms - tops).tolist(), strict=True)
    yield Boxes(fill=fill, boxes=[(strip, top, STRIP, tall) for strip, top, tall in parts])


def _step_corners(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a line that goes across, down half-way, and across again."""
    path = list(points[:1])
    for (left, top), (right, bottom) in pairwise(points):
        middle = (left + right) / 2
        path += [(middle, top), (middle, bottom), (right, bottom)]
    return path


def _dots(trace: Trace, points: Sequence[tuple[float, float]], opacity: float) -> Iterator[DrawnShape]:
    marker = trace.get("marker") or {}
    for index, point in enumerate(points):
        seen = _nth(marker.get("opacity"), index)
        seen = opacity if seen is None else float(seen) * opacity
        size = _nth(marker.get("size"), index)
        size = 6.0 if size is None else float(size)
        colour = _nth(marker.get("color"), index) or (trace.get("line") or {}).get("color") or UNNAMED
        fill = opaque(colour)
        if not seen or not size or fill is None or not math.isfinite(sum(point)):
            continue
        symbol, pen = str(_nth(marker.get("symbol"), index) or "circle"), marker.get("line") or {}
        width = float(_nth(pen.get("width"), index) or 0)
        if symbol == "arrow" and index:
            yield arrow_head(points[index - 1], point, fill=fill, size=size, opacity=seen)
            continue
        yield mark(point, symbol=symbol, fill=fill, size=size, width=width or 1.0, opacity=seen)
        if width and (edge := opaque(_nth(pen.get("color"), index))):
            yield mark(point, symbol=f"{symbol}-open", fill=edge, size=size, width=width, opacity=seen)


def _words(trace: Trace, points: Sequence[tuple[float, float]], writing: TextLook) -> Iterator[DrawnShape]:
    for index, (left, top) in enumerate(points):
        text = _nth(trace.get("text"), index)
        if not text or not math.isfinite(left + top):
            continue
        place = str(_nth(trace.get("textposition"), index) or "middle").split()
        font = writing.with_font(_font_of(trace.get("textfont") or {}, index))
        gap = 6.0 if "markers" in (trace.get("mode") or "") else 2.0
        side = {"left": -gap, "right": gap}.get(place[-1], 0.0)
        lift = {"top": -gap, "bottom": gap + 0.8 * font.size}.get(place[0], 0.35 * font.size)
        yield from write(str(text), left + side, top + lift, font.at_anchor(ANCHORS.get(place[-1], "middle")))


def _font_of(font: Mapping[str, Any], index: int) -> dict[str, Any]:
    return {name: _nth(font.get(name), index) for name in ("size", "color")}


def _nth(value: Any, index: int) -> Any:
    """Return what a setting is for one mark: a list has one for each."""
    if value is None or isinstance(value, str | int | float):
        return value
    return value[index] if index < len(value) else None
