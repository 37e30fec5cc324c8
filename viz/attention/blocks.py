"""Draw the attention between two sentences: the blocks of one head, and one share for every head on a map.

The numbers are those of `viz.attention.sentence_pairs`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import attention_title
from viz.attention.sentence_pairs import CROSSING, direction_name, directions, most_crossing, pair_blocks
from viz.kit import theme as style
from viz.kit.figures.bar_legends import LETTER
from viz.kit.figures.cells import Cells, Frame, cell_map, cell_text, readable_on
from viz.kit.language import tr
from viz.kit.layout import axis_title, click_marks, colour_bar
from viz.kit.row_sums import rows_sum
from viz.kit.theme import Palette, Sizes, Theme, nice_maximum, percentage
from viz.kit.tokens import escape, plain_label, shorten
from viz.kit.tokens import width as columns

LONGEST_NAME = 8
"""Columns of text that the name of a special token may take."""


@check_arguments
def pair_blocks_figure(
    record: AttentionRecord, *, layer: int, head: int | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the table of `pair_blocks` as coloured cells with their percentages. Raises the same errors."""
    shares = pair_blocks(record, layer=layer, head=head)
    size, palette = style.sizes(width), style.PALETTES[theme]
    rows, targets = [str(name) for name in shares.index], [str(name) for name in shares.columns]
    left = LETTER * size.label * (5 + _longest(rows)) + 2 * size.gap
    cell = min(120.0, (size.page - left - size.gap) / len(targets))
    has_room = cell > LETTER * size.label * (3 + _longest(targets)) + 10
    labels = [plain_label(name, limit=LONGEST_NAME) for name in targets]
    cells = Cells(
        values=shares.to_numpy(np.float32),
        rows=[tr("from {name}", name=plain_label(name, limit=LONGEST_NAME)) for name in rows],
        columns=[tr("to {name}", name=label) if has_room else label for label in labels],
        hover=[
            [tr("from {row} to {column}", row=escape(row), column=escape(column)) for column in targets] for row in rows
        ],
        reads=f"%{{customdata}}: %{{z:{style.WEIGHT_FORMAT}}}",
        gap=4,
    )
    tall, top = min(cell, 3.4 * size.word) * len(rows), 2.6 * size.title + 2 * size.label
    return cell_map(
        cells,
        Frame(left=left, right=size.gap, top=top, wide=cell * len(targets), tall=tall),
        title=attention_title(record, layer, head),
        text=tr(
            "How a token of A, a token of B or a special token shares out its attention, on average. {sums} A longer "
            "sentence gets more simply because it is longer.",
            sums=rows_sum(record, layer),
        ),
        inside=_percentages(shares.to_numpy(np.float64), palette, size.word),
        theme=theme,
        size=size,
    )


@check_arguments
def crossing_map(
    shares: pd.DataFrame,
    *,
    direction: str = CROSSING,
    selected: tuple[int, int | None] | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw one of the shares of `block_shares` for every layer and head; `overview.picked_head` reads a click.

    The scale runs from 0 to the round number above the largest share, as its colour bar says. A frame is around the
    `selected` (layer, head), a star on the most crossing head. Raises SelectionError for a direction or a head out of
    range.
    """
    if direction not in directions(shares):
        raise SelectionError(f"{direction!r} was asked for, but there are only {', '.join(directions(shares))}.")
    size, palette = style.sizes(width), style.PALETTES[theme]
    values: Array = shares.pivot(index="layer", columns="head", values=direction).to_numpy(np.float32)
    figure = _all_heads(values, direction, most_crossing(shares), theme, size)
    figure.update_traces(showscale=True, colorbar=colour_bar(palette, size, length=160, number="~%"))
    figure.add_trace(_click_layer(values, direction))
    figure.update_layout(
        hovermode="closest",
        hoverdistance=-1,
        clickmode="event+select",
        xaxis_title=axis_title(tr("head"), palette, size, standoff=4),
        yaxis_title=axis_title(tr("layer"), palette, size, standoff=4),
    )
    if selected is not None:
        figure.add_shape(_frame(selected, *values.shape), line={"color": palette.accent, "width": 3})
    return figure


def _all_heads(values: Array, direction: str, best: tuple[int, int], theme: Theme, size: Sizes) -> go.Figure:
    """Draw the map of a share of every head [n_layers, n_heads], with its numbers where they fit, and a star on the
    best."""
    palette = style.PALETTES[theme]
    n_layers, n_heads = values.shape
    high = nice_maximum(float(values.max()))
    left = (3.6 if size.compact else 5.4) * size.label
    right = 2 * size.gap if size.compact else 96
    cell = min((size.page - left - right) / n_heads, 84.0)
    roomy = cell > LETTER * size.label * 4.2
    numbers = _percentages(values.astype(np.float64), palette, size.label, high=high) if roomy else []
    on_best = readable_on(float(values[best]) / high, palette)
    title, text = _describe_map(direction, percentage(high).replace(".0%", "%"))
    return cell_map(
        Cells(values=values, rows=[*map(str, range(n_layers))], columns=[*map(str, range(n_heads))], high=high),
        Frame(
            left=left,
            right=right,
            top=2.6 * size.title + 2.4 * size.label,
            wide=cell * n_heads,
            tall=max(min(cell, 3 * size.label) * n_layers, 40.0),
            below=4.5 * size.bar if size.compact else 0,
        ),
        title=escape(title),
        text=text,
        inside=[*numbers, _star(*best, colour=on_best, font=size.label, beside=roomy)],
        theme=theme,
        size=size,
    )


def _describe_map(direction: str, end: str) -> tuple[str, str]:
    """Return the title and the caption of the map of all heads as plain text; colours run from 0 to `end`."""
    if direction == CROSSING:
        return tr("Attention across · all heads"), tr(
            "Share of the attention between A and B, the mean of both directions. Colours run from 0 to {end}. ★: the "
            "head that looks across most. Click a head to see it.",
            end=end,
        )
    said = direction_name(direction)
    return tr("Attention {direction} · all heads", direction=said), tr(
        "Share of the attention {direction}. Colours run from 0 to {end}. ★: the head that looks across most. Click a "
        "head to see it.",
        direction=said,
        end=end,
    )


def _longest(names: list[str]) -> int:
    return max(columns(shorten(name, LONGEST_NAME)) for name in names)


def _percentages(
    shares: NDArray[np.float64], palette: Palette, font: int, *, high: float = 1.0
) -> list[dict[str, Any]]:
    """Return the percentages of all cells as annotations, on a scale from 0 to `high`."""
    return [
        cell_text(row, column, format(share, style.SHARE_FORMAT), strength=share / high, palette=palette, font=font)
        for (row, column), share in np.ndenumerate(shares)
    ]


def _star(layer: int, head: int, *, colour: str, font: int, beside: bool) -> dict[str, Any]:
    """Return a star on a cell, in its corner if there is a number in its middle."""
    corner = {"x": head + 0.46, "xanchor": "right", "y": layer - 0.5, "yanchor": "top"} if beside else {}
    star = {"x": head, "y": layer, "text": "★", "showarrow": False, "font": {"size": font, "color": colour}}
    return star | corner


def _click_layer(values: Array, direction: str) -> go.Scatter:
    """Return invisible markers on all cells, which make them clickable."""
    places = list(np.ndindex(*values.shape))
    names = [tr("Layer {layer} · Head {head}", layer=layer, head=head) for layer, head in places]
    share, click = escape(direction_name(direction)), tr("click to see this head")
    return click_marks(
        [head for _, head in places],
        [layer for layer, _ in places],
        data=places,
        texts=[
            f"{name}<br>{share} {values[place]:{style.WEIGHT_FORMAT}}"
            for name, place in zip(names, places, strict=True)
        ],
        hover=f"%{{text}}<br>{click}",
        side=24,
    )


def _frame(selected: tuple[int, int | None], n_layers: int, n_heads: int) -> dict[str, Any]:
    """Return a rectangle around one head, or around its layer where no head is chosen."""
    layer, head = selected
    if not 0 <= layer < n_layers or (head is not None and not 0 <= head < n_heads):
        raise SelectionError(
            f"layer {layer}, head {head} was asked for, but there are {n_layers} layers of {n_heads} heads."
        )
    start, end = (0, n_heads - 1) if head is None else (head, head)
    return {"type": "rect", "x0": start - 0.5, "x1": end + 0.5, "y0": layer - 0.5, "y1": layer + 0.5}


if __name__ == "__main__":
    from viz.attention.sentence_pairs import block_shares
    from viz.kit.demos.records import PAIR, plausible_record

    pair_blocks_figure(plausible_record(PAIR), layer=0, head=3).show()
    crossing_map(block_shares(plausible_record(PAIR)), selected=(1, 2)).show()
