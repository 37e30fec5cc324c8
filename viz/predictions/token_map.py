"""A number for every token and every column, as a map: the sentence runs down the page in its reading order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from viz.kit import theme as style
from viz.kit.figures.bar_legends import LETTER
from viz.kit.figures.cells import Cells, Frame, cell_map, cell_text
from viz.kit.language import tr
from viz.kit.theme import Palette, Sizes, Theme, percentage
from viz.kit.tokens import SHORT, escape, plain_label, shorten
from viz.kit.tokens import width as columns_of

LEAST_CELL = 3.6
"""The narrowest column for labels, in sizes of their font."""
NUMBER_LETTERS = 4
"""A percentage has at most so many letters: "100%"."""
WIDEST_CELL = 120
LEAST_SHOWN = 0.005
"""A number below this would be "0%", and is left away."""


def cell_width(texts: Sequence[str], n_columns: int, width: int) -> float:
    """Return the width of a column beside these tokens, in a figure of that width, in pixels."""
    size = style.sizes(width)
    return min((size.page - _label_width(texts, width) - size.gap) / n_columns, WIDEST_CELL)


@check_arguments
def token_map(
    values: Array,
    *,
    texts: Sequence[str],
    columns: Sequence[str],
    number: str,
    title: str,
    note: str,
    positions: Sequence[int] | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw `values` [n_tokens, n_columns] from 0 to 1 on a fixed scale, with percentages where they fit.

    `texts` and `columns` are plain texts, `number` says what a value is; `positions` are those of the tokens in their
    text, 0 and on if they are all there.
    """
    positions = range(len(texts)) if positions is None else positions
    size, frame = style.sizes(width), _frame(texts, columns, width)
    cells = Cells(
        values=values,
        rows=[plain_label(text) for text in texts],
        columns=[plain_label(name) for name in columns],
        hover=_hover(values, texts, columns, positions, number),
    )
    has_numbers = frame.wide / len(columns) >= NUMBER_LETTERS * LETTER * size.label
    inside = _numbers(values, style.PALETTES[theme], size) if has_numbers else []
    return cell_map(cells, frame, title=title, text=note, inside=inside, theme=theme, size=size)


def _frame(texts: Sequence[str], columns: Sequence[str], width: int) -> Frame:
    """Return the frame of the cells; column names lean where they would touch."""
    size, left = style.sizes(width), _label_width(texts, width)
    cell = cell_width(texts, len(columns), width)
    longest = max(columns_of(shorten(name, SHORT)) for name in columns) * LETTER * size.label
    leaning = longest > cell - 4
    right = max(size.gap, longest * 0.72 - cell / 2 + size.gap) if leaning else size.gap
    overflow = max(left + cell * len(columns) + right - size.page, 0)
    return Frame(
        left=left,
        right=right,
        top=2.6 * size.title + (0.72 * longest + size.label if leaning else 1.8 * size.label),
        wide=cell * len(columns) - overflow,
        tall=1.9 * size.label * len(texts),
        leaning=leaning,
    )


def _hover(
    values: Array, texts: Sequence[str], columns: Sequence[str], positions: Sequence[int], number: str
) -> list[list[str]]:
    heads = [
        tr("{token} (position {place})", token=f"<b>{escape(text)}</b>", place=place)
        for place, text in zip(positions, texts, strict=True)
    ]
    return [
        [
            f"{head}<br>{escape(name)}<br>{number} {percentage(float(value))}"
            for name, value in zip(columns, row, strict=True)
        ]
        for head, row in zip(heads, values, strict=True)
    ]


def _numbers(values: Array, palette: Palette, size: Sizes) -> list[dict[str, Any]]:
    """Return the percentages in the cells."""
    return [
        cell_text(row, column, f"{value:.0%}", strength=float(value), palette=palette, font=size.label)
        for (row, column), value in np.ndenumerate(values)
        if value >= LEAST_SHOWN
    ]


def _label_width(texts: Sequence[str], width: int) -> float:
    """Return the width of the tokens beside the map, in pixels."""
    size = style.sizes(width)
    longest = max((columns_of(shorten(text, SHORT)) for text in texts), default=0)
    return LETTER * size.label * longest + 2 * size.gap


if __name__ == "__main__":
    from viz.kit.demos.answers import labelled_tokens
    from viz.kit.tokens import token_texts

    made_up = labelled_tokens()
    token_map(
        made_up.probabilities,
        texts=token_texts(made_up.tokens),
        columns=made_up.labels,
        number="probability",
        title="A map of tokens",
        note="Made up.",
    ).show()
