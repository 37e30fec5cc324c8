"""Words as small boxes, placed and drawn in CSS pixels: for pictures that are sentences and no diagrams.

A figure of `canvas` has axes that count pixels from its upper left corner, so that what is placed here stands there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape, plain_label
from viz.kit.tokens import width as columns

LETTER = 0.62
"""The width of a column of text, in sizes of its font."""
FOOT_LETTER = 0.56
"""The width of a column of a small line under a chip, in sizes of its font."""
NARROWEST = 1.7
"""The width of the smallest chip, in sizes of its font."""
CHIP = 1.8
"""The height of a chip, in sizes of its font."""
LARGEST = 1.4
"""The largest font of a short sentence, relative to `size.word`."""
NEAR = 40
"""The distance from the middle of a chip within which it shows its hover text, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A word in its box. `text` and `hover` are plain text, `fill`, `ink` and `outline` CSS colours.

    `foot` is a small line under the box. Without a `fill` only the word is drawn, or the outline around it.
    """

    text: str
    hover: tuple[str, ...]
    ink: str
    fill: str = ""
    outline: str = ""
    dash: str = "solid"
    foot: str = ""
    is_bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A chip with its middle and its size, in pixels from the upper left corner of the figure."""

    chip: Chip
    x: float
    y: float
    wide: float
    tall: float

    @property
    def top(self) -> float:
        return self.y - self.tall / 2

    @property
    def bottom(self) -> float:
        return self.y + self.tall / 2


def chip_width(text: str, font: float) -> float:
    """Return the width of a box around a text, in pixels."""
    return max(LETTER * font * columns(text), NARROWEST * font) + 0.6 * font


def flow(
    chips: Sequence[Chip],
    *,
    left: float,
    top: float,
    room: float,
    font: float,
    line: float,
    gap: float,
    foot_font: float = 0.0,
) -> list[Placed]:
    """Place chips from left to right, in as many lines of `line` pixels as needed; none is wider than `room`.

    With `foot_font`, the font of the small lines below, each chip is as wide as its own.
    """
    placed: list[Placed] = []
    x, y, tall = left, top, CHIP * font
    for chip in chips:
        wide = min(max(chip_width(chip.text, font), FOOT_LETTER * foot_font * columns(chip.foot)), room)
        if placed and x + wide > left + room:
            x, y = left, y + line
        placed.append(Placed(chip=chip, x=x + wide / 2, y=y + tall / 2, wide=wide, tall=tall))
        x += wide + gap
    return placed


def centre_line(placed: Sequence[Placed], *, room: float, left: float) -> list[Placed]:
    """Return the chips of one line, moved together to the middle of their room."""
    if not placed:
        return []
    spare = left + room - (placed[-1].x + placed[-1].wide / 2)
    return [replace(box, x=box.x + spare / 2) for box in placed]


def largest_font(lines: Sequence[Sequence[str]], *, room: float, size: Sizes) -> int:
    """Return the largest font at which the texts of every line fit beside each other: at most LARGEST, at least
    `size.word`; 0 if they do not fit at all."""
    sizes = range(round(LARGEST * size.word), size.word - 1, -1)
    return next(
        (font for font in sizes if all(line_width(line, font=font, gap=size.gap / 2) <= room for line in lines)), 0
    )


def line_width(texts: Sequence[str], *, font: float, gap: float) -> float:
    """Return the width of chips with these texts beside each other, in pixels."""
    return sum(chip_width(text, font) + gap for text in texts) - gap


def canvas(*, title: str, note: str, wide: float, tall: float, size: Sizes, theme: Theme) -> go.Figure:
    """Draw a figure of `wide` x `tall` pixels with a title, and a caption below; its axes count pixels from the
    corner."""
    lines = style.wrap_text(note, size, pixels=min(wide, size.page) - 2 * size.gap)
    bottom = size.gap + 1.5 * size.caption * len(lines)
    words = style.caption("<br>".join(escape(line) for line in lines), theme, size, below=size.gap / 2)
    axis = {"visible": False, "fixedrange": True, "showgrid": False, "zeroline": False, "automargin": False}
    return Figure(
        layout=style.base_layout(theme, size, title=title)
        | {
            "width": wide,
            "height": tall + bottom,
            "margin": {"l": 0, "r": 0, "t": 0, "b": bottom, "pad": 0},
            "dragmode": False,
            "hovermode": "closest",
            "hoverdistance": NEAR,
            "xaxis": axis | {"range": [0, wide]},
            "yaxis": axis | {"range": [tall, 0]},
            "annotations": [words | {"xshift": size.gap // 2}],
        }
    )


def draw(figure: go.Figure, placed: Sequence[Placed], *, font: float, size: Sizes, theme: Theme) -> go.Figure:
    """Add boxes, words and the small lines under them."""
    quiet = style.PALETTES[theme].quiet
    figure.layout.shapes += tuple(_box(box) for box in placed if box.chip.fill or box.chip.outline)
    figure.add_trace(
        go.Scatter(
            x=[box.x for box in placed],
            y=[box.y for box in placed],
            mode="text",
            text=[_word(box.chip) for box in placed],
            textfont={"size": font, "color": [box.chip.ink for box in placed]},
            customdata=[hover_text(box.chip.hover) for box in placed],
            hovertemplate="%{customdata}<extra></extra>",
            cliponaxis=False,
        )
    )
    feet = [box for box in placed if box.chip.foot]
    if feet:
        figure.add_trace(
            go.Scatter(
                x=[box.x for box in feet],
                y=[box.bottom + 0.7 * size.caption for box in feet],
                mode="text",
                text=[escape(box.chip.foot) for box in feet],
                textfont={"size": size.caption, "color": quiet},
                hoverinfo="skip",
                cliponaxis=False,
            )
        )
    return figure


def heading(text: str, *, x: float, y: float, size: Sizes, theme: Theme) -> dict[str, Any]:
    """Return a plain heading whose left end is at x and whose baseline is at y, as an annotation."""
    return {
        "text": escape(text),
        "x": x,
        "y": y,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": size.axis, "color": style.PALETTES[theme].quiet},
    }


def curve(x0: float, y0: float, x1: float, y1: float, *, colour: str, width: float, opacity: float) -> dict[str, Any]:
    """Return a curve between two points that leaves and arrives vertically, as a shape under the words."""
    middle = (y0 + y1) / 2
    path = f"M {x0:.1f},{y0:.1f} C {x0:.1f},{middle:.1f} {x1:.1f},{middle:.1f} {x1:.1f},{y1:.1f}"
    return stroke(path, colour=colour, width=width, opacity=opacity)


def sideways(
    x0: float, y0: float, x1: float, y1: float, *, colour: str, width: float, opacity: float
) -> dict[str, Any]:
    """Return a curve between two points that leaves and arrives horizontally, as a shape under the words."""
    middle = (x0 + x1) / 2
    path = f"M {x0:.1f},{y0:.1f} C {middle:.1f},{y0:.1f} {middle:.1f},{y1:.1f} {x1:.1f},{y1:.1f}"
    return stroke(path, colour=colour, width=width, opacity=opacity)


def stroke(path: str, *, colour: str, width: float, opacity: float) -> dict[str, Any]:
    """Return a line along an SVG path, as a shape under the words."""
    line = {"color": colour, "width": width}
    return {"type": "path", "path": path, "line": line, "opacity": opacity, "layer": "below"}


def shade(weight: float, palette: Palette) -> tuple[str, str]:
    """Return the colour of a weight, 0 to 1, and the text colour of best contrast on it (WCAG 2.2, "contrast
    ratio")."""
    return _shade(weight, palette.sequential, palette)


def shade_signed(value: float, reach: float, palette: Palette) -> tuple[str, str]:
    """Return the colour of a signed number, centred at 0, whose colours end at `reach`; and the text colour on it."""
    return _shade((value / reach + 1) / 2, palette.diverging, palette)


def _shade(place: float, colours: Sequence[str], palette: Palette) -> tuple[str, str]:
    stops = [_channels(colour) for colour in colours]
    places = np.linspace(0, 1, len(stops))
    mixed = [round(float(np.interp(place, places, channel))) for channel in zip(*stops, strict=True)]
    fill, light = "#" + "".join(f"{channel:02x}" for channel in mixed), _luminance(mixed)
    inks = (palette.ink, palette.ground)
    return fill, max(inks, key=lambda ink: _contrast(light, _luminance(_channels(ink))))


def hover_text(lines: Sequence[str]) -> str:
    """Join plain lines into hover text, escaped, since each may hold a reader's word."""
    return "<br>".join(plain_label(line, limit=None) for line in lines)


def _word(chip: Chip) -> str:
    label = plain_label(chip.text, limit=None)
    return f"<b>{label}</b>" if chip.is_bold else label


def _box(placed: Placed) -> dict[str, Any]:
    half = placed.wide / 2
    return {
        "type": "rect",
        "x0": placed.x - half,
        "x1": placed.x + half,
        "y0": placed.top,
        "y1": placed.bottom,
        "fillcolor": placed.chip.fill or "rgba(0,0,0,0)",
        "line": {"color": placed.chip.outline or placed.chip.fill, "width": 2 if placed.chip.outline else 0}
        | {"dash": placed.chip.dash},
        "layer": "below",
    }


def _channels(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))


def _luminance(channels: Sequence[float]) -> float:
    """Return the relative luminance, 0 to 1, of a colour with three channels from 0 to 255."""
    parts: Iterator[float] = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4
        for one in (channel / 255 for channel in channels)
    )
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def _contrast(one: float, other: float) -> float:
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


if __name__ == "__main__":
    made_up = []
    for weight, word in enumerate(["how", "dark", "a", "word", "gets"]):
        fill, ink = shade(weight / 4, style.LIGHT)
        made_up.append(Chip(text=word, hover=(word,), fill=fill, ink=ink, foot=f"{weight / 4:.0%}"))
    shown = canvas(title="Chips", note="Made up.", wide=600, tall=160, size=style.WIDE, theme="light")
    draw(
        shown,
        flow(made_up, left=12, top=60, room=576, font=20, line=70, gap=8),
        font=20,
        size=style.WIDE,
        theme="light",
    ).show()
