"""The answer of an NSP head about two sentences: one bar, divided between its two answers (Devlin et al. 2018, 3.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.wording import worded
from viz.kit import theme as style
from viz.kit.errors import PictureError
from viz.kit.figures.still import Figure
from viz.kit.language import tr
from viz.kit.theme import Palette, Sizes, Theme, percentage


class _Part(NamedTuple):
    """One of the two answers, with the side of its number."""

    name: str
    share: float
    colour: str
    side: str
    is_likelier: bool


@check_arguments
def next_sentence_bar(probability: float, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw one bar over the whole width, divided into "is next" and "not next", the likelier answer in large letters.

    Raises PictureError for what is not a probability.
    """
    if not 0 <= probability <= 1:
        raise PictureError(
            worded("The probability of the next sentence is {given}, expected 0 to 1.", given=probability)
        )
    size, palette = replace(style.sizes(width), page=width), style.PALETTES[theme]
    yes = probability >= 0.5
    parts = (
        _Part(tr("B is next"), probability, palette.bar, "left", yes),
        _Part(tr("not next"), 1 - probability, palette.accent, "right", not yes),
    )
    axis = {"visible": False, "fixedrange": True}
    half = {"type": "line", "xref": "x", "x0": 0.5, "x1": 0.5, "yref": "paper", "y0": -0.12, "y1": 1.12}
    top, bottom = 2.0 * size.title + 1.5 * _large(size), size.gap
    return Figure(
        [_bar(part) for part in parts],
        style.base_layout(theme, size, title=tr("Does B follow A?"))
        | {
            "barmode": "stack",
            "width": size.page,
            "height": top + 1.6 * size.word + bottom,
            "margin": {"l": size.gap, "r": size.gap, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "annotations": [_label(part, palette, size) for part in parts],
            "shapes": [half | {"line": {"color": palette.ink, "width": 2, "dash": "dot"}}],
            "xaxis": axis | {"range": [0, 1]},
            "yaxis": axis | {"range": [-0.5, 0.5]},
        },
    )


def _large(size: Sizes) -> int:
    """Return the font size of the likelier answer."""
    return int(1.7 * size.word)


def _bar(part: _Part) -> go.Bar:
    return go.Bar(
        x=[part.share],
        y=[0],
        orientation="h",
        width=1,
        marker={"color": part.colour, "line": {"width": 0}},
        hovertemplate=f"{part.name}: {part.share:{style.WEIGHT_FORMAT}}<extra></extra>",
    )


def _label(part: _Part, palette: Palette, size: Sizes) -> dict[str, Any]:
    """Return the number and the answer above one end of the bar, the likelier one large."""
    strong = part.is_likelier
    font = _large(size) if strong else size.word
    number = f'<b><span style="font-size:{font}px;color:{part.colour}">{_sure(part.share)}</span></b>'
    return {
        "xref": "paper",
        "x": 0 if part.side == "left" else 1,
        "xanchor": part.side,
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "yshift": 4,
        "showarrow": False,
        "text": f"{number} {part.name}",
        "font": {"size": size.word if strong else size.label, "color": palette.ink if strong else palette.quiet},
    }


def _sure(share: float) -> str:
    """Return a percentage that is 100% only for certainty, and 0% only for impossibility."""
    if 0 < share < 0.001:
        return tr("under 0.1%")
    return tr("over 99.9%") if 0.999 < share < 1 else percentage(share)


if __name__ == "__main__":
    next_sentence_bar(0.973).show()
