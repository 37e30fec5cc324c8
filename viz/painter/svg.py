"""A drawing as an SVG file. Scalable Vector Graphics 1.1, https://www.w3.org/TR/SVG11/."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import singledispatch
from html import escape
from itertools import groupby
from typing import NamedTuple

from viz.kit.theme import FONT
from viz.painter.drawing import BezierCurve, Boxes, Drawing, Label, Point, Strokes

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML may not hold."""


class Element(NamedTuple):
    """An element of a document: how it is drawn, which those beside it may share, and what is its own."""

    look: str
    tag: str
    own: str


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
            *_group_alike(map(_element, drawing.shapes)),
            "</svg>\n",
        ]
    )


def _group_alike(elements: Iterable[Element]) -> Iterator[str]:
    """Yield elements, those that follow each other and look alike in a group that says it once."""
    for look, alike in groupby(elements, key=lambda element: element.look):
        written = [f"<{tag} {own}" for _, tag, own in alike]
        if len(written) == 1:
            yield written[0].replace(" ", f" {look} ", 1)
        else:
            yield f"<g {look}>{''.join(written)}</g>"


@singledispatch
def _element(shape: object) -> Element:
    raise TypeError(f"{type(shape).__name__} is no shape.")


@_element.register
def _boxes(shape: Boxes) -> Element:
    path = "".join(
        f"M{_short(left)} {_short(top)}h{_short(width)}v{_short(height)}h{_short(-width)}z"
        for left, top, width, height in shape.boxes
    )
    return Element(f'fill="{shape.fill}" shape-rendering="crispEdges"', "path", f'd="{path}"/>')


@_element.register
def _curve(shape: BezierCurve) -> Element:
    first, second = map(_pair, shape.pulls)
    return Element(
        f'fill="none" stroke="{shape.stroke}" stroke-linecap="round"',
        "path",
        f'stroke-width="{_short(shape.width)}" stroke-opacity="{_short(shape.opacity)}" '
        f'd="M{_pair(shape.start)}C{first} {second} {_pair(shape.end)}"/>',
    )


@_element.register
def _strokes(shape: Strokes) -> Element:
    path = "".join(f"M{'L'.join(map(_pair, points))}" for points in shape.paths)
    opacity = "" if shape.opacity == 1 else f' stroke-opacity="{_short(shape.opacity)}"'
    return Element(
        f'fill="none" stroke="{shape.stroke}" stroke-linecap="round" stroke-linejoin="round"',
        "path",
        f'stroke-width="{_short(shape.width)}"{opacity} d="{path}"/>',
    )


@_element.register
def _label(shape: Label) -> Element:
    place = f'x="{_short(shape.x)}" y="{_short(shape.y)}"'
    turned = f' transform="rotate({_short(shape.angle)} {_pair((shape.x, shape.y))})"' if shape.angle else ""
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    weight = ' font-weight="600"' if shape.bold else ""
    return Element(
        f'font-size="{_short(shape.size)}"{weight}{anchor} fill="{shape.fill}"',
        "text",
        f"{place}{turned}>{_escape_xml(shape.text)}</text>",
    )


def _escape_xml(text: str) -> str:
    return escape(FORBIDDEN.sub("\ufffd", text))


def _pair(point: Point) -> str:
    return f"{_short(point[0])} {_short(point[1])}"


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
