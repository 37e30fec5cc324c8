"""A number for every token and every column, as a map: the sentence runs down the page in its reading order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.record import Array
from viz.kit import theme as style
from viz.kit.bars import LETTER
from viz.kit.theme import Theme, four_digits
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
    """Pixels of a column beside these tokens, in a figure of that width."""
    size = style.sizes(width)
    return min((size.page - _left(texts, width) - size.gap) / n_columns, WIDEST_CELL)


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
    """`values` [n_tokens, n_columns] from 0 to 1 on a fixed scale, with percentages where they fit.

    `texts` and `columns` are plain texts, `number` says what a value is; `positions` are those of the tokens in their
    text, 0 and on if they are all there.
    """
    positions = range(len(texts)) if positions is None else positions
    size, palette = style.sizes(width), style.PALETTES[theme]
    cell, left = cell_width(texts, len(columns), width), _left(texts, width)
    longest = max(columns_of(shorten(name, SHORT)) for name in columns) * LETTER * size.label
    leaning = longest > cell - 4
    wide, tall = cell * len(columns), 1.9 * size.label * len(texts)
    right = max(size.gap, longest * 0.72 - cell / 2 + size.gap) if leaning else size.gap
    overflow = max(left + wide + right - size.page, 0)
    wide, cell = wide - overflow, (wide - overflow) / len(columns)
    shown = max(left + wide + right, min(size.page, 420))
    lines = style.wrapped(note, size, pixels=shown - 2 * size.gap)
    top = 2.6 * size.title + (0.72 * longest + size.label if leaning else 1.8 * size.label)
    bottom = size.gap + 1.45 * size.caption * len(lines)
    below = style.caption("<br>".join(lines), theme, size, below=size.gap // 2) | {"xshift": size.gap // 2 - left}
    has_numbers = cell >= NUMBER_LETTERS * LETTER * size.label
    numbers = [
        {
            "x": column,
            "y": row,
            "text": f"{value:.0%}",
            "showarrow": False,
            "font": {"size": size.label, "color": palette.ground if value > 0.5 else palette.ink},
        }
        for (row, column), value in np.ndenumerate(values)
        if has_numbers and value >= LEAST_SHOWN
    ]
    axis: dict[str, Any] = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    figure = go.Figure(
        go.Heatmap(
            z=values,
            zmin=0,
            zmax=1,
            xgap=2,
            ygap=2,
            colorscale=style.colour_scale(palette.sequential),
            showscale=False,
            customdata=[
                [
                    f"<b>{escape(text)}</b> (position {place})<br>{escape(name)}<br>"
                    f"{number} {four_digits(float(value))}"
                    for name, value in zip(columns, row, strict=True)
                ]
                for place, text, row in zip(positions, texts, values, strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    return figure.update_layout(
        style.base_layout(theme, size, title=title)
        | {
            "width": shown,
            "height": top + tall + bottom,
            "margin": {"l": left, "r": shown - left - wide, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "annotations": [below, *numbers],
            "xaxis": axis
            | {
                "side": "top",
                "range": [-0.5, len(columns) - 0.5],
                "tickvals": list(range(len(columns))),
                "ticktext": [plain_label(name) for name in columns],
                "tickangle": -45 if leaning else 0,
                "tickfont": {"size": size.label},
            },
            "yaxis": axis
            | {
                "range": [len(texts) - 0.5, -0.5],
                "tickvals": list(range(len(texts))),
                "ticktext": [plain_label(text) for text in texts],
                "tickfont": {"size": size.label},
                "ticklabelstandoff": size.gap // 2,
            },
        }
    )


def _left(texts: Sequence[str], width: int) -> float:
    """Pixels for the tokens beside the map."""
    size = style.sizes(width)
    longest = max((columns_of(shorten(text, SHORT)) for text in texts), default=0)
    return LETTER * size.label * longest + 2 * size.gap


if __name__ == "__main__":
    from viz.kit.demo import labelled_tokens
    from viz.kit.tokens import token_texts

    made_up = labelled_tokens()
    token_map(
        made_up.probabilities, texts=token_texts(made_up.tokens), columns=made_up.labels, number="probability",
        title="A map of tokens", note="Made up.",
    ).show()  # fmt: skip
