"""The weights and masks of two models as they are drawn, and the places of the two maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.values.record import Array, Token
from viz.attention.heatmap import MAX_CELLS
from viz.attention.transform import select
from viz.kit.language import said
from viz.kit.theme import Sizes
from viz.kit.tokens import SHORT, token_texts
from viz.kit.tokens import width as columns
from viz.two_models.shared_rows import (
    SIGHT,
    ModelHead,
    SharedRow,
)

LETTER = 0.58
"""The width of a letter in parts of its size."""
BESIDE = 700
"""The page width from which the two maps are side by side."""
TALLEST = 560


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnMap:
    """The drawn map of a model: `shown` [n, n], NaN where nothing is drawn, and `grey` [n, n], 1 where it is masked. A
    cell pools step x step of them; `tokens` are all tokens of the axes."""

    model: ModelHead
    sight: str
    tokens: tuple[Token, ...]
    shown: Array
    grey: Array
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPlace:
    """The position of a map, in pixels from the upper left corner."""

    left: float
    top: float
    side: float
    label_room: float
    header: float


def read_map(model: ModelHead, which: int, rows: tuple[SharedRow, ...] | None) -> DrawnMap:
    """Return the weights and the mask of a model, on its own tokens or on the shared rows up to its last token."""
    matrix = select(model.record, layer=model.layer, head=model.head)
    shown = np.where(matrix.masked, np.float32(np.nan), matrix.values)
    grey = np.where(matrix.masked, np.float32(1), np.float32(np.nan))
    tokens = model.record.query_tokens
    step = -(-len(rows or tokens) // MAX_CELLS)
    if rows is not None:
        places = [place for place, row in enumerate(rows) if row.positions[which] is not None]
        tokens = tuple(row.token for row in rows[: places[-1] + 1])
        shown, grey = (_spread(values, places, len(tokens)) for values in (shown, grey))
    shown, grey = _blocks(shown, step), _blocks(grey, step)
    grey[np.isfinite(shown)] = np.nan
    return DrawnMap(model=model, sight=said(SIGHT[which]), tokens=tokens, shown=shown, grey=grey, step=step)


def _spread(values: Array, places: Sequence[int], n_rows: int) -> Array:
    """Return the cells at their places in the shared rows [n_rows, n_rows]; NaN for tokens that the model does not
    have."""
    whole = np.full((n_rows, n_rows), np.nan, np.float32)
    whole[np.ix_(places, places)] = values
    return whole


def _blocks(values: Array, step: int) -> Array:
    """Return the largest of every step x step cells; NaN only where all are NaN."""
    if step == 1:
        return values.copy()
    starts = np.arange(0, len(values), step)
    pooled: Array = np.fmax.reduceat(np.fmax.reduceat(values, starts, axis=0), starts, axis=1)
    return pooled


def row_of(which: int, position: int | None, rows: tuple[SharedRow, ...] | None) -> int | None:
    """Return the row of the picture for the token at a position."""
    if position is None or rows is None:
        return position
    return next((place for place, row in enumerate(rows) if row.positions[which] == position), None)


def place_maps(maps: Sequence[DrawnMap], size: Sizes, *, shares_rows: bool) -> tuple[list[MapPlace], float]:
    """Return the places of the two square maps, side by side or one below the other, and the bottom of the lower
    one."""
    rooms = [LETTER * size.label * _longest(drawn.tokens) + 1.4 * size.gap for drawn in maps]
    most = max(len(drawn.tokens) for drawn in maps)
    shares = [len(drawn.tokens) / most if shares_rows else 1.0 for drawn in maps]  # cells of one size
    headers = [room + 3.4 * size.label for room in rooms]
    start = 2.4 * size.title
    if size.page < BESIDE:
        side = min(size.page - max(rooms) - size.gap, TALLEST)
        tops = (start + headers[0], start + headers[0] + side + 2.4 * size.gap + headers[1])
        return [
            MapPlace(left=room, top=top, side=side * share, label_room=room, header=header)
            for room, top, header, share in zip(rooms, tops, headers, shares, strict=True)
        ], tops[1] + side
    gap = 3 * size.gap
    between = gap if shares_rows else gap + rooms[1]
    side = min((size.page - rooms[0] - between - size.gap) / 2, TALLEST)
    top = start + max(headers)
    lefts = (rooms[0], rooms[0] + side + between)
    return [
        MapPlace(
            left=left,
            top=top,
            side=side * share,
            label_room=0 if number and shares_rows else room,
            header=max(headers),
        )
        for number, (left, room, share) in enumerate(zip(lefts, rooms, shares, strict=True))
    ], top + side


def _longest(tokens: Sequence[Token]) -> int:
    return max(columns(text) for text in token_texts(tokens, limit=SHORT))
