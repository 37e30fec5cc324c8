"""Lines, dots and colours of a figure of plotly, from the few shapes that a drawing has."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from viz.painter.drawing import Boxes, Point, Strokes

RGBA = re.compile(r"rgba?\(([\d., ]+)\)")
PATTERNS: dict[str, tuple[float, float]] = {"dot": (1.5, 4.0), "dash": (8.0, 6.0)}
"""The lengths of a stroke and of the gap behind it, in pixels, by plotly's names."""

ROUND = 24
"""Corners of a circle that is drawn as a line."""
HALF_ANGLE = math.radians(25)
"""Between the middle and a side of the head of an arrow."""
NESTED = (0.875, 0.625, 0.375, 0.125)
"""The sizes of diamonds inside each other that fill one, with lines an eighth as wide."""


def opaque(colour: Any, *, least: float = 0.02) -> str | None:
    """Return a colour of plotly as CSS hex; None for one that is hardly seen, and for what is no colour."""
    if not isinstance(colour, str) or not colour or colour == "transparent":
        return None
    if colour.startswith("#"):
        return colour if len(colour) == 7 else "#" + "".join(letter * 2 for letter in colour[1:4])
    found = RGBA.fullmatch(colour)
    if found is None:
        return None
    red, green, blue, *alpha = (float(part) for part in found[1].split(","))
    if alpha and alpha[0] < least:
        return None
    share = alpha[0] if alpha else 1.0
    mixed = (round(255 + share * (channel - 255)) for channel in (red, green, blue))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def line(
    points: Sequence[Point], *, stroke: str, width: float, opacity: float = 1.0, dash: str | None = None
) -> Iterator[Strokes]:
    """Yield a line from point to point; at a point with a NaN it is interrupted."""
    whole: list[list[Point]] = [[]]
    for point in points:
        if math.isfinite(sum(point)):
            whole[-1].append(point)
        elif whole[-1]:
            whole.append([])
    pattern = PATTERNS.get(dash or "")
    paths = [part for path in whole if len(path) > 1 for part in (_dashes(path, pattern) if pattern else [path])]
    if paths:
        yield Strokes(paths=paths, stroke=stroke, width=width, opacity=opacity)


def clip(points: Sequence[Point], across: tuple[float, float], down: tuple[float, float]) -> list[Point]:
    """Return a line as far as it lies in a rectangle; where it leaves it there is a gap. Liang & Barsky 1984, "A new
    concept and method for line clipping"."""
    path: list[Point] = []
    for start, end in pairwise(points):
        inside = _inside(start, end, (sorted(across), sorted(down)))
        if inside is None:
            path.append((math.nan, math.nan))
            continue
        first, last = (tuple(start[way] + share * (end[way] - start[way]) for way in (0, 1)) for share in inside)
        path += [(first[0], first[1])] if not path or path[-1] != first else []
        path.append((last[0], last[1]))
        if inside[1] < 1:
            path.append((math.nan, math.nan))
    return path


def _inside(start: Point, end: Point, sides: tuple[list[float], list[float]]) -> tuple[float, float] | None:
    """Return the shares of a straight line between which it lies within bounds."""
    low, high = 0.0, 1.0
    for way in (0, 1):
        length = end[way] - start[way]
        shares = [(side - start[way]) / length if length else math.inf * (side - start[way]) for side in sides[way]]
        low, high = max(low, min(shares)), min(high, max(shares))
    return (low, high) if low <= high else None


def mark(
    center: Point, *, symbol: str, fill: str, size: float, width: float = 1.0, opacity: float = 1.0
) -> Boxes | Strokes:
    """Return a marker by plotly's name of it: a square, a diamond or a dot, or its outline, `width` pixels wide
    ("circle-open")."""
    name, _, rest = symbol.partition("-")
    if rest == "open":
        return Strokes(paths=[_outline(center, name, size / 2)], stroke=fill, width=width, opacity=opacity)
    if name == "square":
        return Boxes(fill=fill, boxes=[(center[0] - size / 2, center[1] - size / 2, size, size)])
    if name == "diamond":
        paths = [_outline(center, name, share * size / 2) for share in NESTED]
        return Strokes(paths=paths, stroke=fill, width=size / 8, opacity=opacity)
    return _dot(center, fill=fill, size=size, opacity=opacity)


def arrow_head(before: Point, tip: Point, *, fill: str, size: float, opacity: float = 1.0) -> Strokes:
    """Return the head of an arrow that comes from a point: its two sides, and the lines between them."""
    turn = math.atan2(tip[1] - before[1], tip[0] - before[0])
    back = [
        (tip[0] - size * math.cos(turn + side), tip[1] - size * math.sin(turn + side))
        for side in np.linspace(-HALF_ANGLE, HALF_ANGLE, 7).tolist()
    ]
    return Strokes(paths=[[tip, end] for end in back], stroke=fill, width=size / 8, opacity=opacity)


def _outline(center: Point, name: str, half: float) -> list[Point]:
    """Return the corners of a marker, `half` as wide: a square, a diamond, or as many corners as a circle takes."""
    n, turned = {"square": (4, 0.5), "diamond": (4, 0.0)}.get(name, (ROUND, 0.0))
    reach = half * math.sqrt(2) if name == "square" else half
    turns = [2 * math.pi * (corner + turned) / n for corner in range(n + 1)]
    return [(center[0] + reach * math.cos(turn), center[1] + reach * math.sin(turn)) for turn in turns]


def _dot(center: Point, *, fill: str, size: float, opacity: float) -> Strokes:
    """Return a round dot: a line that is as good as nothing long, with its round ends."""
    x, y = center
    return Strokes(paths=[[(x - 0.01, y), (x + 0.01, y)]], stroke=fill, width=size, opacity=opacity)


def _dashes(path: Sequence[Point], pattern: tuple[float, float]) -> Iterator[list[Point]]:
    """Yield the strokes of a line, each of a straight part by itself."""
    stroke, gap = pattern
    for start, end in pairwise(path):
        length = math.dist(start, end)
        across, down = (((end[way] - start[way]) / (length or 1.0)) for way in (0, 1))
        for number in range(math.ceil(length / (stroke + gap))):
            places = (number * (stroke + gap), min(number * (stroke + gap) + stroke, length))
            yield [(start[0] + place * across, start[1] + place * down) for place in places]
