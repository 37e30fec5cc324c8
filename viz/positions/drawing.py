"""The two kinds of picture that the page of positions draws: a map of signed numbers, and lines over a distance.

Zero is the quiet middle of the map's colours (Moreland 2009, "Diverging color maps for scientific visualization").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.record import Array
from viz.kit import theme as style
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape
from viz.kit.tokens import width as columns

LETTER = 0.56
"""The mean width of a letter, in sizes of its font."""
MAP_HEIGHT = 420
LINES_HEIGHT = 300
LOWEST = 220
"""The heights of pictures without their words, in CSS pixels; a map of few rows is lower."""
ROW = 26
COLUMN = 60
"""The most that a row and a column of a map take, in CSS pixels."""
STEPS = (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 512)
"""How far apart the numbers on an axis of whole numbers may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """What runs along one side of a map: its title, the number of every row or column, and what one is called."""

    title: str
    places: Sequence[int]
    noun: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line: its name, a colour, and `band` (the least and the most at every place) where it stands for several."""

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    colour: str
    thickness: float = 3
    dash: str = "solid"
    markers: bool = False
    is_stepped: bool = False
    band: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
    is_named: bool = True


def signed_map(
    values: Array,
    *,
    x: Axis,
    y: Axis,
    number: str,
    title: str,
    note: str,
    reach: float | None = None,
    is_square: bool = False,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Numbers [n_rows, n_columns] in colours from -reach to reach, 0 in the middle; minus infinity is grey.

    `number` is what a cell holds, in words. `reach` is the largest absolute value if it is not given.
    """
    size, palette = style.sizes(width), style.PALETTES[theme]
    masked = np.isneginf(values)
    finite = np.where(masked, np.float32(np.nan), values)
    end = reach if reach is not None else max(float(np.nanmax(np.abs(finite), initial=0)), 1e-6)
    layout = _map_layout(values.shape, x, y, title=title, note=note, is_square=is_square, theme=theme, size=size)
    figure = go.Figure(layout=layout)
    cell = f"{escape(y.noun)} %{{y}}, {escape(x.noun)} %{{x}}"
    if masked.any():
        figure.add_trace(_grey(masked, x, y, cell, palette))
    return figure.add_trace(
        go.Heatmap(
            z=finite,
            x=np.asarray(x.places),
            y=np.asarray(y.places),
            zmin=-end,
            zmax=end,
            colorscale=style.colour_scale(palette.diverging),
            colorbar=_colour_bar(number, palette, size),
            hoverongaps=False,
            hovertemplate=f"{cell}<br>{escape(number)} %{{z:{style.SCORE_FORMAT}}}<extra></extra>",
        )
    )


def line_chart(
    lines: Sequence[Line],
    *,
    x_title: str,
    y_title: str,
    title: str,
    note: str,
    x_noun: str,
    y_range: tuple[float, float] | None = None,
    is_logarithmic: bool = False,
    number: str = style.SCORE_FORMAT,
    ticks: Sequence[int] | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Lines on one pair of axes; their names stand above in their colours. Zero is marked where it is on the axis.

    `x_noun` is what the pointer calls a place, `number` how it reads a value, `y_range` the ends of a plain axis.
    """
    size, palette = style.sizes(width), style.PALETTES[theme]
    left, right = 4.4 * size.label + 1.8 * size.axis, 2.0 * size.gap
    axis_height = 1.8 * size.label + 1.8 * size.axis
    names = _names(lines, size, pixels=size.page - 2 * size.gap)
    top = 2.6 * size.title + 1.5 * size.word * len(names)
    words = style.wrapped(note, size, pixels=size.page - 2 * size.gap)
    bottom = axis_height + size.gap + 1.45 * size.caption * len(words)
    tall = LOWEST if size.compact else LINES_HEIGHT
    figure = go.Figure()
    for line in lines:
        if line.band is not None:
            figure.add_traces(_band(line))
        figure.add_trace(_line(line, x_noun, number))
    axis: dict[str, Any] = {
        "tickfont": {"size": size.label, "color": palette.quiet},
        "gridcolor": palette.masked,
        "griddash": "dot",
        "zerolinecolor": palette.border,
        "zerolinewidth": 1.5,
        "automargin": False,
        "ticks": "",
    }
    return figure.update_layout(
        style.base_layout(theme, size, title=title)
        | {
            "width": size.page,
            "height": top + tall + bottom,
            "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
            "dragmode": False if size.compact else "zoom",
            "hovermode": "closest",
            "annotations": [
                style.caption(
                    "<br>".join(escape(text) for text in words), theme, size, below=axis_height + size.gap / 2
                )
                | {"xshift": size.gap // 2 - left},
                *_legend(names, size, left=left),
            ],
            "xaxis": axis
            | {"title": _axis_title(x_title, palette, size), "nticks": max(int((size.page - left) / 70), 2)}
            | ({"tickvals": list(ticks)} if ticks is not None else {}),
            "yaxis": axis
            | {"title": _axis_title(y_title, palette, size), "nticks": 6, "ticklabelstandoff": 5}
            | ({"type": "log", "dtick": 1, "exponentformat": "power"} if is_logarithmic else {})
            | ({"range": y_range} if y_range is not None else {}),
        }
    )


def _map_layout(
    shape: tuple[int, ...], x: Axis, y: Axis, *, title: str, note: str, is_square: bool, theme: Theme, size: Sizes
) -> dict[str, Any]:
    """The measures of a map: as wide as there is room, at most square, its axes' names outside."""
    palette = style.PALETTES[theme]
    n_rows, n_columns = shape
    longest = max(len(str(place)) for place in y.places)
    left = LETTER * size.label * longest + 2.2 * size.axis + 1.5 * size.gap
    right = float(size.gap if size.compact else 96)
    wide = min(size.page - left - right, max(COLUMN * n_columns, size.least))
    tall = float(min(MAP_HEIGHT, max(ROW * n_rows, size.least)))
    if is_square:
        wide = tall = min(wide, size.side, max(ROW * n_rows, size.least))
    words = style.wrapped(note, size, pixels=max(left + wide + right, min(size.page, 420)) - 2 * size.gap)
    top = 2.6 * size.title + 2.0 * size.axis + 1.6 * size.label
    bottom = 1.5 * size.gap + 1.45 * size.caption * len(words) + (5.5 * size.bar if size.compact else 0)
    caption = style.caption("<br>".join(escape(text) for text in words), theme, size, below=size.gap // 2)
    axis: dict[str, Any] = {
        "tickfont": {"size": size.label},
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "automargin": False,
        "ticklabelstandoff": 4,
    }
    return style.base_layout(theme, size, title=title) | {
        "width": max(left + wide + right, min(size.page, 420)),
        "height": top + tall + bottom,
        "margin": {"l": left, "r": max(right, min(size.page, 420) - left - wide), "t": top, "b": bottom, "pad": 0},
        "dragmode": False if size.compact else "zoom",
        "annotations": [caption | {"xshift": size.gap // 2 - left}],
        "xaxis": axis | _whole(x, wide, size, palette) | {"side": "top", "range": _ends(x.places)},
        "yaxis": axis | _whole(y, tall, size, palette) | {"range": _ends(y.places)[::-1]},
    }


def _whole(along: Axis, pixels: float, size: Sizes, palette: Palette) -> dict[str, Any]:
    """Ticks at whole numbers only, a few of them."""
    first, last = along.places[0], along.places[-1]
    most = max(int(pixels / (4.5 * size.label)), 2)
    step = next((step for step in STEPS if abs(last - first) / step < most), STEPS[-1])
    inside = [place for place in range(min(first, last), max(first, last) + 1) if place % step == 0]
    return {"title": _axis_title(along.title, palette, size), "tickvals": inside}


def _ends(places: Sequence[int]) -> list[float]:
    return [places[0] - 0.5, places[-1] + 0.5]


def _axis_title(text: str, palette: Palette, size: Sizes) -> dict[str, Any]:
    return {"text": text, "font": {"size": size.axis, "color": palette.quiet}, "standoff": 6}


def _grey(masked: NDArray[np.bool_], x: Axis, y: Axis, cell: str, palette: Palette) -> go.Heatmap:
    return go.Heatmap(
        z=np.where(masked, np.float32(1), np.float32(np.nan)),
        x=np.asarray(x.places),
        y=np.asarray(y.places),
        colorscale=style.colour_scale((palette.masked, palette.masked)),
        showscale=False,
        hoverongaps=False,
        hovertemplate=f"{cell}<br>masked: this query may not look here<extra></extra>",
    )


def _colour_bar(number: str, palette: Palette, size: Sizes) -> dict[str, Any]:
    """The scale beside the map, or under its caption on a telephone."""
    quiet = {"size": size.caption, "color": palette.quiet}
    shared = {
        "thickness": size.bar,
        "outlinewidth": 0,
        "tickfont": quiet,
        "nticks": 5,
        "title": {"text": escape(number) + "  ", "font": quiet} | ({} if size.compact else {"side": "right"}),
    }
    if size.compact:
        below = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "ypad": 4, "len": 1}
        return shared | below | {"tickangle": 0}
    return shared | {"x": 1, "xpad": size.gap, "y": 1, "yanchor": "top", "lenmode": "pixels", "len": 190}


def _line(line: Line, x_noun: str, number: str) -> go.Scatter:
    return go.Scatter(
        x=line.x,
        y=line.y,
        name=escape(line.name),
        mode="lines+markers" if line.markers else "lines",
        line={
            "color": line.colour,
            "width": line.thickness,
            "dash": line.dash,
            "shape": "hvh" if line.is_stepped else "linear",
        },
        marker={"size": 7, "color": line.colour},
        hovertemplate=f"<b>{escape(line.name)}</b><br>{escape(x_noun)} %{{x:d}}<br>%{{y:{number}}}<extra></extra>",
    )


def _band(line: Line) -> list[go.Scatter]:
    """The area between the least and the most, in the colour of the line."""
    least, most = line.band or (line.y, line.y)
    edge: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "x": line.x}
    return [
        go.Scatter(**edge, y=least),
        go.Scatter(**edge, y=most, fill="tonexty", fillcolor=_transparent(line.colour)),
    ]


def _transparent(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"


def _names(lines: Sequence[Line], size: Sizes, *, pixels: float) -> list[list[Line]]:
    """The named lines, as many in a row as fit."""
    rows: list[list[Line]] = []
    used = pixels
    for line in lines:
        if not line.is_named:
            continue
        needed = 1.1 * LETTER * size.label * (columns(line.name) + 6)
        if used + needed > pixels:
            rows.append([])
            used = 0
        rows[-1].append(line)
        used += needed
    return rows


def _legend(rows: Sequence[Sequence[Line]], size: Sizes, *, left: float) -> list[dict[str, Any]]:
    """Every name in its colour behind a square, above the picture."""
    text = "<br>".join(
        "    ".join(f'<span style="color:{line.colour}">■ <b>{escape(line.name)}</b></span>' for line in row)
        for row in rows
    )
    above = {"xref": "paper", "x": 0, "xanchor": "left", "yref": "paper", "y": 1, "yanchor": "bottom", "yshift": 4}
    place = above | {"xshift": size.gap // 2 - left, "align": "left", "showarrow": False}
    return [place | {"text": text, "font": {"size": size.label}}] if rows else []


if __name__ == "__main__":
    steps = np.arange(40, dtype=np.float64)
    signed_map(
        np.cos(steps[:, None] * steps / 60).astype(np.float32),
        x=Axis(title="column", places=range(40), noun="column"),
        y=Axis(title="row", places=range(40), noun="row"),
        number="value", title="A map", note="Made up.",
    ).show()  # fmt: skip
    line_chart(
        [Line(name="cosine", x=steps, y=np.cos(steps / 5), colour=style.LIGHT.bar)],
        x_title="place", y_title="value", title="A line", note="Made up.", x_noun="place",
    ).show()  # fmt: skip
