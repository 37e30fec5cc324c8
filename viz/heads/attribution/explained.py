"""Figures of explanations: the words that mattered for an answer, by one method; and the faithfulness of methods."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from models.values.results.attribution import (
    STANDS_STILL,
    Attribution,
    Faithfulness,
    FaithfulnessCurve,
    Word,
    words_of,
)
from viz.heads.effects import answer_words, contrast_title
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars, probability_axis
from viz.kit.figures.still import Figure
from viz.kit.language import said, tr
from viz.kit.layout import UNMARKED, axis_title, note
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import texts_of_words, unmarked_words_note
from viz.kit.tokens import width as columns

CURVES = 4
"""The number of methods with a colour of their own; the others are grey, and the hover text names them."""
TALL = 260
TICKS = (0.1, 0.2, 0.5, 0.8, 1.0)


@check_arguments
def word_bars(attribution: Attribution, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the score of every word in reading order; words that speak against the answer go left."""
    words = words_of(attribution.tokens, attribution.places, attribution.contrast)
    texts = word_texts(attribution, words)
    scores, palette = attribution.of_words(words), style.PALETTES[theme]
    end = float(np.abs(scores).max(initial=0)) or 1.0
    bars = [
        Bar(
            place=place,
            label=text,
            value=float(score),
            text=style.number(float(score), digits=3, plus=attribution.is_signed),
            hover=(text, style.number(float(score), plus=attribution.is_signed)),
            colour=palette.bar if score >= 0 else palette.accent,
        )
        for place, (text, score) in enumerate(zip(texts, scores, strict=True))
    ]
    low = -1.25 * end if attribution.is_signed else 0.0
    return lying_bars(
        bars,
        scale=Scale(low=low, high=1.25 * end, title="", number="~g"),
        title=tr("{answers}: {method}", answers=contrast_title(attribution.contrast), method=said(attribution.title)),
        note=_note_of_words(attribution, unmarked_words_note(texts)),
        theme=theme,
        width=width,
    )


def _note_of_words(attribution: Attribution, unmarked: str) -> str:
    """Return the note: which scores are summed, what is left out, and the possible error of an estimate."""
    summed = tr("The pieces of a word are summed; special tokens are left out. Another method may say another thing.")
    unsettled = tr(
        "These scores did not settle: with twice the points they moved by {part} of the largest.",
        part=f"{attribution.off_by:.0%}",
    )
    return " ".join(filter(None, (summed, unmarked, unsettled if attribution.off_by > STANDS_STILL else "")))


def word_texts(read: Attribution | Faithfulness, words: Sequence[Word]) -> list[str]:
    """Return words as plain texts, their pieces joined."""
    return texts_of_words(read.tokens, words)


@check_arguments
def faithfulness_curves(
    faithfulness: Faithfulness, *, nothing_else: bool = False, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the probability of the answer without the words that each method ranks first, or with `nothing_else` with
    them alone; the grey band holds nine tenths of the random orders. The hover text gives the area under a curve."""
    size, palette = style.sizes(width), style.PALETTES[theme]
    points = partial(faithfulness.points, nothing_else=nothing_else)
    shares = np.array([0.0, *faithfulness.fractions])
    best = sorted(faithfulness.curves, key=lambda curve: -curve.score)
    figure = Figure(layout=_layout(faithfulness, shares, nothing_else=nothing_else, theme=theme, size=size))
    if faithfulness.random:
        _add_band(figure, shares, np.stack([points(curve) for curve in faithfulness.random]), palette)
    for rank, curve in reversed(list(enumerate(best))):
        colour = palette.lines[rank] if rank < CURVES else palette.still
        area, title = _area(faithfulness, curve, nothing_else), said(curve.title)
        lines = [tr("{share} of the words: {chance}", share="%{x:.0%}", chance="%{y:.4f}")]
        if area:
            lines.append(tr("area under the curve {area}", area=area))
        figure.add_scatter(
            x=shares,
            y=points(curve),
            name=f"{title} {area}".strip(),
            showlegend=rank < CURVES,
            legendrank=rank,
            mode="lines+markers",
            cliponaxis=False,
            line={"color": colour, "width": 3 if rank < CURVES else 1.2},
            marker={"size": 7, "color": colour},
            hovertemplate="<br>".join([f"<b>{title}</b>", *lines]) + "<extra></extra>",
        )
    return figure


def _area(faithfulness: Faithfulness, curve: FaithfulnessCurve, nothing_else: bool) -> str:
    """Return the area under a curve that reaches all words; empty for any other."""
    area = faithfulness.area(curve, nothing_else=nothing_else)
    return style.number(area, digits=3) if faithfulness.fractions[-1] == 1 else ""


def _add_band(figure: go.Figure, shares: Any, random: Array, palette: Palette) -> None:
    low, high = np.nanpercentile(random[:, 1:], (5, 95), axis=0)
    for values, fill in ((low, None), (high, "tonexty")):
        figure.add_scatter(
            x=shares[1:],
            y=values,
            mode="lines",
            line={"width": 0},
            fill=fill,
            fillcolor=palette.masked,
            hoverinfo="skip",
            showlegend=False,
        )


def _layout(
    faithfulness: Faithfulness, shares: Any, *, nothing_else: bool, theme: Theme, size: Sizes
) -> dict[str, Any]:
    palette, left = style.PALETTES[theme], 4.4 * size.label
    title = tr("With nothing but the words named first") if nothing_else else tr("Without the words named first")
    text = _note(faithfulness, nothing_else=nothing_else, has_areas=bool(shares[-1] == 1))
    top = 2.6 * size.title + size.gap + 1.7 * size.label * _legend_lines(faithfulness, size.page - left, size)
    lines = style.wrap_text(text, size, pixels=size.page - 2 * size.gap)
    below = 1.6 * size.label + 1.8 * size.axis
    bottom = below + 1.45 * size.caption * len(lines) + 2 * size.gap
    return style.base_layout(theme, size, title=title) | {
        "width": size.page,
        "height": top + TALL + bottom,
        "dragmode": False,
        "showlegend": True,
        "margin": {"l": left, "r": 2 * size.gap, "t": top, "b": bottom, "pad": 0},
        "annotations": [note(lines, theme, size, below=below, left=left)],
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "traceorder": "normal",
            "font": {"size": size.label},
        },
        "xaxis": UNMARKED
        | {
            "range": [0, float(shares[-1])],
            "tickformat": ".0%",
            "fixedrange": True,
            "tickvals": [share for share in TICKS if share <= shares[-1]],
            "title": axis_title(tr("words named first"), palette, size),
            "tickfont": {"size": size.label},
        },
        "yaxis": probability_axis(1.0, palette, size),
    }


def _note(faithfulness: Faithfulness, *, nothing_else: bool, has_areas: bool) -> str:
    counts = {"n": len(faithfulness.random), "best": CURVES}
    drawn = (
        tr(
            "The probability of {answer}, with nothing but the words named first. Grey band: nine tenths of {n} random "
            "orders. The {best} best methods have a colour, the pointer names the others.",
            answer=answer_words(faithfulness.contrast),
            **counts,
        )
        if nothing_else
        else tr(
            "The probability of {answer}, without the words named first. Grey band: nine tenths of {n} random orders. "
            "The {best} best methods have a colour, the pointer names the others.",
            answer=answer_words(faithfulness.contrast),
            **counts,
        )
    )
    areas = (
        tr("Beside the names: the area under the curve, more is better.")
        if nothing_else
        else tr("Beside the names: the area under the curve, less is better.")
    )
    cited = tr("Samek et al. 2017, section III; DeYoung et al. 2020, section 4.2.")
    return " ".join([drawn, areas, cited] if has_areas else [drawn, cited])


def _legend_lines(faithfulness: Faithfulness, wide: float, size: Sizes) -> int:
    """Return how many lines the names of the best methods take, in columns as wide as the longest with its area."""
    best = sorted(faithfulness.curves, key=lambda curve: -curve.score)[:CURVES]
    column = 0.56 * size.label * (max(columns(said(curve.title)) for curve in best) + len(" 0.0000")) + 45
    return ceil(len(best) / max(int(wide / column), 1))


if __name__ == "__main__":
    from viz.heads.demos.effects import demo_attribution, demo_faithfulness

    word_bars(demo_attribution()).show()
    faithfulness_curves(demo_faithfulness()).show()
