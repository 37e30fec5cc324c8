"""A picture laid out in CSS pixels: vectors as their first numbers, stripes, bars and words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.record import Array
from viz.kit import theme as style
from viz.kit.calculation import format_result
from viz.kit.figures.chips import Chip, Placed, canvas, draw, shade_signed
from viz.kit.language import tr
from viz.kit.theme import SCORE_FORMAT, Palette, Sizes, Theme
from viz.kit.tokens import escape, plain_label

BOX, BOX_COMPACT = 66, 51
"""The width of a number in its box, in pixels."""
GAP = 2
"""Between two boxes."""
MORE = 26
"""The room for dots behind the last number."""
PARTS = 3
"""A line of stripes is drawn in as many parts, the last one empty: each vector stands by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle in pixels from the upper left corner of a picture."""

    left: float
    top: float
    wide: float
    tall: float

    @property
    def middle(self) -> float:
        return self.top + self.tall / 2

    @property
    def right(self) -> float:
        return self.left + self.wide


@dataclass(slots=True, kw_only=True)
class Sheet:
    """A picture in the making: what is drawn is gathered here, and made a figure at once."""

    size: Sizes
    theme: Theme
    boxes: list[Placed] = field(default_factory=list)
    shapes: list[dict[str, Any]] = field(default_factory=list)
    texts: list[dict[str, Any]] = field(default_factory=list)
    stripes: list[go.Heatmap] = field(default_factory=list)

    @property
    def palette(self) -> Palette:
        return style.PALETTES[self.theme]

    def write(self, text: str, x: float, y: float, *, anchor: str = "left", ink: str = "", size: int = 0) -> None:
        """Write markup at a point, vertically centred there."""
        font = {"size": size or self.size.label, "color": ink or self.palette.ink}
        at = {"x": x, "y": y, "xanchor": anchor, "yanchor": "middle", "align": anchor}
        self.texts.append(at | {"text": text, "showarrow": False, "font": font})

    def vector(self, values: Array, place: Box, *, reach: float) -> None:
        """Draw the first numbers of a vector in boxes, as many as have room, and dots where there are more."""
        wide, n = self.number_width, self.n_numbers(values, place)
        for index in range(n):
            value = float(values[index])
            fill, ink = shade_signed(value, reach, self.palette)
            chip = Chip(text=format_result(value), hover=(_dimension(index), format_result(value)), ink=ink, fill=fill)
            x = place.left + index * (wide + GAP) + wide / 2
            self.boxes.append(Placed(chip=chip, x=x, y=place.middle, wide=wide, tall=place.tall))
        if n < len(values):
            self.write("…", place.left + n * (wide + GAP) + MORE / 2, place.middle, anchor="center")

    def number_dimensions(self, values: Array, place: Box) -> None:
        """Write the numbers of the dimensions above a vector."""
        for index in range(self.n_numbers(values, place)):
            x, font = place.left + index * (self.number_width + GAP) + self.number_width / 2, self.size.caption
            self.write(str(index), x, place.top - 0.8 * font, anchor="center", ink=self.palette.quiet, size=font)

    def n_numbers(self, values: Array, place: Box) -> int:
        """Return how many numbers of a vector have room in a place, at least one."""
        each = self.number_width + GAP
        all_fit = len(values) * each <= place.wide
        return len(values) if all_fit else max(int((place.wide - MORE) // each), 1)

    @property
    def number_width(self) -> int:
        return BOX_COMPACT if self.size.compact else BOX

    def stripe(self, values: Array, place: Box, *, reach: float, first: int = 0) -> None:
        """Draw vectors [n_vectors, n] as coloured stripes below each other, with a third of their height between."""
        n = values.shape[1]
        if not n:
            return
        parts = values.repeat(PARTS, axis=0)
        parts[PARTS - 1 :: PARTS] = np.nan
        parts = parts[:-1]
        across = place.left + (np.arange(n) + 0.5) * place.wide / n
        down = place.top + (np.arange(len(parts)) + 0.5) * place.tall / len(parts)
        dimensions = [[_dimension(first + index) for index in range(n)]] * len(down)
        self.stripes.append(
            go.Heatmap(
                z=parts,
                x=across,
                y=down,
                zmin=-reach,
                zmax=reach,
                colorscale=style.colour_scale(self.palette.diverging),
                showscale=False,
                hoverongaps=False,
                customdata=dimensions,
                hovertemplate=f"%{{customdata}}<br>%{{z:{SCORE_FORMAT}}}<extra></extra>",
            )
        )

    def rays(self, above: Box, below: Box) -> None:
        """Draw lines from the lower corners of a place to the upper ones of another: the one is a part of the other."""
        for start, end in ((above.left, below.left), (above.right, below.right)):
            line = {"color": self.palette.accent, "width": 1}
            ends = {"x0": start, "y0": above.top + above.tall, "x1": end, "y1": below.top}
            self.shapes.append(ends | {"type": "line", "line": line})

    def frame(self, place: Box) -> None:
        """Draw a frame around a place."""
        self.shapes.append(rectangle(place) | {"line": {"color": self.palette.accent, "width": 2}, "layer": "above"})

    def fill(self, place: Box, colour: str) -> None:
        """Fill a place with a colour."""
        self.shapes.append(rectangle(place) | {"fillcolor": colour, "line": {"width": 0}, "layer": "below"})

    def figure(self, *, note: str, tall: float) -> go.Figure:
        """Return the figure, `tall` pixels high, with a note below."""
        size, theme = self.size, self.theme
        figure = canvas(title="", note=note, wide=size.page, tall=tall, size=size, theme=theme)
        figure.add_traces(self.stripes)
        figure.layout.shapes += tuple(self.shapes)
        figure.layout.annotations += tuple(self.texts)
        return draw(figure, self.boxes, font=size.label, size=size, theme=theme) if self.boxes else figure


def rectangle(place: Box) -> dict[str, Any]:
    """Return a place as a shape of plotly."""
    return {"type": "rect", "x0": place.left, "x1": place.right, "y0": place.top, "y1": place.top + place.tall}


def in_bold(text: str, *, limit: int | None = None) -> str:
    """Return an untrusted text as bold markup."""
    return f"<b>{plain_label(text, limit=limit)}</b>"


def joining(sign: str) -> tuple[str, str]:
    """Return a sign between two arrays, "→|norm", and its words as markup."""
    mark, _, words = sign.partition("|")
    return escape(mark), escape(words)


def _dimension(index: int) -> str:
    return tr("dimension {dimension}", dimension=index)
