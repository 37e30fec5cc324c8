"""Vectors of many tokens as coloured bands: panels beside each other where there is room, else one below the other.

A row is a token, a column a dimension. Colours are diverging and centred at 0; every panel says where its colours end.
The panels of a figure share their rows, so that a token is followed through all of them on one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.record import Array, Token
from viz import theme as style
from viz.theme import Palette, Sizes, Theme
from viz.tokens import SHORT, escape, token_labels, token_texts
from viz.tokens import width as columns_of

WIDEST = 1400
"""The widest these pictures become: five panels need more room than one."""
BESIDE = 760
"""From this width on, the panels stand beside each other."""
LETTER = 0.6
"""The width of a column of text, in sizes of its font."""
NOT_SEEN = "may not look"
CLIP = 2.0
"""Where the largest number is more than this many times the 99th percentile, colours end at the percentile."""

_ROW = "<b>%{y}</b> (position %{y:d})<br>"
"""What the pointer reads first: the token of the row, from the axis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows from the top: their positions among `tokens`, the tokens of the whole text.

    `called` is a position that is called out, `held` another one; both may be missing from the rows.
    """

    tokens: tuple[Token, ...]
    positions: tuple[int, ...]
    called: int | None = None
    held: int | None = None

    def __len__(self) -> int:
        return len(self.positions)

    def picked(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Of texts for all tokens those of the rows: a piece is spelled by what stands before it in the text."""
        return tuple(texts[position] for position in self.positions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A panel of coloured cells: `values` [n_rows, n_columns], NaN where the query may not look.

    `hover` is a plotly template in which `%{z}` is the value, `%{x}` the column and `%{customdata}` what `extra` holds
    for a cell. `headings` name few columns, whose numbers are then written into the cells with two decimals.
    `columns` are the numbers of the columns, 0, 1, … if none are given.
    """

    name: str
    values: Array
    hover: str
    extra: Array | None = None
    reach: float | None = None
    headings: tuple[str, ...] = ()
    columns: tuple[int, ...] = ()
    share: float = 1.0

    @property
    def end(self) -> float:
        """The value at which the strongest colour is reached."""
        return colour_end(self.values) if self.reach is None else self.reach


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightBars:
    """A panel of bars from 0 to 1, one a row and a series; a series has a plain name and `weights` [n_rows]."""

    name: str
    series: tuple[tuple[str, Array], ...]
    share: float = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A panel, with a band of a single row above it and one below it where there are any."""

    panel: Band | WeightBars
    above: Band | None = None
    below: Band | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a piece stands, in pixels from the left and from the top of the figure."""

    piece: Band | WeightBars
    left: float
    right: float
    top: float
    bottom: float
    has_rows: bool
    has_labels: bool


def colour_end(values: Array) -> float:
    """Where the colours of these values end: at the largest, or at the 99th percentile if few are far beyond it."""
    finite = np.abs(values[np.isfinite(values)])
    if not finite.size:
        return 1.0
    largest, usual = float(finite.max()), float(np.percentile(finite, 99))
    return max(usual if largest > CLIP * usual > 0 else largest, 1e-6)


def panel_sizes(width: int) -> Sizes:
    """The lengths for these pictures, which may become wider than others."""
    return replace(style.sizes(width), page=min(width, WIDEST))


def panel_figure(
    columns: Sequence[Column], rows: Rows, *, title: str, note: str, theme: Theme = "light", width: int = WIDEST
) -> go.Figure:
    """All panels over the same rows; `note` is the plain caption, `title` may hold a token that is already escaped."""
    size, palette = panel_sizes(width), style.PALETTES[theme]
    places = list(_beside(columns, rows, size) if width >= BESIDE else _stacked(columns, rows, size))
    picture_end = max(place.bottom + (_foot(size) if place.has_rows else 0) for place in places)
    lines = style.wrapped(note, size, pixels=size.page - 2 * size.gap)
    height = picture_end + size.gap + 1.5 * size.caption * len(lines)
    figure = go.Figure(layout=style.base_layout(theme, size, title=title))
    annotations = []
    axes: dict[str, Any] = {}
    for number, place in enumerate(places, start=1):
        suffix = "" if number == 1 else str(number)
        for trace in _traces(place, rows, size, palette):
            figure.add_trace(trace.update(xaxis=f"x{suffix}", yaxis=f"y{suffix}"))
        axes[f"xaxis{suffix}"] = _x_axis(place, size, palette) | {
            "domain": [place.left / size.page, place.right / size.page],
            "anchor": f"y{suffix}",
        }
        axes[f"yaxis{suffix}"] = _y_axis(place, rows, size, palette) | {
            "domain": [1 - place.bottom / height, 1 - place.top / height],
            "anchor": f"x{suffix}",
        }
        annotations.append(_heading(place, size, palette, height))
    caption = style.caption("<br>".join(escape(line) for line in lines), theme, size, below=0)
    annotations.append(caption | {"y": 1 - (picture_end + size.gap / 2) / height, "xshift": size.gap // 2})
    return figure.update_layout(
        **axes,
        width=size.page,
        height=height,
        margin={"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
        annotations=annotations,
        dragmode=False if size.compact else "zoom",
        bargap=0.12,
        bargroupgap=0,
    )


# -- where the pieces stand -------------------------------------------------------------------------------------------


def row_height(n_rows: int, size: Sizes) -> float:
    """Rows in which a label can be read, as long as there are not more of them than a screen has."""
    least, most, tall = (14, 20, 420) if size.compact else (16, 27, 520)
    return max(min(tall / n_rows, most), least if n_rows <= 80 else tall / n_rows * 2)


def _label_width(rows: Rows, size: Sizes) -> float:
    longest = max(columns_of(text) for text in rows.picked(token_texts(rows.tokens, limit=SHORT)))
    return LETTER * size.label * max(longest, 3) + 1.5 * size.gap


def _header(size: Sizes) -> float:
    """The two lines above a panel: what it is, and where its colours end."""
    return 1.4 * size.label + 1.4 * size.caption


def _foot(size: Sizes) -> float:
    """The numbers of the dimensions under a panel."""
    return 1.8 * size.caption


def _start(size: Sizes) -> float:
    return 2.4 * size.title


def _beside(columns: Sequence[Column], rows: Rows, size: Sizes) -> Iterator[_Place]:
    """Panels on one line; what belongs above and below a panel is aligned with it."""
    gap = 1.4 * size.gap
    left = _label_width(rows, size)
    room = size.page - left - gap * len(columns)
    unit = room / sum(column.panel.share for column in columns)
    row = row_height(len(rows), size)
    band = min(row, size.label * 1.6)
    has_above = any(column.above for column in columns)
    top = _start(size) + _header(size) + (band + _header(size) + size.gap / 2 if has_above else 0)
    bottom = top + row * len(rows)
    for index, column in enumerate(columns):
        right = left + unit * column.panel.share
        shared = {"left": left, "right": right}
        yield _Place(piece=column.panel, **shared, top=top, bottom=bottom, has_rows=True, has_labels=index == 0)
        if column.above:
            above = top - _header(size) - size.gap / 2
            yield _Place(piece=column.above, **shared, top=above - band, bottom=above, has_rows=False, has_labels=False)
        if column.below:
            below = bottom + _foot(size) + _header(size)
            yield _Place(piece=column.below, **shared, top=below, bottom=below + band, has_rows=False, has_labels=False)
        left = right + gap


def _stacked(columns: Sequence[Column], rows: Rows, size: Sizes) -> Iterator[_Place]:
    """One piece below the other, for a telephone."""
    shared = {"left": _label_width(rows, size), "right": float(size.page - size.gap)}
    row = row_height(len(rows), size)
    top = _start(size)
    for column in columns:
        for piece in (column.above, column.panel, column.below):
            if piece is None:
                continue
            has_rows = piece is column.panel
            top += _header(size)
            bottom = top + row * (len(rows) if has_rows else 1)
            yield _Place(piece=piece, **shared, top=top, bottom=bottom, has_rows=has_rows, has_labels=has_rows)
            top = bottom + _foot(size) + size.gap / 2


# -- what stands there ------------------------------------------------------------------------------------------------


def _traces(place: _Place, rows: Rows, size: Sizes, palette: Palette) -> Iterator[Any]:
    if isinstance(place.piece, WeightBars):
        yield from _bars(place, place.piece, rows, size, palette)
        return
    band = place.piece
    y = rows.positions if place.has_rows else (0,)
    x = band.columns or tuple(range(band.values.shape[1]))
    masked = np.isnan(band.values)
    if masked.any():
        yield go.Heatmap(
            z=np.where(masked, np.float32(1), np.float32(np.nan)), x=x, y=y, showscale=False, hoverongaps=False,
            colorscale=style.colour_scale((palette.masked, palette.masked)),
            hovertemplate=f"{_ROW}masked: this query may not look here<extra></extra>",
        )  # fmt: skip
    yield go.Heatmap(
        z=band.values,
        x=x,
        y=y,
        zmin=-band.end,
        zmax=band.end,
        customdata=band.extra,
        colorscale=style.colour_scale(palette.diverging),
        showscale=False,
        hoverongaps=False,
        xgap=1 if band.headings else 0,
        ygap=1 if place.bottom - place.top > 6 * len(y) else 0,
        hovertemplate=(
            ("<b>%{y}</b> (position %{y:d})<br>" if place.has_rows else "") + band.hover + "<extra></extra>"
        ),
    )
    if band.headings and place.bottom - place.top > 1.1 * size.caption * len(y):
        yield _written(place, band, rows, size, palette)


def _written(place: _Place, band: Band, rows: Rows, size: Sizes, palette: Palette) -> go.Scatter:
    """The numbers in the cells, in the colour that is read on them: strong cells are far from the ground."""
    decimals = [_decimals(place, band, column, size) for column in range(band.values.shape[1])]
    texts: list[tuple[float, int, str, str]] = []
    for row, values in enumerate(band.values):
        if np.isnan(values).all():
            texts.append(((len(values) - 1) / 2, row, NOT_SEEN, palette.ink))
            continue
        for column, value in enumerate(values):
            colour = palette.ground if abs(value) > 0.55 * band.end else palette.ink
            texts.append((column, row, "−∞" if np.isnan(value) else f"{value:+.{decimals[column]}f}", colour))
    return go.Scatter(
        x=[column for column, *_ in texts],
        y=[rows.positions[row] for _, row, *_ in texts],
        text=[text for *_, text, _ in texts],
        mode="text",
        textfont={"size": size.caption, "color": [colour for *_, colour in texts]},
        hoverinfo="skip",
    )


def _decimals(place: _Place, band: Band, column: int, size: Sizes) -> int:
    """As many decimals as fit into the cells of a column, at most two."""
    room = (place.right - place.left) / band.values.shape[1] / (0.66 * size.caption) - 0.5
    values = band.values[:, column]
    finite = np.abs(values[np.isfinite(values)])
    before = len(f"+{finite.max():.0f}") if finite.size else 2
    return int(np.clip(room - before - 1, 0, 2))


def _bars(place: _Place, bars: WeightBars, rows: Rows, size: Sizes, palette: Palette) -> Iterator[go.Bar]:
    """With two series, the first has the colour of the token that is called out."""
    several = len(bars.series) > 1
    colours = (palette.accent, palette.bar) if several else (palette.bar,)
    row = (place.bottom - place.top) / len(rows)
    font = size.caption - 2 if several else size.caption
    fits = row > 1.05 * font * len(bars.series)
    for (name, weights), colour in zip(bars.series, colours, strict=True):
        yield go.Bar(
            x=weights,
            y=rows.positions,
            orientation="h",
            marker={"color": colour, "line": {"width": 0}},
            text=["0" if weight == 0 else f"{weight:.2f}" for weight in weights] if fits else None,
            textposition="outside",
            textangle=0,
            cliponaxis=False,
            constraintext="none",
            textfont={"size": font, "color": palette.ink},
            hovertemplate=f"{_ROW}{escape(name)} %{{x:{style.WEIGHT_FORMAT}}}<extra></extra>",
        )


def _x_axis(place: _Place, size: Sizes, palette: Palette) -> dict[str, Any]:
    shared = {
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "tickangle": 0,
        "tickfont": {"size": size.caption, "color": palette.quiet},
        "automargin": False,
    }
    if isinstance(place.piece, WeightBars):
        room = 1 + 3.2 * size.caption / (place.right - place.left) * 1.2
        return shared | {"range": [0, room], "tickvals": [0, 0.5, 1], "fixedrange": True, "zeroline": True} | {
            "zerolinecolor": palette.border
        }  # fmt: skip
    band = place.piece
    n_columns = band.values.shape[1]
    if band.headings:
        names = [escape(name) for name in band.headings]
        return shared | {"tickvals": list(range(n_columns)), "ticktext": names, "fixedrange": True}
    numbers = list(band.columns or range(n_columns))
    n_ticks = max(int((place.right - place.left) / (3.2 * size.caption)), 2)
    if band.columns:
        shown = numbers if n_ticks >= n_columns else numbers[:: -(-n_columns // n_ticks)]
        return shared | {
            "type": "category", "tickvals": shown, "ticktext": [str(number) for number in shown],
            "showticklabels": place.has_rows,
        }  # fmt: skip
    step = next(each for each in (1, 2, 4, 8, 16, 32, 64, 128, n_columns) if each * n_ticks >= n_columns)
    return shared | {"tickvals": numbers[::step], "showticklabels": place.has_rows, "range": [-0.5, n_columns - 0.5]}


def _y_axis(place: _Place, rows: Rows, size: Sizes, palette: Palette) -> dict[str, Any]:
    if not place.has_rows:
        return {"visible": False, "fixedrange": True}
    n_rows = len(rows)
    row = (place.bottom - place.top) / n_rows
    font = max(int(min(size.label, 0.85 * row)), 11)
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": rows.positions,
        "range": [n_rows - 0.5, -0.5],
        "labelalias": _labels(rows, palette),
        "nticks": max(int((place.bottom - place.top) / (1.15 * font)), 2),
        "tickfont": {"size": font},
        "showticklabels": place.has_labels,
        "matches": "y" if not place.has_labels else None,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "ticklabelstandoff": size.gap // 2,
        "automargin": False,
    }


def _labels(rows: Rows, palette: Palette) -> dict[str, str]:
    """Token texts by position; the tokens that are called out are bold and in colour."""
    labels = dict(zip(map(str, rows.positions), rows.picked(token_labels(rows.tokens)), strict=True))
    for position, colour in ((rows.held, palette.bar), (rows.called, palette.accent)):
        name = str(position)
        if name in labels:
            labels[name] = f'<span style="color:{colour}"><b>{labels[name]}</b></span>'
    return labels


def _heading(place: _Place, size: Sizes, palette: Palette, height: float) -> dict[str, Any]:
    """What a panel is, and where its colours end."""
    piece = place.piece
    wide = place.right - place.left
    font = min(float(size.label), wide / (LETTER * max(len(piece.name), 1)))
    ends = "" if isinstance(piece, WeightBars) else f"colours to ±{piece.end:.3g}"
    if isinstance(piece, Band) and piece.reach is None and np.nanmax(np.abs(piece.values), initial=0) > piece.end:
        ends += " and on"
    if LETTER * size.caption * len(ends) > wide + size.gap:
        ends = ends.removeprefix("colours to ")
    second = f'<br><span style="font-size:{size.caption}px;color:{palette.quiet}">{ends or " "}</span>'
    return {
        "text": f"<b>{escape(piece.name)}</b>{second}",
        "font": {"size": int(font)},
        "xref": "paper",
        "x": place.left / size.page,
        "xanchor": "left",
        "yref": "paper",
        "y": 1 - place.top / height,
        "yanchor": "bottom",
        "align": "left",
        "showarrow": False,
    }
