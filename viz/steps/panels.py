"""Several arrays in one picture, each a coloured table with its letter and its shape: inputs, then outputs.

Rows are tokens, columns are tokens or dimensions. Where there is no room beside each other, the tables are below each
other; the sign between two of them, "+" or "=", is then in front of the second one's title.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, Token
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import said, tr
from viz.kit.layout import colour_bar_below
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape, token_labels
from viz.kit.tokens import width as columns_of
from viz.steps.layout import LETTER, Panel, TablePlace, place_tables

MAX_CELLS = 60_000
"""Cells of a table; a larger one is drawn in blocks, each with its strongest number: 4 bytes a cell and table."""
MAX_ROWS = 512
THIN = 8
"""A frame around a row of fewer pixels than this would cover it: it is thinner, and a row away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _DrawnPanel:
    """The parts of a figure that belong to one panel. All are given to plotly at once: each later addition would copy
    the whole layout."""

    traces: list[go.Heatmap]
    axes: dict[str, Any]
    texts: list[dict[str, Any]]
    frames: list[dict[str, Any]]


@check_arguments
def panel_picture(
    panels: Sequence[Panel],
    *,
    title: str,
    notes: Sequence[str] = (),
    row: int | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the tables in reading order, with the notes below; a frame follows the token `row`."""
    size = replace(style.sizes(width), page=width)
    thinned = [_pool_panel(panel) for panel in panels]
    places, bottom = place_tables([panel for panel, _ in thinned], size)
    lines = style.wrap_text(" ".join(_notes(panels, [note for _, note in thinned], notes)), size, pixels=width - 30)
    height = bottom + size.gap + 1.5 * size.caption * len(lines)
    parts = [
        _draw_panel(place, number, wide=width, high=height, row=row, size=size, theme=theme)
        for number, place in enumerate(places, start=1)
    ]
    note = style.caption("<br>".join(escape(line) for line in lines), theme, size, below=0)
    layout = style.base_layout(theme, size, title=title) | {
        "width": width,
        "height": height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
        "dragmode": False if size.compact else "zoom",  # a finger that drags wants to scroll the page
        "annotations": [
            *(text for part in parts for text in part.texts),
            note | {"y": 1 - bottom / height, "xshift": size.gap // 2},
        ],
        "shapes": [frame for part in parts for frame in part.frames],
    }
    for part in parts:
        layout |= part.axes
    return Figure(data=[trace for part in parts for trace in part.traces], layout=layout)


def _notes(panels: Sequence[Panel], thinned: Sequence[str], notes: Sequence[str]) -> list[str]:
    clipped = ", ".join(dict.fromkeys(panel.symbol for panel in panels if panel.is_clipped))
    ends = tr(
        "A few numbers of {symbols} are beyond the end of the colours; point at them to read them.", symbols=clipped
    )
    grey = tr("Grey: masked, a query cannot look there.")
    hidden = any(np.isnan(panel.values).any() for panel in panels)
    ours = ([grey] if hidden else []) + ([ends] if clipped else [])
    return [part for part in dict.fromkeys((*notes, *ours, *thinned)) if part]


def _pool_panel(panel: Panel) -> tuple[Panel, str]:
    """Return the panel, pooled if it has too many cells for a browser, and a sentence on the pooling."""
    n_rows, n_columns = panel.values.shape
    down = math.ceil(n_rows / MAX_ROWS)
    across = math.ceil(n_columns * math.ceil(n_rows / down) / MAX_CELLS)
    if panel.columns is not None and panel.rows is not None:
        down = across = max(down, math.ceil(math.sqrt(n_rows * n_columns / MAX_CELLS)))
    if down == across == 1:
        return panel, ""
    note = tr(
        "{symbol} is large: each cell shows the strongest of {down} × {across} numbers.",
        symbol=panel.symbol,
        down=down,
        across=across,
    )
    return replace(panel, values=strongest(panel.values, down=down, across=across), down=down, across=across), note


def strongest(values: Array, *, down: int, across: int) -> Array:
    """Return the number of largest size in every block of down x across; NaN only where the whole block is NaN."""
    rows, columns = np.arange(0, values.shape[0], down), np.arange(0, values.shape[1], across)
    high = np.fmax.reduceat(np.fmax.reduceat(values, rows, axis=0), columns, axis=1)
    low = np.fmin.reduceat(np.fmin.reduceat(values, rows, axis=0), columns, axis=1)
    picked: Array = np.where(high >= -low, high, low)
    return picked


def _draw_panel(
    place: TablePlace, number: int, *, wide: float, high: float, row: int | None, size: Sizes, theme: Theme
) -> _DrawnPanel:
    """Lay out a panel in its place, the `number`-th of a picture of wide x high pixels."""
    palette, panel = style.PALETTES[theme], place.panel
    suffix = "" if number == 1 else str(number)
    across = _axis(panel.columns, panel.values.shape[1], panel.across, place.wide, size) | {
        "anchor": f"y{suffix}",
        "domain": [place.left / wide, (place.left + place.wide) / wide],
        "side": "top",
        "tickangle": 0 if panel.columns is None else -90,
    }
    down = _axis(panel.rows, panel.values.shape[0], panel.down, place.tall, size) | {
        "anchor": f"x{suffix}",
        "domain": [1 - (place.top + place.tall) / high, 1 - place.top / high],
        "showticklabels": place.names_rows,
    }
    down["range"] = down["range"][::-1]
    bar = _colour_bar(place, wide=wide, high=high, size=size, palette=palette)
    masked = [_draw_masked_cells(panel, palette)] if np.isnan(panel.values).any() else []
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
    return _DrawnPanel(
        traces=[trace.update(axes) for trace in (*masked, _cells(panel, bar, palette))],
        axes={f"xaxis{suffix}": across, f"yaxis{suffix}": down},
        texts=_texts(place, wide=wide, high=high, size=size, palette=palette),
        frames=_frames(place, suffix, row=row, palette=palette),
    )


def _axis(tokens: tuple[Token, ...] | None, n_cells: int, step: int, length: float, size: Sizes) -> dict[str, Any]:
    """Return tokens as categories, thinned out where letters would touch; of the dimensions, the first and the last."""
    shared = {"showgrid": False, "zeroline": False, "ticks": "", "tickfont": {"size": size.label}, "automargin": False}
    if tokens is None:
        last = (n_cells - 1) * step
        return shared | {
            "type": "linear",
            "tickvals": [0, last] if last else [0],
            "tickfont": {"size": size.caption},
            "range": [-0.5 * step, last + 0.5 * step],
        }
    positions = _positions(n_cells, step)
    labels = token_labels(tokens)
    return shared | {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": positions,
        "labelalias": {str(position): labels[position] for position in positions},
        "nticks": max(int(length / (1.05 * size.label)), 2),
        "ticklabelstandoff": size.gap // 3,
        "range": [-0.5, n_cells - 0.5],
    }


def _positions(n_cells: int, step: int) -> list[int]:
    return list(range(0, n_cells * step, step))


def _cells(panel: Panel, bar: dict[str, Any], palette: Palette) -> go.Heatmap:
    number = style.SCORE_FORMAT if panel.is_signed else style.WEIGHT_FORMAT
    return go.Heatmap(
        z=panel.values,
        x=_positions(panel.values.shape[1], panel.across),
        y=_positions(panel.values.shape[0], panel.down),
        zmin=-panel.reach if panel.is_signed else 0,
        zmax=panel.reach,
        colorscale=style.colour_scale(palette.diverging if panel.is_signed else palette.sequential),
        colorbar=bar,
        hoverongaps=False,
        hovertemplate=f"{_reading(panel)}<br>{escape(panel.symbol)} %{{z:{number}}}<extra></extra>",
    )


def _draw_masked_cells(panel: Panel, palette: Palette) -> go.Heatmap:
    """Return grey cells where a query may not look."""
    masked = tr("masked: this query cannot look here")
    return go.Heatmap(
        z=np.where(np.isnan(panel.values), np.float32(1), np.float32(np.nan)),
        x=_positions(panel.values.shape[1], panel.across),
        y=_positions(panel.values.shape[0], panel.down),
        colorscale=style.colour_scale((palette.masked, palette.masked)),
        showscale=False,
        hoverongaps=False,
        hovertemplate=f"{_reading(panel)}<br>{masked}<extra></extra>",
    )


def _reading(panel: Panel) -> str:
    """Return the hover text for row and column; plotly takes the names of tokens from the axes."""
    row, column = (
        tr("dimension {dimension}", dimension=f"%{{{axis}:d}}")
        if tokens is None
        else tr("{token} (position {position})", token=f"<b>%{{{axis}}}</b>", position=f"%{{{axis}:d}}")
        for axis, tokens in (("y", panel.rows), ("x", panel.columns))
    )
    cell = f"{row}{' → ' if panel.rows is not None and panel.columns is not None else ', '}{column}"
    if panel.down == panel.across == 1:
        return cell
    return tr("{cell} and the {down} × {across} from here", cell=cell, down=panel.down, across=panel.across)


def _colour_bar(place: TablePlace, *, wide: float, high: float, size: Sizes, palette: Palette) -> dict[str, Any]:
    """Return the colour bar below its table, as long as the table is wide."""
    panel = place.panel
    less, more = ("≤ ", "≥ ") if panel.is_clipped else ("", "")
    ends = f"{panel.reach:.3g}"
    least: dict[float, str] = {-panel.reach: f"{less}−{ends}"} if panel.is_signed else {}
    ticks = least | {0: "0", panel.reach: f"{more}{ends}"}
    x, y = place.left / wide, 1 - (place.top + place.tall + size.gap / 2) / high
    return colour_bar_below(x, y, length=place.wide, ticks=ticks, palette=palette, size=size)


def _texts(place: TablePlace, *, wide: float, high: float, size: Sizes, palette: Palette) -> list[dict[str, Any]]:
    """Return the title with the shape, and the sign that joins the table to the one before."""
    panel = place.panel
    sign, _, words = panel.sign.partition("|")
    before = f"{escape(' '.join(part for part in (sign, words) if part))} " if place.begins_line else ""
    room = max(int(place.wide / (LETTER * size.label)), 12)
    name = f"{panel.symbol} · {said(panel.name)}"
    lines = textwrap.wrap(name, max(room * len(name) // columns_of(name), 6))  # a Korean letter is two columns wide
    shape = f"<span style='font-size:{size.caption}px'>{escape(panel.shape)}</span>"
    title = {
        "text": f"{before}<b>{'<br>'.join(map(escape, lines))}</b><br>{shape}",
        "x": place.left / wide,
        "xanchor": "left",
        "y": 1 - (place.top - place.header) / high,
        "yanchor": "top",
        "font": {"size": size.label, "color": palette.ink},
        "align": "left",
    }
    texts = [title]
    if sign and not place.begins_line:
        small = f"<br><span style='font-size:{size.caption}px'>{escape(words)}</span>" if words else ""
        texts.append(
            {
                "text": f"<b>{escape(sign)}</b>{small}",
                "x": place.sign_at / wide,
                "xanchor": "center",
                "y": 1 - (place.top + place.tall / 2) / high,
                "yanchor": "middle",
                "font": {"size": size.title, "color": palette.ink},
                "align": "center",
            }
        )
    return [text | {"xref": "paper", "yref": "paper", "showarrow": False} for text in texts]


def _frames(place: TablePlace, suffix: str, *, row: int | None, palette: Palette) -> list[dict[str, Any]]:
    """Return a frame around the token that is followed, and one around a part of the columns."""
    panel = place.panel
    n_rows, n_columns = panel.values.shape
    shared = {"type": "rect", "xref": f"x{suffix}", "yref": f"y{suffix}"}
    step = 1 if panel.columns is not None else panel.across
    frames = []
    if row is not None and panel.is_asking and panel.rows is not None:
        drawn_row, is_thin = row // panel.down, place.tall / n_rows < THIN
        aside = 1.5 if is_thin else 0.5
        line = {"color": palette.accent, "width": 1 if is_thin else 2}
        across = {"x0": -0.5 * step, "x1": (n_columns - 0.5) * step}
        frames.append(across | {"y0": drawn_row - aside, "y1": drawn_row + aside, "line": line})
    if panel.marked is not None:
        begin, end = panel.marked
        marked = {"x0": begin - 0.5, "x1": end + 0.5, "y0": -0.5, "y1": n_rows - 0.5}
        frames.append(marked | {"line": {"color": palette.accent, "width": 2, "dash": "dot"}})
    return [shared | frame for frame in frames]


if __name__ == "__main__":
    from viz.kit.demos.records import tokens_of

    words = tokens_of("[CLS] The cat sat . [SEP]")
    drawn = np.random.default_rng(0).normal(size=(6, 16)).astype(np.float32)
    queries = Panel(symbol="Q", name="queries", shape="[6, 16]", values=drawn, rows=words, columns=None, reach=2)
    panel_picture([queries, replace(queries, symbol="2Q", values=2 * drawn, sign="+")], title="Two tables").show()
