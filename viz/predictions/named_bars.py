"""Bars for a few named numbers: the picture of an answer that is no probability of a word."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.theme import Theme


@check_arguments
def named_bars(
    names: Sequence[str],
    values: Sequence[float],
    *,
    texts: Sequence[str],
    title: str,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw a bar for each name, plain text, as long as its number, which stands beside it as one of `texts`."""
    palette = style.PALETTES[theme]
    bars = [
        Bar(
            place=place,
            label=name,
            value=value,
            text=text,
            hover=(name, text),
            colour=palette.bar if value >= 0 else palette.accent,
        )
        for place, (name, value, text) in enumerate(zip(names, values, texts, strict=True))
    ]
    scale = Scale(low=min(0.0, *values), high=max(0.0, *values) or 1.0, title="")
    figure = lying_bars(bars, scale=scale, title=title, note="", theme=theme, width=width)
    return figure.update_xaxes(showticklabels=False, showgrid=False)


if __name__ == "__main__":
    named_bars(["queen", "bread"], [0.5, 0.2], texts=["0.50", "0.20"], title="Which is most like “king”?").show()
