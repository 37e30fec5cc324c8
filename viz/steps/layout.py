"""Layout of the tables of a step: side by side as far as there is room, then below each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.values.record import Array, Token
from viz.kit.theme import Sizes
from viz.kit.tokens import SHORT, token_texts
from viz.kit.tokens import width as columns_of

LEAST_SHARE = 0.6
"""The part of its wish that a table gets at least, before the tables go below each other."""
LETTER = 0.58
"""The width of a letter in parts of its size."""
SIGN_GAP = 64
"""Pixels between two tables, for the sign that joins them."""
FOOT = 46
"""Pixels below a table for its colours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One table: `values` [n_rows, n_columns], NaN where a query may not look.

    `rows` and `columns` are the tokens that label them, None for dimensions. `sign` joins the table to the one before:
    a sign, and small words after a "|". `reach` is the number at which the colours end: of both signs for a signed
    quantity, from 0 for one that is not. `marked` are the first and the last column of a part that is framed.
    """

    symbol: str
    name: str
    shape: str
    values: Array
    rows: tuple[Token, ...] | None
    columns: tuple[Token, ...] | None
    reach: float
    is_signed: bool = True
    sign: str = ""
    is_asking: bool = True
    """Whether the rows are queries, one of which may be followed through all tables."""
    marked: tuple[int, int] | None = None
    down: int = 1
    across: int = 1
    """The width of a block of down x across numbers, which a cell pools to the strongest."""

    @property
    def is_clipped(self) -> bool:
        """Whether numbers lie beyond the colours."""
        return bool(np.nanmax(np.abs(self.values), initial=0) > 1.0001 * self.reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """The position of a panel, in pixels from the upper left corner of the picture."""

    panel: Panel
    left: float
    top: float
    wide: float
    tall: float
    label_room: float
    header: float
    names_rows: bool
    begins_line: bool

    @property
    def sign_at(self) -> float:
        """The middle of the gap in front of the table and the names of its rows."""
        return self.left - self.label_room - SIGN_GAP / 2


def place_tables(panels: Sequence[Panel], size: Sizes) -> tuple[list[TablePlace], float]:
    """Return the places of all panels, and the lower end of the last line, in pixels."""
    tall = _height(panels, size)
    lines = _lines(panels, tall, size)
    places: list[TablePlace] = []
    top = 2.4 * size.title
    for line in lines:
        header = _header(line, size)
        top += header
        left = 0.0
        share = _share(line, tall, size)
        for number, panel in enumerate(line):
            names_rows = number == 0 or not _same_rows(panel, line[number - 1])
            label_room = _label_room(panel, size) if names_rows else 0
            left += (SIGN_GAP if number else 0) + label_room
            wide = share * _wish(panel, tall, size)
            places.append(
                TablePlace(
                    panel=panel,
                    left=left,
                    top=top,
                    wide=wide,
                    tall=tall,
                    label_room=label_room,
                    header=header,
                    names_rows=names_rows,
                    begins_line=number == 0 and line is not lines[0],
                )
            )
            left += wide
        top += tall + FOOT
    return places, top


def _height(panels: Sequence[Panel], size: Sizes) -> float:
    """Return the height of the tables: enough for the letters of every token, as far as there is room."""
    n_rows = max(panel.values.shape[0] if panel.rows is not None else 1 for panel in panels)
    most, least = (300, 120) if size.compact else (470, 190)
    return min(max(1.55 * size.label * n_rows, least), most)


def _wish(panel: Panel, tall: float, size: Sizes) -> float:
    """Return the preferred width of a table: square cells for tokens, a band for dimensions."""
    if size.compact:
        return size.page - _label_room(panel, size) - 3 * size.gap
    n_rows, n_columns = panel.values.shape
    if panel.columns is not None and panel.rows is not None:
        return float(min(max(tall * n_columns / n_rows, 230), 1.2 * tall))
    return 330 if panel.rows is not None and n_columns > 128 else 270


def _lines(panels: Sequence[Panel], tall: float, size: Sizes) -> list[Sequence[Panel]]:
    """Return the panels in as few lines as have room for them."""
    for n_lines in range(1, len(panels) + 1):
        n_per_line = math.ceil(len(panels) / n_lines)
        lines = [panels[start : start + n_per_line] for start in range(0, len(panels), n_per_line)]
        if all(_share(line, tall, size) >= LEAST_SHARE for line in lines):
            return lines
    return [[panel] for panel in panels]


def _share(line: Sequence[Panel], tall: float, size: Sizes) -> float:
    """Return the share of its preferred width that every panel of a line gets, at most 1."""
    labels = sum(
        _label_room(panel, size)
        for number, panel in enumerate(line)
        if number == 0 or not _same_rows(panel, line[number - 1])
    )
    room = size.page - labels - SIGN_GAP * (len(line) - 1) - 2 * size.gap
    return min(room / sum(_wish(panel, tall, size) for panel in line), 1)


def _same_rows(panel: Panel, other: Panel) -> bool:
    return panel.rows == other.rows and panel.rows is not None


def _label_room(panel: Panel, size: Sizes) -> float:
    if panel.rows is None:
        return 2.5 * LETTER * size.label + size.gap
    return LETTER * size.label * _longest(panel.rows) + 1.4 * size.gap


def _header(line: Sequence[Panel], size: Sizes) -> float:
    """Return the room above the tables of a line: their titles, and the tokens or dimensions of their columns."""
    longest = max((_longest(panel.columns) for panel in line if panel.columns is not None), default=0)
    return LETTER * size.label * longest + 1.6 * size.caption + 4.2 * size.label


def _longest(tokens: Sequence[Token]) -> int:
    return max(columns_of(text) for text in token_texts(tokens, limit=SHORT))
