"""The text of a figure of plotly as lines of plain letters: its markup goes, and its entities become characters."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from viz.painter.drawing import Anchor, Label, text_width
from viz.painter.plots.marks import opaque

LEADING = 1.3
BOLD = 1.06
"""Bold letters are so much wider."""
BREAK = re.compile(r"<br\s*/?>")
COLOUR, SIZE = re.compile(r"color: ?(#\w{6})"), re.compile(r"font-size: ?([\d.]+)px")
MARKUP = re.compile(r"(</?(?:b|i|sub|sup|em|span|a)\b[^>]*>)")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLook:
    """The look of a line of text."""

    size: float
    fill: str
    anchor: Anchor = "start"
    is_bold: bool = False

    def with_font(self, font: Mapping[str, Any] | None) -> TextLook:
        """Return the same with the size and the colour of a font of plotly, as far as it has them."""
        size, colour = (font or {}).get("size"), (font or {}).get("color")
        return replace(self, size=float(size or self.size), fill=opaque(_first(colour)) or self.fill)

    def at_anchor(self, anchor: Anchor) -> TextLook:
        """Return the same at another anchor."""
        return replace(self, anchor=anchor)


def _first(colour: Any) -> Any:
    return colour if colour is None or isinstance(colour, str) else next(iter(colour), None)


def plain_lines(text: str) -> list[str]:
    """Return the lines of a text without plotly's markup."""
    return [html.unescape(MARKUP.sub("", line)) for line in BREAK.split(text)]


def write(text: str, x: float, y: float, writing: TextLook, *, angle: float = 0) -> Iterator[Label]:
    """Yield the lines of a text; the first stands at (x, y). Parts of a line with a look of their own follow each
    other; of a line that is turned, or held in its middle or at its end, all of it has the look of the beginning."""
    open_marks: list[str] = []
    for number, line in enumerate(BREAK.split(text)):
        runs = list(_runs(line, writing, open_marks))
        if angle or writing.anchor != "start":
            runs = [(runs[0][0], "".join(shown for _, shown in runs))] if runs else []
        left, down = x, y + number * LEADING * writing.size
        for look, shown in runs:
            if shown.strip():
                yield Label(
                    x=left,
                    y=down,
                    text=shown,
                    size=look.size,
                    fill=look.fill,
                    anchor=look.anchor,
                    bold=look.is_bold,
                    angle=angle,
                )
            left += text_width(shown, look.size) * (BOLD if look.is_bold else 1)


def _runs(line: str, writing: TextLook, open_marks: list[str]) -> Iterator[tuple[TextLook, str]]:
    """Yield the parts of a line with the look of each; `open_marks` are those of the lines before, and are kept."""
    for part in MARKUP.split(line):
        if MARKUP.fullmatch(part):
            if part.startswith("</"):
                open_marks[-1:] = []
            else:
                open_marks.append(part)
        elif part:
            yield _look(writing, open_marks), html.unescape(part)


def _look(writing: TextLook, marks: Sequence[str]) -> TextLook:
    for mark in marks:
        colour, size = COLOUR.search(mark), SIZE.search(mark)
        writing = replace(
            writing,
            fill=opaque(colour[1]) or writing.fill if colour else writing.fill,
            size=float(size[1]) if size else writing.size,
            is_bold=writing.is_bold or mark == "<b>",
        )
    return writing
