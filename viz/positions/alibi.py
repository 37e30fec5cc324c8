"""ALiBi in pictures: the slope of every head, and its bias on the scores of distant keys.

Press et al. 2021, "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation", section 3.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars, may_stand, standing_bars
from viz.kit.figures.line_chart import Curve, Scales, line_chart
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.language import tr
from viz.kit.theme import Theme, nice_maximum
from viz.positions.formulas import Exact, alibi_bias

DEEPEST = -10.0
"""The lowest bias drawn, for every head alike: exp(-10) is 0.00005, so beyond it a weight is negligible."""


@check_arguments
def slope_bars(slopes: Exact, *, head: int, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the slope of each head as a bar, the chosen one in the accent colour."""
    palette = style.PALETTES[theme]
    stands = may_stand(len(slopes), width)
    bars = [
        Bar(
            place=place,
            label=str(place) if stands else tr("Head {head}", head=place),
            value=float(slope),
            text=_fraction(float(slope)),
            hover=(
                tr("Head {head}", head=place),
                tr("slope {slope}", slope=f"{slope:.6g}"),
                tr("bias at distance 10: {bias}", bias=f"{-10 * slope:+.4f}"),
            ),
            colour=palette.accent if place == head else palette.bar,
            is_called=place == head,
        )
        for place, slope in enumerate(slopes)
    ]
    draw = standing_bars if stands else lying_bars
    return draw(
        bars,
        scale=Scale(high=nice_maximum(float(slopes.max())), title=tr("slope"), number="~g"),
        title=tr("The slopes of {n} heads", n=len(slopes)),
        note=tr(
            "With a steep slope, the head sees only near tokens; with a gentle one, it sees far. The slopes are not "
            "learned."
        ),
        theme=theme,
        width=width,
    )


@check_arguments
def alibi_map(slopes: Exact, length: int, *, head: int, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the bias that a head adds to the score of every query and key."""
    return signed_map(
        alibi_bias(length, float(slopes[head])),
        x=Axis(title=tr("position of the key"), places=range(length), noun=tr("key at")),
        y=Axis(title=tr("position of the query"), places=range(length), noun=tr("query at")),
        number=tr("bias"),
        title=tr("The bias of head {head}", head=head),
        text=tr(
            "−{slope} for each step back to the key; the colours end at −{end}. Grey: masked, a query cannot look "
            "there.",
            slope=f"{slopes[head]:.4g}",
            end=f"{-DEEPEST:.0f}",
        ),
        reach=-DEEPEST,
        is_square=True,
        theme=theme,
        width=width,
    )


@check_arguments
def alibi_lines(
    slopes: Exact, length: int, *, head: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the bias of every head over the distance, the chosen one highlighted."""
    palette = style.PALETTES[theme]
    distance = np.arange(length, dtype=np.float64)
    lines = [
        Curve(
            name=tr("head {head}", head=place),
            x=distance,
            y=-slope * distance,
            colour=palette.still,
            thickness=1.2,
            is_named=False,
        )
        for place, slope in enumerate(slopes)
        if place != head
    ]
    own = tr("head {head}", head=head)
    lines.append(Curve(name=own, x=distance, y=-slopes[head] * distance, colour=palette.bar, thickness=4))
    return line_chart(
        lines,
        Scales(
            x_title=tr("how far back the key is"),
            y_title=tr("bias"),
            x_noun=tr("distance"),
            y_range=(max(DEEPEST, float(-slopes.max() * (length - 1))), 0.3),
        ),
        title=tr("Straight lines down, one per head"),
        text=tr(
            "If scores are equal, a key with a bias of −1 gets e ≈ 2.72 times less weight than the token itself. So "
            "head {head} sees about {n} positions back.",
            head=head,
            n=f"{1 / slopes[head]:,.1f}",
        ),
        theme=theme,
        width=width,
    )


def slope_table(slopes: Exact) -> pd.DataFrame:
    """Return a table with the columns head and slope."""
    return pd.DataFrame({"head": range(len(slopes)), "slope": slopes})


def _fraction(slope: float) -> str:
    """Return a slope as text: "1/8" for a power of two, "0.71" for others."""
    parts = 1 / slope
    return f"1/{parts:.0f}" if parts == round(parts) else f"{slope:.2g}"


if __name__ == "__main__":
    from viz.positions.formulas import alibi_slopes

    slope_bars(alibi_slopes(8), head=2).show()
    alibi_map(alibi_slopes(8), 32, head=2).show()
    alibi_lines(alibi_slopes(8), 32, head=2).show()
