"""All heads of all layers at a glance: rows are layers, columns are heads, the last column is their mean.

The maps are one assembled image. Over each lies an invisible marker, because plotly reports clicks on markers but not
on heatmaps; `picked_head` turns what Streamlit hands back into a layer and a head.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.attention.transform import pool
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import tr
from viz.kit.layout import UNMARKED, axis_title, click_marks, note
from viz.kit.theme import Sizes, Theme

MAX_SIDE = 32
"""Cells a side of a small map; larger ones are pooled."""
MAX_CELLS = 140_000
"""Cells of the whole image, so that it stays under 1 MB for any model."""
MEAN = -1
"""The head index in the browser's data for the mean over the heads."""

LayerAndHead = tuple[int, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mosaic:
    """The weights of all heads in one `image` [rows, columns], float32, read-only, NaN between the maps.

    Every map is `tall` x `wide` cells. A cell is the largest of `step` x `step` weights (1: nothing pooled).
    """

    image: Array
    tall: int
    wide: int
    gap: int
    step: int

    def corner(self, layer: int, column: int) -> tuple[int, int]:
        """Return the (row, column) of the image at which a map begins; the mean is the column after the last head."""
        return layer * (self.tall + self.gap), column * (self.wide + self.gap)

    def centre(self, layer: int, column: int) -> tuple[float, float]:
        """Return the (row, column) in the middle of a map, in the coordinates of the picture."""
        row, start = self.corner(layer, column)
        return row + (self.tall - 1) / 2, start + (self.wide - 1) / 2


@check_arguments
def overview(
    record: AttentionRecord,
    *,
    selected: LayerAndHead,
    theme: Theme = "light",
    width: int = style.WIDEST,
    maps: Mosaic | None = None,
) -> go.Figure:
    """Draw small maps of all heads and of the means of the layers, with a frame around the `selected` (layer, head).

    A head of None is the mean. Colours run over the same fixed scale from 0 to 1 as in the large picture. `maps` is
    the result of `mosaic(record)`, for a caller who keeps it: a long text takes seconds. Raises SelectionError if
    `selected` is not in the record.
    """
    layer, head = selected
    record.scores(layer, 0 if head is None else head)  # the record's own check of layer and head
    size, palette = style.sizes(width), style.PALETTES[theme]
    small_maps = mosaic(record) if maps is None else maps
    figure = Figure(layout=_layout(record, small_maps, theme=theme, size=size))
    figure.add_trace(
        go.Heatmap(
            z=small_maps.image,
            zmin=0,
            zmax=1,
            colorscale=style.colour_scale(palette.sequential),
            showscale=False,
            hoverinfo="skip",
        )
    )
    figure.add_trace(_click_layer(record, small_maps))
    column = record.n_heads if head is None else head
    figure.add_shape(_frame(small_maps, layer, column), line={"color": palette.accent, "width": 3})
    return figure


@check_arguments
def mosaic(record: AttentionRecord) -> Mosaic:
    """Assemble the weights of all heads: a row for each layer, a column for each head, and the mean of the layer last.

    Maps of more than 32 cells a side are pooled, fewer where a model has very many heads.
    """
    shape = len(record.query_tokens), len(record.key_tokens)
    n_rows, n_columns = record.n_layers, record.n_heads + 1
    side = max(4, min(MAX_SIDE, int((MAX_CELLS / (n_rows * n_columns)) ** 0.5)))
    step = -(-max(shape) // side)
    tall, wide = -(-shape[0] // step), -(-shape[1] // step)
    gap = max(1, round(0.07 * max(tall, wide)))
    image = np.full((n_rows * (tall + gap) - gap, n_columns * (wide + gap) - gap), np.nan, np.float32)
    small_maps = Mosaic(image=image, tall=tall, wide=wide, gap=gap, step=step)
    for layer in range(n_rows):
        total = np.zeros(shape, np.float32)
        for head in range(record.n_heads):
            weights = record.weights(layer, head)
            total += weights
            _place(small_maps, layer, head, weights)
        _place(small_maps, layer, record.n_heads, total / np.float32(record.n_heads))
    image.flags.writeable = False
    return small_maps


def picked_head(selection: Mapping[str, Any]) -> LayerAndHead | None:
    """Return the clicked (layer, head) from what `st.plotly_chart` returns or keeps under its key; None without a
    click.

    A head of None is the mean over the heads. What a browser sends is not trusted: anything unexpected is no click.
    """
    try:
        layer, head = selection["selection"]["points"][0]["customdata"]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    if type(layer) is not int or type(head) is not int or layer < 0 or head < MEAN:
        return None
    return layer, None if head == MEAN else head


def _place(small_maps: Mosaic, layer: int, column: int, weights: Array) -> None:
    row, start = small_maps.corner(layer, column)
    image = small_maps.image[row : row + small_maps.tall, start : start + small_maps.wide]
    image[:] = pool(weights, step=small_maps.step)


def _click_layer(record: AttentionRecord, small_maps: Mosaic) -> go.Scatter:
    """Return an invisible marker in the middle of every map, which makes it clickable."""
    places = [(layer, column) for layer in range(record.n_layers) for column in range(record.n_heads + 1)]
    centres = [small_maps.centre(layer, column) for layer, column in places]
    click = tr("click to see it large")
    return click_marks(
        [column for _, column in centres],
        [row for row, _ in centres],
        data=[(layer, MEAN if column == record.n_heads else column) for layer, column in places],
        texts=[
            tr("Layer {layer} · mean over the heads", layer=layer)
            if column == record.n_heads
            else tr("Layer {layer} · Head {head}", layer=layer, head=column)
            for layer, column in places
        ],
        hover=f"%{{text}}<br>{click}",
        side=30,
    )


def _frame(small_maps: Mosaic, layer: int, column: int) -> dict[str, Any]:
    """Return a rectangle through the gaps around one map."""
    row, start = small_maps.corner(layer, column)
    room = 0.5 + small_maps.gap / 2
    return {
        "type": "rect",
        "x0": start - room,
        "x1": start + small_maps.wide - 1 + room,
        "y0": row - room,
        "y1": row + small_maps.tall - 1 + room,
    }


def _layout(record: AttentionRecord, small_maps: Mosaic, *, theme: Theme, size: Sizes) -> dict[str, Any]:
    """Return a layout with layers on the left and heads on top; square maps where query and key are equally long."""
    n_rows, n_columns, (rows, columns) = record.n_layers, record.n_heads + 1, small_maps.image.shape
    room, palette = 0.5 + small_maps.gap, style.PALETTES[theme]
    left, right = (3.6 if size.compact else 4.9) * size.label, size.gap
    map_width = min((size.page - left - right) / n_columns, 90)
    wide = n_columns * map_width
    tall = min(n_rows * map_width * small_maps.tall / small_maps.wide, 1.6 * size.side)
    lines = style.wrap_text(_write_caption(small_maps), size, pixels=left + wide)
    top, bottom = 2.8 * size.title + 2.4 * size.label, size.gap + 1.5 * size.caption * len(lines)
    spelled = map_width > 4.6 * size.label
    heads = [tr("Head {head}", head=head) if spelled else str(head) for head in range(record.n_heads)]
    layers = [str(layer) if size.compact else tr("Layer {layer}", layer=layer) for layer in range(n_rows)]
    axis = UNMARKED | {"fixedrange": True, "tickfont": {"size": size.label}}
    return style.base_layout(theme, size, title=tr("All layers and heads")) | {
        "width": left + wide + right,
        "height": top + tall + bottom,
        "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
        "hovermode": "closest",
        "hoverdistance": -1,
        "dragmode": False,
        "clickmode": "event+select",
        "annotations": [note(lines, theme, size, below=size.gap // 2, left=left)],
        "xaxis": axis
        | {
            "side": "top",
            "range": [-room, columns - 1 + room],
            "tickvals": [small_maps.centre(0, column)[1] for column in range(n_columns)],
            "ticktext": [*heads, tr("mean")],
            "tickangle": 0,
            "title": axis_title("" if spelled else tr("head"), palette, size, standoff=4),
        },
        "yaxis": axis
        | {
            "range": [rows - 1 + room, -room],
            "tickvals": [small_maps.centre(layer, 0)[0] for layer in range(n_rows)],
            "ticktext": layers,
            "title": axis_title(tr("layer") if size.compact else "", palette, size, standoff=4),
        },
    }


def _write_caption(small_maps: Mosaic) -> str:
    """Return the caption of the picture."""
    maps = tr(
        "Each small map is one head, in the colours of the large picture, from 0 to 1. Click one to see it large."
    )
    if small_maps.step == 1:
        return maps
    cells = tr("Each cell is the largest of {step} × {step}.", step=small_maps.step)
    return f"{maps} {cells}"


if __name__ == "__main__":
    from viz.kit.demos.records import plausible_record

    overview(plausible_record(), selected=(0, 3)).show()
