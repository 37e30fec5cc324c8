"""The attention of two models over one sentence as two maps on one scale, with shared rows where possible.

Which rows those are, `viz.two_models.shared_rows` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import tr
from viz.kit.layout import colour_bar_below
from viz.kit.row_sums import rows_sum
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import SHORT, escape, plain_label, token_labels
from viz.two_models.map_parts import LETTER, DrawnMap, MapPlace, place_maps, read_map, row_of
from viz.two_models.shared_rows import (
    BOTH,
    LEFT,
    ModelHead,
    SharedRow,
    align_rows,
    cells_sentence,
    frame_notes,
    guessing_row,
    short_name,
)


@check_arguments
def two_maps(
    both: ModelHead,
    left: ModelHead,
    *,
    token: tuple[int | None, int | None] = (None, None),
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the two maps on one scale; with the same axes where the models cut the sentence alike.

    Beside each other where there is room. A frame marks the row from which each guesses `token`, a position in each.
    Raises SelectionError for a layer or head out of range.
    """
    size = replace(style.sizes(width), page=width)
    rows = align_rows(both.record.query_tokens, left.record.query_tokens)
    maps = [read_map(model, which, rows) for which, model in enumerate((both, left))]
    framed = [row_of(which, guessing_row(which, token[which]), rows) for which in (BOTH, LEFT)]
    places, bottom = place_maps(maps, size, shares_rows=rows is not None)
    notes = _notes((both, left), maps, rows) + frame_notes((both, left), token)
    lines = style.wrap_text(" ".join(notes), size, pixels=width - 2 * size.gap)
    scale_room = 3.2 * size.caption
    height = bottom + scale_room + 1.5 * size.caption * len(lines) + size.gap
    figure = Figure(
        layout=style.base_layout(theme, size, title=tr("The same sentence, two ways to look"))
        | {
            "width": width,
            "height": height,
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
            "dragmode": False if size.compact else "zoom",  # a finger that drags wants to scroll the page
        }
    )
    for number, (drawn, place) in enumerate(zip(maps, places, strict=True), start=1):
        _draw(figure, drawn, place, number, framed=framed[number - 1], height=height, size=size, theme=theme)
    figure.data[-1].update(showscale=True, colorbar=_colour_bar(places[0], bottom, height, size, style.PALETTES[theme]))
    note = style.caption("<br>".join(escape(line) for line in lines), theme, size, below=0)
    figure.add_annotation(note | {"y": 1 - (bottom + scale_room) / height, "xshift": size.gap // 2})
    return figure


def _draw(
    figure: go.Figure,
    drawn: DrawnMap,
    place: MapPlace,
    number: int,
    *,
    framed: int | None,
    height: float,
    size: Sizes,
    theme: Theme,
) -> None:
    """Draw the cells of a map, its axes, its title, and the frame around a row."""
    palette, suffix = style.PALETTES[theme], "" if number == 1 else str(number)
    wide = float(figure.layout.width)
    figure.update_layout(_axes(drawn, place, suffix, wide=wide, height=height, size=size))
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
    if np.isfinite(drawn.grey).any():
        figure.add_trace(_cells(drawn, drawn.grey, palette, is_grey=True).update(axes))
    figure.add_trace(_cells(drawn, drawn.shown, palette, is_grey=False).update(axes))
    figure.add_annotation(_heading(drawn, place, wide=wide, height=height, size=size, palette=palette))
    if framed is not None:
        row = framed // drawn.step
        figure.add_shape(
            type="rect",
            xref=f"x{suffix}",
            yref=f"y{suffix}",
            x0=-0.5,
            x1=len(drawn.shown) - 0.5,
            y0=row - 0.5,
            y1=row + 0.5,
            line={"color": palette.accent, "width": 2 if place.side / len(drawn.shown) > 6 else 1},
        )


def _axes(drawn: DrawnMap, place: MapPlace, suffix: str, *, wide: float, height: float, size: Sizes) -> dict[str, Any]:
    """Return both axes of a map, at its place in the figure."""
    axis = _axis(drawn, place.side, size)
    across = [place.left / wide, (place.left + place.side) / wide]
    along = [1 - (place.top + place.side) / height, 1 - place.top / height]
    return {
        f"xaxis{suffix}": axis | {"anchor": f"y{suffix}", "domain": across, "side": "top", "tickangle": -90},
        f"yaxis{suffix}": axis
        | {
            "anchor": f"x{suffix}",
            "domain": along,
            "range": axis["range"][::-1],
            "showticklabels": place.label_room > 0,
        },
    }


def _axis(drawn: DrawnMap, length: float, size: Sizes) -> dict[str, Any]:
    """Return tokens as categories, thinned out where letters would touch."""
    labels, places = token_labels(drawn.tokens), _categories(drawn)
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": places,
        "labelalias": {str(place): labels[place] for place in places},
        "nticks": max(int(length / (1.15 * size.label)), 2),
        "tickfont": {"size": size.label},
        "range": [-0.5, len(places) - 0.5],
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "ticklabelstandoff": size.gap // 3,
        "automargin": False,
    }


def _categories(drawn: DrawnMap) -> list[int]:
    return list(range(0, len(drawn.tokens), drawn.step))


def _cells(drawn: DrawnMap, values: Array, palette: Palette, *, is_grey: bool) -> go.Heatmap:
    """Return the weights on the fixed scale from 0 to 1, or the grey cells where a query may not look."""
    pair = tr(
        "{query} (row {row}) → {key} (column {column})",
        query="<b>%{y}</b>",
        row="%{y:d}",
        key="<b>%{x}</b>",
        column="%{x:d}",
    )
    weight = f"%{{z:{style.WEIGHT_FORMAT}}}"
    reads = tr("masked: this query cannot look here") if is_grey else tr("weight {number}", number=weight)
    return go.Heatmap(
        z=values,
        x=_categories(drawn),
        y=_categories(drawn),
        zmin=0,
        zmax=1,
        colorscale=style.colour_scale((palette.masked, palette.masked) if is_grey else palette.sequential),
        showscale=False,
        hoverongaps=False,
        hovertemplate=f"{pair}<br>{reads}<extra></extra>",
    )


def _heading(
    drawn: DrawnMap, place: MapPlace, *, wide: float, height: float, size: Sizes, palette: Palette
) -> dict[str, Any]:
    """Return the title of a map: the model, its kind of attention, and the head."""
    model = drawn.model
    if model.head is None:
        head = tr("Layer {layer} · mean over {n} heads", layer=model.layer, n=model.record.n_heads)
    else:
        head = tr("Layer {layer} · Head {head}", layer=model.layer, head=model.head)
    name = plain_label(short_name(model.name), limit=max(int(place.side / (LETTER * size.axis)) - 20, SHORT))
    quiet = f"<span style='font-size:{size.label}px;color:{palette.quiet}'>"
    return {
        "text": f"<b>{name}</b> {drawn.sight}<br>{quiet}{head}</span>",
        "xref": "paper",
        "yref": "paper",
        "x": place.left / wide,
        "xanchor": "left",
        "y": 1 - (place.top - place.header) / height,
        "yanchor": "top",
        "align": "left",
        "showarrow": False,
        "font": {"size": size.axis + 1, "color": palette.ink},
    }


def _colour_bar(place: MapPlace, bottom: float, height: float, size: Sizes, palette: Palette) -> dict[str, Any]:
    """Return the shared colour scale of both maps, below the first one."""
    y = 1 - (bottom + 0.6 * size.gap) / height
    ticks = {0: tr("weight {number}", number=0), 0.5: "0.5", 1: "1"}
    return colour_bar_below(place.left / size.page, y, length=place.side, ticks=ticks, palette=palette, size=size)


def _sums(models: tuple[ModelHead, ModelHead]) -> list[str]:
    """Return the sentences on row sums, one if they are the same for both."""
    sums = [rows_sum(model.record, model.layer) for model in models]
    if sums[0] == sums[1]:
        return sums[:1]
    return [tr("{model}: {sums}", model=model.name, sums=told) for model, told in zip(models, sums, strict=True)]


def _notes(
    models: tuple[ModelHead, ModelHead], maps: Sequence[DrawnMap], rows: tuple[SharedRow, ...] | None
) -> list[str]:
    notes = [tr("A row is a query token."), *_sums(models), *(cells_sentence(model) for model in models)]
    if any(np.isfinite(drawn.grey).any() for drawn in maps):
        notes.append(tr("Grey: masked, a query cannot look there."))
    if rows is None:
        notes.append(tr("The two models cut the sentence into different tokens, so each has its own axes."))
    elif any(row.positions[which] is None for which, drawn in enumerate(maps) for row in rows[: len(drawn.tokens)]):
        notes.append(tr("An empty row and column: a token that this model does not have."))
    step = max(drawn.step for drawn in maps)
    if step > 1:
        notes.append(tr("A long text: each cell is the largest of {n} × {n}.", n=step))
    return notes


if __name__ == "__main__":
    from viz.two_models.demo import demo_models

    two_maps(*demo_models(), token=(5, 5)).show()
