"""A picture before it is a file: shapes in CSS pixels, from back to front."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
NARROW, WIDE = frozenset("iIjltf.,:;'|!()[]1 "), frozenset("mwMW%@&—…■◆━┄★✓▸◀▶")


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Rectangles of one colour: (left, top, width, height) each."""

    fill: str
    boxes: Sequence[tuple[float, float, float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BezierCurve:
    """A cubic Bézier curve through two ends, pulled towards two points."""

    start: Point
    pulls: tuple[Point, Point]
    end: Point
    stroke: str
    width: float
    opacity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Strokes:
    """Lines of one colour and width, each from point to point, with round ends."""

    paths: Sequence[Sequence[Point]]
    stroke: str
    width: float
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A line of text; `x` and `y` are where its `anchor` stands on the base line, about which it is turned by `angle`
    degrees, clockwise."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: Anchor = "start"
    bold: bool = False
    angle: float = 0


DrawnShape = Boxes | BezierCurve | Strokes | Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A picture: its size, the colour behind it, its shapes, and what it is in words."""

    width: float
    height: float
    ground: str
    shapes: tuple[DrawnShape, ...]
    title: str
    description: str


def transform(shape: DrawnShape, *, right: float, down: float, scale: float = 1.0) -> DrawnShape:
    """Return a shape `scale` times as large and elsewhere."""

    def move_point(point: Point) -> Point:
        return scale * point[0] + right, scale * point[1] + down

    match shape:
        case Boxes():
            boxes = [(*move_point((x, y)), scale * width, scale * height) for x, y, width, height in shape.boxes]
            return replace(shape, boxes=boxes)
        case BezierCurve():
            pulls = (move_point(shape.pulls[0]), move_point(shape.pulls[1]))
            start, end = move_point(shape.start), move_point(shape.end)
            return replace(shape, start=start, pulls=pulls, end=end, width=scale * shape.width)
        case Strokes():
            paths = [[move_point(point) for point in path] for path in shape.paths]
            return replace(shape, paths=paths, width=scale * shape.width)
        case Label():
            x, y = move_point((shape.x, shape.y))
            return replace(shape, x=x, y=y, size=scale * shape.size)


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is in a usual sans serif: what draws the file later may have another font."""
    return size * sum(map(_letter_width, text))


def wrap(text: str, size: float, width: float) -> list[str]:
    """Break a text at its spaces into lines of at most a width."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def cut_to_width(text: str, size: float, width: float) -> str:
    """Return the beginning of a text that fits into a width, with an ellipsis if something is cut."""
    if text_width(text, size) <= width:
        return text
    kept = len(text)
    while kept and text_width(f"{text[:kept]}…", size) > width:
        kept -= 1
    return f"{text[:kept]}…"


def _letter_width(letter: str) -> float:
    if unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    if unicodedata.east_asian_width(letter) in {"W", "F"}:
        return 1
    if letter in NARROW:
        return 0.36
    return 0.92 if letter in WIDE else 0.7 if letter.isupper() else 0.6
