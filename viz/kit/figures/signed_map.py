"""A map of signed numbers over two axes of whole numbers, or of words.

Zero is the quiet middle of the map's colours (Moreland 2009, "Diverging color maps for scientific visualization").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.record import Array
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.layout import UNMARKED, axis_title, colour_bar, masked_cells, note
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import SHORT, escape, plain_label, shorten
from viz.kit.tokens import width as columns

LETTER = 0.56
"""The mean width of a letter, in sizes of its font."""
MAP_HEIGHT = 420
"""The height of a map without its words, in CSS pixels; one of few rows is lower."""
ROW = 26
COLUMN = 60
"""The most that a row and a column of a map take, in CSS pixels."""
STRIDES = (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 512)
"""The allowed steps between tick labels on an axis of integers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One side of a map: its title, the numbers of its rows or columns, and the noun for one of them.

    With `words`, plain texts, those are at the axis instead of the numbers.
    """

    title: str
    places: Sequence[int]
    noun: str
    words: Sequence[str] = ()

    @property
    def hovers(self) -> list[str]:
        """The hover text of every row or column, as markup."""
        named = self.words or [""] * len(self.places)
        return [
            f"{escape(self.noun)} {place}" + (f" · {plain_label(word, limit=None)}" if word else "")
            for place, word in zip(self.places, named, strict=True)
        ]


def signed_map(
    values: Array,
    *,
    x: Axis,
    y: Axis,
    number: str,
    title: str,
    text: str,
    reach: float | None = None,
    is_square: bool = False,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw numbers [n_rows, n_columns] in colours from -reach to reach, 0 in the middle; minus infinity is grey.

    `number` is what a cell holds, in words; the plain `text` is below. `reach` is the largest absolute value if it is
    not given.
    """
    size, palette = style.sizes(width), style.PALETTES[theme]
    masked = np.isneginf(values)
    finite = np.where(masked, np.float32(np.nan), values)
    end = reach if reach is not None else max(float(np.nanmax(np.abs(finite), initial=0)), 1e-6)
    layout = _map_layout(values.shape, x, y, title=title, text=text, is_square=is_square, theme=theme, size=size)
    figure = Figure(layout=layout)
    cells = _cells(finite, x, y, end=end, number=number, palette=palette, size=size)
    cell = f"{escape(y.noun)} %{{y}}, {escape(x.noun)} %{{x}}"
    if x.words or y.words:
        cells.update(customdata=[[f"{row}<br>{column}" for column in x.hovers] for row in y.hovers])
        cell = "%{customdata}"
    elif masked.any():
        places = {"x": np.asarray(x.places), "y": np.asarray(y.places)}
        figure.add_trace(masked_cells(masked, **places, hover=f"{cell}<br>", palette=palette))
    return figure.add_trace(
        cells.update(hovertemplate=f"{cell}<br>{escape(number)} %{{z:{style.SCORE_FORMAT}}}<extra></extra>")
    )


def _cells(values: Array, x: Axis, y: Axis, *, end: float, number: str, palette: Palette, size: Sizes) -> go.Heatmap:
    return go.Heatmap(
        z=values,
        x=np.asarray(x.places),
        y=np.asarray(y.places),
        zmin=-end,
        zmax=end,
        hoverongaps=False,
        colorscale=style.colour_scale(palette.diverging),
        colorbar=colour_bar(palette, size, title=number),
    )


def _map_layout(
    shape: tuple[int, ...], x: Axis, y: Axis, *, title: str, text: str, is_square: bool, theme: Theme, size: Sizes
) -> dict[str, Any]:
    """Return the layout of a map: as wide as there is room, at most square, the axis labels outside."""
    palette = style.PALETTES[theme]
    n_rows, n_columns = shape
    longest = max(len(str(place)) for place in y.places) if not y.words else _columns(y.words)
    over = 0.72 * LETTER * size.label * _columns(x.words)
    left = LETTER * size.label * longest + 2.2 * size.axis + 1.5 * size.gap
    right = float(size.gap if size.compact else 96)
    wide = min(size.page - left - right, max(COLUMN * n_columns, size.least))
    tall = float(min(MAP_HEIGHT, max(ROW * n_rows, size.least)))
    if is_square:
        wide = tall = min(wide, size.side, max(ROW * n_rows, size.least))
    words = style.wrap_text(text, size, pixels=max(left + wide + right, min(size.page, 420)) - 2 * size.gap)
    top = 2.6 * size.title + 2.0 * size.axis + 1.6 * size.label + over
    bottom = 1.5 * size.gap + 1.45 * size.caption * len(words) + (5.5 * size.bar if size.compact else 0)
    leaning = {"tickangle": -45} if x.words else {}
    axis = UNMARKED | {"tickfont": {"size": size.label}, "automargin": False, "ticklabelstandoff": 4}
    return style.base_layout(theme, size, title=title) | {
        "width": max(left + wide + right, min(size.page, 420)),
        "height": top + tall + bottom,
        "margin": {"l": left, "r": max(right, min(size.page, 420) - left - wide), "t": top, "b": bottom, "pad": 0},
        "dragmode": False if size.compact else "zoom",
        "annotations": [note(words, theme, size, below=size.gap // 2, left=left)],
        "xaxis": axis | _whole(x, wide, size, palette) | leaning | {"side": "top", "range": _ends(x.places)},
        "yaxis": axis | _whole(y, tall, size, palette) | {"range": _ends(y.places)[::-1]},
    }


def _columns(words: Sequence[str]) -> int:
    """Return the width of the longest of some labels, in columns."""
    return max((columns(shorten(word, SHORT)) for word in words), default=0)


def _whole(along: Axis, pixels: float, size: Sizes, palette: Palette) -> dict[str, Any]:
    """Return an axis with a few ticks, at integers only."""
    if along.words:
        words = [plain_label(word) for word in along.words]
        return {"title": axis_title(along.title, palette, size), "tickvals": list(along.places), "ticktext": words}
    first, last = along.places[0], along.places[-1]
    most = max(int(pixels / (4.5 * size.label)), 2)
    stride = next((stride for stride in STRIDES if abs(last - first) / stride < most), STRIDES[-1])
    inside = [place for place in range(min(first, last), max(first, last) + 1) if place % stride == 0]
    return {"title": axis_title(along.title, palette, size), "tickvals": inside}


def _ends(places: Sequence[int]) -> list[float]:
    return [places[0] - 0.5, places[-1] + 0.5]


if __name__ == "__main__":
    numbers = np.arange(40, dtype=np.float64)
    signed_map(
        np.cos(numbers[:, None] * numbers / 60).astype(np.float32),
        x=Axis(title="column", places=range(40), noun="column"),
        y=Axis(title="row", places=range(40), noun="row"),
        number="value",
        title="A map",
        text="Made up.",
    ).show()
