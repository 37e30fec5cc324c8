"""One head as a film strip: its map at every snapshot of a run, in the order of the training.

The maps are one assembled image with invisible markers over it, as in `viz.attention.overview`: a click on one is read
by `picked_frame`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.history import HeadChange, History, Measure
from models.values.record import Array, AttentionRecord, Kind
from viz.attention.heatmap import attention_title
from viz.attention.transform import pool
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import said, tr
from viz.kit.layout import click_marks
from viz.kit.theme import Palette, Sizes, Theme, percentage

WIDEST = 1400
"""The widest this picture becomes."""
MAX_SIDE = 64
"""Cells a side of a map; larger ones are pooled."""
LEAST, MOST = 80, 170
"""Pixels a map takes, with the gap to the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Strip:
    """The maps side by side in rows of `n_columns`, each `side` cells square; `step` cells of a head are one of them.

    A frame with its gap takes `pitch` cells across and `pitch + text` down; `pixels` is the width of a cell.
    """

    n_frames: int
    n_columns: int
    side: int
    step: int
    gap: int
    text: int
    pixels: float

    @property
    def n_rows(self) -> int:
        return -(-self.n_frames // self.n_columns)

    @property
    def wide(self) -> int:
        return self.n_columns * (self.side + self.gap) - self.gap

    @property
    def tall(self) -> int:
        return self.n_rows * (self.side + self.gap + self.text)

    def corner(self, frame: int) -> tuple[int, int]:
        """Return the (row, column) of the image at which a map begins, below its text."""
        row, column = divmod(frame, self.n_columns)
        return row * (self.side + self.gap + self.text) + self.text, column * (self.side + self.gap)


@check_arguments
def film_strip(
    history: History,
    *,
    kind: Kind,
    layer: int,
    head: int,
    at: int,
    measure: str | None = None,
    changes: Sequence[HeadChange] = (),
    is_choice: bool = True,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Draw the chosen head at every snapshot, with the iteration above each map and, if a `measure` is named, its
    share.

    `is_choice` says that a click on a map does something. A frame marks snapshot number `at`; orange bars run under the
    maps of this head's `changes` of that measure. Raises SelectionError for a layer or head out of range.
    """
    size, palette = replace(style.sizes(width), page=min(width, WIDEST)), style.PALETTES[theme]
    records = history.records(kind)
    strip = _strip(max(max(record.n_query, record.n_key) for record in records), len(records), size)
    named = None if measure is None else history.measure(kind, measure)
    shares = None if measure is None else history.shares(kind, measure)[:, layer, head]
    own = [change for change in changes if (change.layer, change.head, change.measure.name) == (layer, head, measure)]
    title = tr("{head}, from the first iteration to the last", head=attention_title(records[-1], layer, head))
    note = _note(strip, named, own, is_choice=is_choice)
    layout = _layout(strip, note, title=title, theme=theme, size=size)
    layout["annotations"] += _texts(history, strip, shares, at=at, palette=palette, size=size)
    layout["shapes"] = [*_bars(strip, own, palette), _outline(strip, at, palette)]
    maps = _maps(strip, records, layer, head, palette)
    return Figure([maps, *([_click_layer(history, strip, shares, named)] if is_choice else [])], layout)


def picked_frame(selection: Mapping[str, Any]) -> int | None:
    """Return the number of the clicked snapshot, from the selection that Streamlit keeps; None without a valid
    click."""
    try:
        (frame,) = selection["selection"]["points"][0]["customdata"]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return frame if type(frame) is int and frame >= 0 else None


def _strip(n_tokens: int, n_frames: int, size: Sizes) -> _Strip:
    """Return the grid of maps: as many in a row as are readable, in rows of equal length."""
    step = -(-n_tokens // MAX_SIDE)
    side = -(-n_tokens // step)
    room = size.page - 2 * size.gap
    n_rows = -(-n_frames // max(int(room / LEAST), 1))
    n_columns = -(-n_frames // n_rows)
    gap = max(1, round(0.1 * side))
    pixels = min(room / n_columns, MOST) / (side + gap)
    return _Strip(
        n_frames=n_frames,
        n_columns=n_columns,
        side=side,
        step=step,
        gap=gap,
        text=int(np.ceil(2.7 * size.label / pixels)),
        pixels=pixels,
    )


def _maps(strip: _Strip, records: Sequence[AttentionRecord], layer: int, head: int, palette: Palette) -> go.Heatmap:
    """Return one image with the map of the head in every record."""
    image = np.full((strip.tall, strip.wide), np.nan, np.float32)
    for frame, record in enumerate(records):
        row, column = strip.corner(frame)
        small = pool(record.weights(layer, head), step=strip.step)
        image[row : row + small.shape[0], column : column + small.shape[1]] = small
    scale = style.colour_scale(palette.sequential)
    return go.Heatmap(z=image, zmin=0, zmax=1, colorscale=scale, showscale=False, hoverinfo="skip")


def _click_layer(history: History, strip: _Strip, shares: Array | None, measure: Measure | None) -> go.Scatter:
    corners = [strip.corner(frame) for frame in range(strip.n_frames)]
    texts = [tr("<b>iteration {iteration}</b>", iteration=f"{iteration:,}") for iteration in history.iterations]
    if shares is not None and measure is not None:
        title = said(measure.title)
        texts = [f"{text}<br>{title}: {percentage(float(share))}" for text, share in zip(texts, shares, strict=True)]
    return click_marks(
        [column + (strip.side - 1) / 2 for _, column in corners],
        [row + (strip.side - 1) / 2 for row, _ in corners],
        data=[(frame,) for frame in range(strip.n_frames)],
        texts=texts,
        hover=tr("{about}<br>click to see this snapshot", about="%{text}"),
        side=30,
    )


def _texts(
    history: History, strip: _Strip, shares: Array | None, *, at: int, palette: Palette, size: Sizes
) -> Iterator[dict[str, Any]]:
    """Yield the iteration above every map, with the share of the measure."""
    for frame, iteration in enumerate(history.iterations):
        row, column = strip.corner(frame)
        number = "" if shares is None else f"<br>{shares[frame]:.0%}"
        name = f"{iteration:,}"
        yield {
            "x": column - 0.5,
            "xanchor": "left",
            "y": row - 0.5,
            "yanchor": "bottom",
            "yshift": 3,
            "align": "left",
            "text": f"<b>{name}</b>{number}" if frame == at else f"{name}{number}",
            "showarrow": False,
            "font": {"size": size.label, "color": palette.ink if frame == at else palette.quiet},
        }


def _outline(strip: _Strip, at: int, palette: Palette) -> dict[str, Any]:
    row, column = strip.corner(at)
    return {
        "type": "rect",
        "x0": column - 0.5,
        "x1": column + strip.side - 0.5,
        "y0": row - 0.5,
        "y1": row + strip.side - 0.5,
        "line": {"color": palette.ink, "width": 3},
    }


def _bars(strip: _Strip, own: Sequence[HeadChange], palette: Palette) -> Iterator[dict[str, Any]]:
    """Yield a bar under the maps of every change, interrupted where a row of the strip ends."""
    for change in own:
        for frame in range(change.start, change.end + 1):
            row, column = strip.corner(frame)
            goes_on = frame < change.end and (frame + 1) % strip.n_columns
            below = row + strip.side - 0.5 + strip.gap * 0.7
            yield {
                "type": "line",
                "x0": column - 0.5,
                "x1": column + strip.side - 0.5 + (strip.gap if goes_on else 0),
                "y0": below,
                "y1": below,
                "line": {"color": palette.accent, "width": 5},
            }


def _note(strip: _Strip, measure: Measure | None, own: Sequence[HeadChange], *, is_choice: bool) -> str:
    """Return the note: the numbers above the maps, the bars, and the pooling."""
    parts = [
        tr("Above every map is its training iteration.")
        if measure is None
        else tr(
            "Above every map is its training iteration and the share of its attention to {place} in this sentence.",
            place=said(measure.title),
        ),
        tr("Rows are queries, columns are keys, in the colours of the large map, from 0 to 1. Click one to see it.")
        if is_choice
        else tr("Rows are queries, columns are keys; a strong colour is a large weight."),
    ]
    parts += [tr("Orange bar: {change}", change=said(change.sentence)) for change in own]
    if strip.step > 1:
        parts.append(tr("Each cell is the largest of {step} × {step}.", step=strip.step))
    return " ".join(parts)


def _layout(strip: _Strip, note: str, *, title: str, theme: Theme, size: Sizes) -> dict[str, Any]:
    lines = style.wrap_text(note, size, pixels=size.page - 2 * size.gap)
    top, bottom = 1.9 * size.title, size.gap + 1.45 * size.caption * len(lines)
    wide, tall = strip.wide * strip.pixels, strip.tall * strip.pixels
    axis = {"visible": False, "fixedrange": True}
    caption = style.caption("<br>".join(lines), theme, size, below=size.gap // 2)
    return style.base_layout(theme, size, title=title) | {
        "width": size.page,
        "height": top + tall + bottom,
        "margin": {"l": size.gap, "r": size.page - size.gap - wide, "t": top, "b": bottom, "pad": 0},
        "hovermode": "closest",
        "hoverdistance": -1,
        "dragmode": False,
        "clickmode": "event+select",
        "annotations": [caption | {"xshift": -size.gap // 2}],
        "xaxis": axis | {"range": [-0.5, strip.wide - 0.5]},
        "yaxis": axis | {"range": [strip.tall - 0.5, -0.5]},
    }


if __name__ == "__main__":
    from viz.training.over_time.demo import history

    film_strip(history(), kind="encoder", layer=0, head=1, at=3, measure="previous").show()
