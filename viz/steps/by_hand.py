"""A head made by hand on one word: its map with the cells of the goal framed, and the letters that it hands on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, Token
from viz.kit import theme as style
from viz.kit.language import to_say, tr
from viz.kit.row_sums import all_row_sums
from viz.kit.theme import Theme, number
from viz.steps.layout import Panel
from viz.steps.panels import panel_picture

WEIGHTS, OUTPUT = to_say("where it looks"), to_say("what it hands on")
READABLE_FROM = 0.55
"""The share of the colours from which on a number is written in the colour of the page."""


@check_arguments
def hand_picture(
    weights: Array,
    output: Array,
    *,
    tokens: tuple[Token, ...],
    letters: Sequence[str],
    goal: Mapping[int, Sequence[int]],
    title: str,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the weights of a head [n, n] and its output [n, n_letters], with the numbers in their cells.

    `goal` are the keys at which each query should look; their cells are framed. No token sees those after it.
    """
    panels = _panels(weights, output, tokens=tokens, letters=letters)
    notes = [all_row_sums()[0], *([tr("Framed: where the goal wants it to look.")] if goal else [])]
    figure = panel_picture(panels, title=title, notes=notes, theme=theme, width=width)
    figure.add_traces([_numbers(panel, axis, theme, width) for panel, axis in zip(panels, ("", "2"), strict=True)])
    figure.update_layout(shapes=list(_frames(goal, style.PALETTES[theme].accent)))
    return figure


def _panels(weights: Array, output: Array, *, tokens: tuple[Token, ...], letters: Sequence[str]) -> tuple[Panel, Panel]:
    """Return the weights, grey where a token cannot look, and the output."""
    n = len(tokens)
    looks = Panel(
        symbol="α",
        name=WEIGHTS,
        shape=f"[{n}, {n}]",
        values=np.where(np.tri(n, dtype=np.bool_), weights, np.float32(np.nan)),
        rows=tokens,
        columns=tokens,
        reach=1,
        is_signed=False,
    )
    hands_on = Panel(
        symbol="α V",
        name=OUTPUT,
        shape=f"[{n}, {len(letters)}]",
        values=output,
        rows=tokens,
        columns=tuple(Token(text=letter) for letter in letters),
        reach=float(np.abs(output).max(initial=0)) or 1.0,
        sign="→",
    )
    return looks, hands_on


def _frames(goal: Mapping[int, Sequence[int]], colour: str) -> Iterator[dict[str, Any]]:
    """Yield a frame around the cell of each query and each key at which it should look."""
    for query, keys in goal.items():
        for key in keys:
            ends = {"x0": key - 0.5, "x1": key + 0.5, "y0": query - 0.5, "y1": query + 0.5}
            yield {"type": "rect", "xref": "x", "yref": "y", "line": {"color": colour, "width": 2}} | ends


def _numbers(panel: Panel, axis: str, theme: Theme, width: int) -> go.Scatter:
    """Return the numbers of a panel as text in its cells, where its colours leave them readable."""
    palette = style.PALETTES[theme]
    cells = [(int(row), int(column)) for row, column in np.argwhere(np.isfinite(panel.values))]
    values = [float(panel.values[cell]) for cell in cells]
    colours = [palette.ground if abs(value) > READABLE_FROM * panel.reach else palette.ink for value in values]
    return go.Scatter(
        x=[column for _, column in cells],
        y=[row for row, _ in cells],
        text=[number(value, digits=2 if abs(value) < 10 else 0) for value in values],
        mode="text",
        textfont={"size": style.sizes(width).caption - 2, "color": colours},
        hoverinfo="skip",
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
    )


if __name__ == "__main__":
    from viz.kit.demos.records import tokens_of

    looks = np.tri(4, dtype=np.float32) / np.arange(1, 5, dtype=np.float32)[:, None]
    hand_picture(
        looks, looks[:, :2], tokens=tokens_of("A B A B"), letters=("A", "B"), goal={2: (0,)}, title="A head"
    ).show()
