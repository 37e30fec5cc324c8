"""Vectors of many tokens as coloured bands, in panels that share their rows.

A row is a token, a column a dimension. Colours are diverging and centred at 0; every panel says where its
colours end. A token is followed through all panels on one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.kit import theme as style
from viz.kit.figures.panel_layout import LETTER, Band, Column, PanelPlace, Rows, WeightBars, foot, places
from viz.kit.figures.still import Figure
from viz.kit.language import said, shown, to_say, tr
from viz.kit.layout import MASKED
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape, token_labels
from viz.kit.tokens import width as columns_of

WIDEST = 1400
"""The widest these pictures become: five panels need more room than one."""
NOT_SEEN = to_say("cannot look")


def panel_figure(
    columns: Sequence[Column], rows: Rows, *, title: str, note: str, theme: Theme = "light", width: int = WIDEST
) -> go.Figure:
    """Draw all panels over the same rows; `note` is the plain caption, `title` may hold a token that is already
    escaped."""
    size, palette = _sizes(width), style.PALETTES[theme]
    placed = places(columns, rows, size)
    picture_end = max(place.bottom + (foot(size) if place.has_rows else 0) for place in placed)
    lines = style.wrap_text(note, size, pixels=size.page - 2 * size.gap)
    height = picture_end + size.gap + 1.5 * size.caption * len(lines)
    traces, annotations = [], []
    axes: dict[str, Any] = {}
    for number, place in enumerate(placed, start=1):
        suffix = "" if number == 1 else str(number)
        traces += [
            trace.update(xaxis=f"x{suffix}", yaxis=f"y{suffix}") for trace in _traces(place, rows, size, palette)
        ]
        domains = {
            "x": [place.left / size.page, place.right / size.page],
            "y": [1 - place.bottom / height, 1 - place.top / height],
        }
        axes[f"xaxis{suffix}"] = _x_axis(place, size, palette) | {"domain": domains["x"], "anchor": f"y{suffix}"}
        axes[f"yaxis{suffix}"] = _y_axis(place, rows, size, palette) | {"domain": domains["y"], "anchor": f"x{suffix}"}
        annotations.append(_heading(place, size, palette, height))
    caption = style.caption("<br>".join(escape(line) for line in lines), theme, size, below=0)
    annotations.append(caption | {"y": 1 - (picture_end + size.gap / 2) / height, "xshift": size.gap // 2})
    layout = style.base_layout(theme, size, title=title) | axes
    return Figure(
        traces,
        layout
        | {
            "width": size.page,
            "height": height,
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
            "annotations": annotations,
            "dragmode": False if size.compact else "zoom",
            "bargap": 0.12,
            "bargroupgap": 0,
        },
    )


def _sizes(width: int) -> Sizes:
    """Return the sizes for these pictures, which may be wider than others."""
    return replace(style.sizes(width), page=min(width, WIDEST))


def _traces(place: PanelPlace, rows: Rows, size: Sizes, palette: Palette) -> Iterator[Any]:
    if isinstance(place.piece, WeightBars):
        yield from _bars(place, place.piece, rows, size, palette)
        return
    band = place.piece
    y = rows.positions if place.has_rows else (0,)
    x = band.columns or tuple(range(band.values.shape[1]))
    masked = np.isnan(band.values)
    if masked.any():
        yield go.Heatmap(
            z=np.where(masked, np.float32(1), np.float32(np.nan)),
            x=x,
            y=y,
            showscale=False,
            hoverongaps=False,
            colorscale=style.colour_scale((palette.masked, palette.masked)),
            hovertemplate=f"{_row_read()}{said(MASKED)}<extra></extra>",
        )
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
        hovertemplate=f"{_row_read() if place.has_rows else ''}{band.hover}<extra></extra>",
    )
    if band.headings and place.bottom - place.top > 1.1 * size.caption * len(y):
        yield _draw_numbers(place, band, rows, size, palette)


def _row_read() -> str:
    """Return the first line of the hover text: the token of the row, from the axis."""
    return "<b>%{y}</b> " + tr("(position {position})", position="%{y:d}") + "<br>"


def _draw_numbers(place: PanelPlace, band: Band, rows: Rows, size: Sizes, palette: Palette) -> go.Scatter:
    """Return the numbers in the cells, in readable colours."""
    decimals = [_decimals(place, band, column, size) for column in range(band.values.shape[1])]
    texts: list[tuple[float, int, str, str]] = []
    for row, values in enumerate(band.values):
        if np.isnan(values).all():
            texts.append(((len(values) - 1) / 2, row, said(NOT_SEEN), palette.ink))
            continue
        for column, value in enumerate(values):
            colour = palette.ground if abs(value) > 0.55 * band.end else palette.ink
            text = "−∞" if np.isnan(value) else style.number(value, digits=decimals[column], plus=True)
            texts.append((column, row, text, colour))
    return go.Scatter(
        x=[column for column, *_ in texts],
        y=[rows.positions[row] for _, row, *_ in texts],
        text=[text for *_, text, _ in texts],
        mode="text",
        textfont={"size": size.caption, "color": [colour for *_, colour in texts]},
        hoverinfo="skip",
    )


def _decimals(place: PanelPlace, band: Band, column: int, size: Sizes) -> int:
    """Return the number of decimals that fit into the cells of a column, at most two."""
    room = (place.right - place.left) / band.values.shape[1] / (0.66 * size.caption) - 0.5
    values = band.values[:, column]
    finite = np.abs(values[np.isfinite(values)])
    before = len(f"+{finite.max():.0f}") if finite.size else 2
    return int(np.clip(room - before - 1, 0, 2))


def _bars(place: PanelPlace, bars: WeightBars, rows: Rows, size: Sizes, palette: Palette) -> Iterator[go.Bar]:
    """Yield the bars of a panel. With two series, the first has the colour of the highlighted token."""
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
            hovertemplate=f"{_row_read()}{escape(name)} %{{x:{style.WEIGHT_FORMAT}}}<extra></extra>",
        )


def _x_axis(place: PanelPlace, size: Sizes, palette: Palette) -> dict[str, Any]:
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
        return (
            shared
            | {"range": [0, room], "tickvals": [0, 0.5, 1], "fixedrange": True, "zeroline": True}
            | {"zerolinecolor": palette.border}
        )
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
            "type": "category",
            "tickvals": shown,
            "ticktext": [str(number) for number in shown],
            "showticklabels": place.has_rows,
        }
    step = next(step for step in (1, 2, 4, 8, 16, 32, 64, 128, n_columns) if step * n_ticks >= n_columns)
    return shared | {"tickvals": numbers[::step], "showticklabels": place.has_rows, "range": [-0.5, n_columns - 0.5]}


def _y_axis(place: PanelPlace, rows: Rows, size: Sizes, palette: Palette) -> dict[str, Any]:
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
    """Return token texts by position; highlighted tokens are bold and in colour."""
    labels = dict(zip(map(str, rows.positions), rows.pick(token_labels(rows.tokens)), strict=True))
    for position, colour in ((rows.held, palette.bar), (rows.called, palette.accent)):
        name = str(position)
        if name in labels:
            labels[name] = f'<span style="color:{colour}"><b>{labels[name]}</b></span>'
    return labels


def _heading(place: PanelPlace, size: Sizes, palette: Palette, height: float) -> dict[str, Any]:
    """Return the heading of a panel: its name, and what it is, or the value at which its colours end."""
    piece = place.piece
    name, wide = shown(piece.name), place.right - place.left
    font = min(float(size.label), wide / (LETTER * max(columns_of(name), 1)))
    whole, short = (piece.about, "") if piece.about or isinstance(piece, WeightBars) else _colour_end(piece)
    ends = short if LETTER * size.caption * columns_of(whole) > wide + size.gap else whole
    second = f'<br><span style="font-size:{size.caption}px;color:{palette.quiet}">{escape(ends) or " "}</span>'
    return {
        "text": f"<b>{escape(name)}</b>{second}",
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


def _colour_end(band: Band) -> tuple[str, str]:
    """Return the value at which a band's colours end, in a long form and in a short one."""
    end = f"±{band.end:.3g}"
    if band.reach is None and np.nanmax(np.abs(band.values), initial=0) > band.end:
        return tr("colours to {end} and on", end=end), tr("{end} and on", end=end)
    return tr("colours to {end}", end=end), end


if __name__ == "__main__":
    from viz.kit.demos.records import random_record

    record = random_record()
    keys = Band(name="keys", values=record.key[0, 0], hover="dimension %{x}: %{z:+.4f}")
    weights = WeightBars(name="weight", series=(("weight", record.weights(0, 0)[2]),))
    over = Rows(tokens=record.key_tokens, positions=tuple(range(len(record.key_tokens))), called=2)
    panel_figure([Column(panel=keys), Column(panel=weights)], over, title="Panels", note="Made up.").show()
