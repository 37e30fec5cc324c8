"""The axes of a figure of plotly: where a value lies in pixels, and what stands beside an axis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from viz.kit.theme import MINUS
from viz.painter.drawing import DrawnShape, Label, Strokes, text_width
from viz.painter.plots.marks import line, opaque
from viz.painter.plots.words import TextLook, write

AxisWay = Literal["x", "y"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotAxis:
    """One axis: its settings, the pixels at the ends of its domain, the values there, and its categories by name."""

    way: AxisWay
    settings: Mapping[str, Any]
    pixels: tuple[float, float]
    values: tuple[float, float]
    categories: Mapping[str, int]

    def number(self, value: Any) -> float:
        """Return a value as a number along the axis; NaN for a gap."""
        if self.categories and (place := self.categories.get(str(value))) is not None:
            return float(place)
        if isinstance(value, str):
            return math.nan
        number = math.nan if value is None else float(value)
        return math.log10(number) if self.settings.get("type") == "log" and number > 0 else number

    def at(self, value: Any) -> float:
        """Return where a value lies, in pixels."""
        return self.along(self.number(value))

    def along(self, number: float) -> float:
        """Return where a number of `number` lies, in pixels."""
        (first, last), (low, high) = self.pixels, self.values
        return first + (number - low) / ((high - low) or 1.0) * (last - first)


def make_axis(
    way: AxisWay, settings: Mapping[str, Any], given: Sequence[Any], *, plot: tuple[float, float], has_cells: bool
) -> PlotAxis:
    """Return an axis between the two pixels of `plot`; `given` are the values of all traces along it, which are the
    middles of cells if it `has_cells`."""
    start, end = settings.get("domain") or (0.0, 1.0)
    edge, length = plot[0], plot[1] - plot[0]
    pixels = (edge + start * length, edge + end * length)
    names = settings.get("categoryarray")
    if names is None and (settings.get("type") == "category" or any(isinstance(value, str) for value in given)):
        names = list(dict.fromkeys(given))
    categories = {str(name): place for place, name in enumerate(names if names is not None else ())}
    axis = PlotAxis(way=way, settings=settings, pixels=pixels, values=(0.0, 1.0), categories=categories)
    low, high = settings.get("range") or _range(axis, given, has_cells=has_cells)
    return replace(axis, values=(float(low), float(high)))


def _range(axis: PlotAxis, given: Sequence[Any], *, has_cells: bool) -> tuple[float, float]:
    """Return the values at the ends of an axis that has no range of its own."""
    numbers = [number for number in map(axis.number, given) if not math.isnan(number)]
    if not numbers:
        return 0.0, 1.0
    low, high = min(numbers), max(numbers)
    room = 0.5 if axis.categories or has_cells else 0.05 * ((high - low) or 1.0)
    ends = (low - room, high + room)
    return ends[::-1] if axis.settings.get("autorange") == "reversed" else ends


def draw_axis(axis: PlotAxis, across: PlotAxis, writing: TextLook) -> Iterator[DrawnShape]:
    """Yield the grid of an axis, the labels beside it, and its title. `across` is the other axis of the plot."""
    settings = axis.settings
    if settings.get("visible") is False:
        return
    ticks = list(_ticks(axis))
    yield from _grid(axis, across, [place for place, _ in ticks])
    reach = 0.0
    if settings.get("showticklabels") is not False:
        font = writing.with_font(settings.get("tickfont"))
        reach = max((text_width(label, font.size) for _, label in ticks), default=0.0)
        yield from _labels(axis, across, ticks, font)
    if text := (settings.get("title") or {}).get("text"):
        yield from _title(axis, across, text, reach, writing.with_font(settings["title"].get("font")))


def _grid(axis: PlotAxis, across: PlotAxis, places: Sequence[float]) -> Iterator[Strokes]:
    settings = axis.settings
    drawn = [(place, opaque(settings.get("gridcolor")), settings.get("griddash")) for place in places]
    if settings.get("showgrid") is False:
        drawn = []
    if settings.get("zeroline") is not False and min(axis.values) <= 0 <= max(axis.values):
        drawn.append((axis.along(0), opaque(settings.get("zerolinecolor")), None))
    for place, colour, dash in drawn:
        ends = [(place, edge) if axis.way == "x" else (edge, place) for edge in across.pixels]
        if colour is not None:
            yield from line(ends, stroke=colour, width=1.0, dash=dash)


def _labels(axis: PlotAxis, across: PlotAxis, ticks: Sequence[tuple[float, str]], writing: TextLook) -> Iterator[Label]:
    gap = 4.0 + (axis.settings.get("ticklabelstandoff") or 0)
    side = axis.settings.get("side")
    edge, outwards = _edge(axis, across)
    for place, label in ticks:
        if axis.way == "y":
            right = side == "right"
            spot = (edge + (gap if right else -gap), place + 0.35 * writing.size)
            yield from write(label, *spot, writing.at_anchor("start" if right else "end"))
        elif angle := axis.settings.get("tickangle"):
            spot = (place + 0.35 * writing.size * (angle == -90), edge + outwards * gap)
            begins = (angle < 0) == (outwards < 0)
            yield from write(label, *spot, writing.at_anchor("start" if begins else "end"), angle=angle)
        else:
            y = edge - gap if outwards < 0 else edge + gap + 0.8 * writing.size
            yield from write(label, place, y, writing.at_anchor("middle"))


def _edge(axis: PlotAxis, across: PlotAxis) -> tuple[float, int]:
    """Return the pixel of the edge at which the labels of an axis stand, and -1 if they stand above it."""
    low, high = sorted(across.pixels)
    if axis.way == "y":
        return (high, 1) if axis.settings.get("side") == "right" else (low, 1)
    return (low, -1) if axis.settings.get("side") == "top" else (high, 1)


def _title(axis: PlotAxis, across: PlotAxis, text: str, reach: float, writing: TextLook) -> Iterator[Label]:
    middle = sum(axis.pixels) / 2
    edge, outwards = _edge(axis, across)
    standoff = axis.settings["title"].get("standoff") or 6
    gap = 4.0 + (axis.settings.get("ticklabelstandoff") or 0) + standoff
    if axis.way == "y":
        x = max(edge - gap - reach, writing.size)
        yield from write(text, x, middle, writing.at_anchor("middle"), angle=-90)
        return
    angle = math.radians(abs(axis.settings.get("tickangle") or 0))
    tall = max(reach * math.sin(angle), 1.2 * writing.size)
    y = edge - gap - tall if outwards < 0 else edge + gap + tall + 0.8 * writing.size
    yield from write(text, middle, y, writing.at_anchor("middle"))


def _ticks(axis: PlotAxis) -> Iterator[tuple[float, str]]:
    """Yield where labels stand along an axis, in pixels, and what they say."""
    settings = axis.settings
    low, high = sorted(axis.values)
    if settings.get("tickvals") is not None:
        values = settings["tickvals"]
        form = settings.get("tickformat")
        named = zip(values, settings.get("ticktext") or [format_number(one, form) for one in values], strict=False)
        yield from ((axis.at(value), str(text)) for value, text in named if low <= axis.number(value) <= high)
    elif axis.categories:
        every = max(1, math.ceil(len(axis.categories) / (settings.get("nticks") or math.inf)))
        alias = settings.get("labelalias") or {}
        for name, place in axis.categories.items():
            if place % every == 0 and low <= place <= high:
                yield axis.along(place), str(alias.get(name, name))
    else:
        is_log = settings.get("type") == "log"
        for value in round_values(low, high, settings.get("nticks") or 6):
            yield axis.along(value), format_number(10**value if is_log else value, settings.get("tickformat"))


def round_values(low: float, high: float, most: int) -> list[float]:
    """Return at most so many round values between two."""
    rough = (high - low) / max(most - 1, 1)
    if not rough > 0:
        return [low]
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= 0.999 * rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(float(value), 10) for value in np.arange(first, last + 1) * step]


def format_number(value: float, form: str | None) -> str:
    """Return a number in the form that plotly is given, or a short one."""
    form = form or "~g"
    text = f"{value:{form.replace('~', '')}}"
    if "~" in form and "." in text:
        digits, unit = (text[:-1], "%") if text.endswith("%") else (text, "")
        text = digits.rstrip("0").rstrip(".") + unit
    return text.replace("-", MINUS)
