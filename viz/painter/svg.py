"""A drawing as an SVG file. Scalable Vector Graphics 1.1, https://www.w3.org/TR/SVG11/."""

from __future__ import annotations

import re
from functools import singledispatch
from html import escape

from viz.kit.theme import FONT
from viz.painter.drawing import BezierCurve, Boxes, Drawing, Label, Point, Strokes

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML may not hold."""


def svg_of(drawing: Drawing) -> str:
    """Return a drawing as a whole SVG document, whose texts are text, and which asks for no other file."""
    width, height = _short(drawing.width), _short(drawing.height)
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}" xml:space="preserve">',
            f"<title>{_escape_xml(drawing.title)}</title>",
            f"<desc>{_escape_xml(drawing.description)}</desc>",
            f'<rect width="{width}" height="{height}" fill="{drawing.ground}"/>',
            *map(_element, drawing.shapes),
            "</svg>\n",
        ]
    )


@singledispatch
def _element(shape: object) -> str:
    raise TypeError(f"{type(shape).__name__} is no shape.")


@_element.register
def _boxes(shape: Boxes) -> str:
    path = "".join(
        f"M{_short(left)} {_short(top)}h{_short(width)}v{_short(height)}h{_short(-width)}z"
        for left, top, width, height in shape.boxes
    )
    return f'<path fill="{shape.fill}" shape-rendering="crispEdges" d="{path}"/>'


@_element.register
def _curve(shape: BezierCurve) -> str:
    first, second = map(_pair, shape.pulls)
    return (
        f'<path fill="none" stroke="{shape.stroke}" stroke-width="{_short(shape.width)}" stroke-linecap="round" '
        f'stroke-opacity="{_short(shape.opacity)}" '
        f'd="M{_pair(shape.start)}C{first} {second} {_pair(shape.end)}"/>'
    )


@_element.register
def _strokes(shape: Strokes) -> str:
    path = "".join(f"M{'L'.join(map(_pair, points))}" for points in shape.paths)
    opacity = "" if shape.opacity == 1 else f' stroke-opacity="{_short(shape.opacity)}"'
    return (
        f'<path fill="none" stroke="{shape.stroke}" stroke-width="{_short(shape.width)}" stroke-linecap="round" '
        f'stroke-linejoin="round"{opacity} d="{path}"/>'
    )


@_element.register
def _label(shape: Label) -> str:
    place = f'x="{_short(shape.x)}" y="{_short(shape.y)}"'
    turned = f' transform="rotate({_short(shape.angle)} {_pair((shape.x, shape.y))})"' if shape.angle else ""
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    weight = ' font-weight="600"' if shape.bold else ""
    return (
        f'<text {place}{turned} font-size="{_short(shape.size)}"{weight}{anchor} fill="{shape.fill}">'
        f"{_escape_xml(shape.text)}</text>"
    )


def _escape_xml(text: str) -> str:
    return escape(FORBIDDEN.sub("\ufffd", text))


def _pair(point: Point) -> str:
    return f"{_short(point[0])} {_short(point[1])}"


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
