"""Bars whose lengths are covered: the picture beside a question, before its answer."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from viz.attention.covered import COVERED, MARK
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.language import said
from viz.kit.theme import Theme, percentage


@check_arguments
def covered_bars(
    names: Sequence[str],
    *,
    known: Sequence[float] = (),
    title: str,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw a bar for each name, plain text: the first ones with their `known` probabilities, the others covered, all
    of one length."""
    palette = style.PALETTES[theme]
    values = [*known, *[None] * (len(names) - len(known))]
    bars = [
        Bar(
            place=place,
            label=name,
            value=1.0 if value is None else value,
            text=MARK if value is None else percentage(value),
            hover=(name, said(COVERED)) if value is None else (name, percentage(value)),
            colour=palette.masked if value is None else palette.bar,
        )
        for place, (name, value) in enumerate(zip(names, values, strict=True))
    ]
    scale = Scale(high=1.0, title="")
    figure = lying_bars(bars, scale=scale, title=title, note=said(COVERED), theme=theme, width=width)
    return figure.update_xaxes(visible=bool(known))


if __name__ == "__main__":
    covered_bars(["with all heads", "without"], known=[0.9], title="What the model answers").show()
