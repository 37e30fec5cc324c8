"""The panels of a picture of vectors: their contents and their layout.

Panels share their rows, one a token, and stand beside each other where there is room, else one below the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.values.record import Array, Token
from viz.kit.theme import Sizes, colour_end
from viz.kit.tokens import SHORT, token_texts
from viz.kit.tokens import width as columns_of

BESIDE = 760
"""The page width from which the panels are side by side."""
LETTER = 0.6
"""The width of a column of text, in sizes of its font."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows from the top: their positions among `tokens`, the tokens of the whole text.

    `called` is a position that is highlighted, `held` another one; both may be missing from the rows.
    """

    tokens: tuple[Token, ...]
    positions: tuple[int, ...]
    called: int | None = None
    held: int | None = None

    def __len__(self) -> int:
        return len(self.positions)

    def pick(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Select the texts of these rows from those of all tokens; a piece's spelling depends on the tokens before
        it."""
        return tuple(texts[position] for position in self.positions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A panel of coloured cells: `values` [n_rows, n_columns], NaN where the query may not look.

    `hover` is a plotly template in which `%{z}` is the value, `%{x}` the column and `%{customdata}` what `extra` holds
    for a cell. `headings` name few columns, whose numbers are then written into the cells with two decimals.
    `columns` are the numbers of the columns, 0, 1, … if none are given. `about` says below the name what it is, in the
    place of the end of its colours.
    """

    name: str
    values: Array
    hover: str
    extra: Array | None = None
    reach: float | None = None
    headings: tuple[str, ...] = ()
    columns: tuple[int, ...] = ()
    share: float = 1.0
    about: str = ""

    @property
    def end(self) -> float:
        """The value of the strongest colour."""
        return colour_end(self.values) if self.reach is None else self.reach


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightBars:
    """A panel of bars from 0 to 1, one a row and a series; a series has a plain name and `weights` [n_rows]."""

    name: str
    series: tuple[tuple[str, Array], ...]
    share: float = 0.6
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A panel, with a band of a single row above it and one below it where there are any."""

    panel: Band | WeightBars
    above: Band | None = None
    below: Band | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelPlace:
    """The position of a piece, in pixels from the left and the top of the figure."""

    piece: Band | WeightBars
    left: float
    right: float
    top: float
    bottom: float
    has_rows: bool
    has_labels: bool


def places(columns: Sequence[Column], rows: Rows, size: Sizes) -> list[PanelPlace]:
    """Return the positions of the panels and their bands: every panel once, and every band above or below one."""
    return list((_beside if size.page >= BESIDE else _stack_panels)(columns, rows, size))


def row_height(n_rows: int, size: Sizes) -> float:
    """Return the height of a row, enough for a label unless there are more rows than fit on a screen."""
    least, most, tall = (14, 20, 420) if size.compact else (16, 27, 520)
    return max(min(tall / n_rows, most), least if n_rows <= 80 else tall / n_rows * 2)


def _label_width(rows: Rows, size: Sizes) -> float:
    longest = max(columns_of(text) for text in rows.pick(token_texts(rows.tokens, limit=SHORT)))
    return LETTER * size.label * max(longest, 3) + 1.5 * size.gap


def _header(size: Sizes) -> float:
    """Return the height of the two lines above a panel: its name, and the end of its colours."""
    return 1.4 * size.label + 1.4 * size.caption


def foot(size: Sizes) -> float:
    """Return the height of the dimension numbers under a panel."""
    return 1.8 * size.caption


def _start(size: Sizes) -> float:
    return 2.4 * size.title


def _beside(columns: Sequence[Column], rows: Rows, size: Sizes) -> Iterator[PanelPlace]:
    """Yield the positions of panels in one line; the bands above and below a panel are aligned with it."""
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
        yield PanelPlace(piece=column.panel, **shared, top=top, bottom=bottom, has_rows=True, has_labels=index == 0)
        if column.above:
            above = top - _header(size) - size.gap / 2
            yield PanelPlace(
                piece=column.above, **shared, top=above - band, bottom=above, has_rows=False, has_labels=False
            )
        if column.below:
            below = bottom + foot(size) + _header(size)
            yield PanelPlace(
                piece=column.below, **shared, top=below, bottom=below + band, has_rows=False, has_labels=False
            )
        left = right + gap


def _stack_panels(columns: Sequence[Column], rows: Rows, size: Sizes) -> Iterator[PanelPlace]:
    """Yield the positions of the pieces one below the other, for a phone."""
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
            yield PanelPlace(piece=piece, **shared, top=top, bottom=bottom, has_rows=has_rows, has_labels=has_rows)
            top = bottom + foot(size) + size.gap / 2
