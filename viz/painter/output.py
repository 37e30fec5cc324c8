"""A drawing as an output of a notebook, for where no script runs: SVG, and a large one as PNG."""

from __future__ import annotations

import base64
from importlib import import_module
from urllib.parse import quote

from viz.painter.drawing import Drawing
from viz.painter.svg import svg_of

PNG = "viz.painter.png"  # by its name: Pillow is loaded for a PNG alone
LARGEST_SVG = 200_000
"""Bytes; a larger picture is a PNG."""
SVG_TYPE, PNG_TYPE = "image/svg+xml", "image/png"
DOTS = 1.5
"""Dots a pixel of a PNG: sharp on most screens, and a quarter of the bytes of one to be printed."""
KEPT = "/:=;,?!()*+@$~' "
"""Characters that stand for themselves in an address that holds an SVG, inside double quotes."""
SWAPPED = str.maketrans("\"'", "'\"")
"""Quotes of an SVG: most are double ones, which an address writes with three characters, and each may be the other."""


def mime_bundle(drawing: Drawing) -> dict[str, str]:
    """Return a drawing by its MIME type, as a notebook stores it: SVG as text, PNG in base64."""
    content = svg_of(drawing)
    if len(content.encode()) <= LARGEST_SVG:
        return {SVG_TYPE: content}
    return {PNG_TYPE: base64.b64encode(import_module(PNG).png_of(drawing, dots=DOTS)).decode()}


def data_address(bundle: dict[str, str]) -> str:
    """Return an address that holds the picture of a `mime_bundle`, for an attribute in double quotes."""
    ((kind, content),) = bundle.items()
    return (
        f"data:{kind},{quote(content.translate(SWAPPED), safe=KEPT)}"
        if kind == SVG_TYPE
        else f"data:{kind};base64,{content}"
    )
