"""The sinusoidal encoding in pictures: the map, its waves, how alike two positions are, and a shift as a rotation.

Vaswani et al. 2017, section 3.5. Angles and rows come from `viz.positions.formulas`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.figures.line_chart import Curve, Scales, line_chart
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.language import tr, trn
from viz.kit.theme import Palette, Theme
from viz.positions.circle import Rotation, turning
from viz.positions.formulas import dot_products, frequencies, profile, sinusoids

MOST_WAVES = 24
"""The most periods of a wave that are distinguishable in one picture."""


@check_arguments
def encoding_map(
    length: int, d_model: int, base: float, *, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw positions from top to bottom, dimensions from left to right: the classic picture."""
    return signed_map(
        sinusoids(length, d_model, base),
        x=Axis(title=tr("dimension"), places=range(d_model), noun=tr("dimension")),
        y=Axis(title=tr("position"), places=range(length), noun=tr("position")),
        number=tr("number"),
        title=tr("The sinusoidal encoding"),
        text=tr(
            "A row is the vector added to the token at that position. Even dimensions are sines, odd ones cosines. "
            "The waves get longer to the right."
        ),
        reach=1,
        theme=theme,
        width=width,
    )


@check_arguments
def encoding_waves(
    length: int, d_model: int, base: float, *, pair: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the two dimensions of a pair as waves over the positions, with the first and the last sine behind them."""
    turns = frequencies(d_model, base)
    n_drawn = min(length, _readable(float(turns[pair])))
    text = tr(
        "Pair {pair} repeats after {n} positions. The first pair, which repeats after 6.28, tells neighbours apart; "
        "the last ones tell distant places apart. Dotted: the sine of the first and the last pair.",
        pair=pair,
        n=wavelength(float(turns[pair])),
    )
    cut = tr("Only the first {n} positions are drawn; more would be too dense to read.", n=n_drawn)
    behind = [0, d_model - 2]
    drawn = [
        dimension for dimension in behind if dimension // 2 != pair and n_drawn <= _readable(turns[dimension // 2])
    ]
    return line_chart(
        _waves(sinusoids(n_drawn, d_model, base).astype(np.float64), drawn, pair, style.PALETTES[theme]),
        Scales(x_title=tr("position"), y_title=tr("number"), x_noun=tr("position"), y_range=(-1.08, 1.08)),
        title=tr("Single dimensions as waves"),
        text=text if n_drawn == length else f"{text} {cut}",
        theme=theme,
        width=width,
    )


def _waves(encoding: NDArray[np.float64], behind: Sequence[int], pair: int, palette: Palette) -> list[Curve]:
    """Return the columns of an encoding [n_positions, d_model] as lines in their order: those behind dotted."""
    places = np.arange(len(encoding), dtype=np.float64)
    lines = [
        Curve(
            name=_dimension_name(dimension),
            x=places,
            y=encoding[:, dimension],
            colour=palette.lines[2 if dimension else 1],
            thickness=1.5,
            dash="dot",
        )
        for dimension in behind
    ]
    lines += [
        Curve(
            name=_dimension_name(2 * pair + odd),
            x=places,
            y=encoding[:, 2 * pair + odd],
            colour=colour,
            markers=len(places) <= 64,
        )
        for odd, colour in ((0, palette.bar), (1, palette.accent))
    ]
    order = np.argsort([*behind, 2 * pair, 2 * pair + 1])
    return [lines[place] for place in order]


@check_arguments
def dot_product_map(
    length: int, d_model: int, base: float, *, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the dot product of every two positions."""
    return signed_map(
        dot_products(sinusoids(length, d_model, base)),
        x=Axis(title=tr("position"), places=range(length), noun=tr("position")),
        y=Axis(title=tr("position"), places=range(length), noun=tr("position")),
        number=tr("dot product"),
        title=tr("The dot product of each pair of positions"),
        text=tr("The same number along every diagonal: only the distance counts, not the place."),
        reach=d_model / 2,
        is_square=True,
        theme=theme,
        width=width,
    )


@check_arguments
def dot_product_curve(
    length: int, d_model: int, base: float, *, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the dot product over the distance of the two positions."""
    products = profile(dot_products(sinusoids(length, d_model, base)))
    return line_chart(
        [
            Curve(
                name=tr("dot product"),
                x=np.arange(length, dtype=np.float64),
                y=products.mean,
                colour=style.PALETTES[theme].bar,
                is_named=False,
            )
        ],
        Scales(x_title=tr("distance of the two positions"), y_title=tr("dot product"), x_noun=tr("distance")),
        title=tr("The same, by distance"),
        text=tr(
            "At distance 0 it is d_model / 2 = {n}, because sin² + cos² = 1 in each of {n} pairs. It falls with "
            "distance, in waves.",
            n=d_model // 2,
        ),
        theme=theme,
        width=width,
    )


@check_arguments
def shift_circle(
    length: int,
    d_model: int,
    base: float,
    *,
    pair: int,
    shift: int,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw one pair of dimensions at two positions, and `shift` positions further: both turn by the same angle."""
    palette = style.PALETTES[theme]
    turn = float(frequencies(d_model, base)[pair])
    starts = 0, second_start(length, turn)
    turns = [
        Rotation(start=start * turn, end=(start + shift) * turn, at=f"{start}", then=f"{start + shift}", colour=colour)
        for start, colour in zip(starts, (palette.bar, palette.accent), strict=True)
    ]
    return turning(
        turns,
        dots=turn * np.arange(length, dtype=np.float64),
        x_title=_dimension_name(2 * pair + 1),
        y_title=_dimension_name(2 * pair),
        title=tr("Pair {pair}, shifted by {shift}", pair=pair, shift=shift),
        note=tr(
            "Pair {pair} of positions {first} and {second} (thin), and {shift} further on (thick): both turn by "
            "{shift} × {turn} ≈ {angle} rad ≈ {degrees}. Dots: all positions.",
            pair=pair,
            first=starts[0],
            second=starts[1],
            shift=shift,
            turn=f"{turn:.4g}",
            angle=f"{shift * turn:.4g}",
            degrees=in_degrees(shift * turn),
        ),
        theme=theme,
        width=width,
    )


def _readable(turn: float | np.float64) -> int:
    """Return how many positions of a wave with this turn can be drawn before it fills the picture."""
    return max(int(MOST_WAVES * 2 * math.pi / turn), 2)


def second_start(length: int, turn: float) -> int:
    """Return a position whose hand is well apart from that of position 0: a third of a circle on, if there is one."""
    wanted = round(2 * math.pi / 3 / turn)
    return min(max(wanted, 1), max(length - 1, 1))


def in_degrees(angle: float) -> str:
    """Return an angle in radians as readable degrees: "38.2°", "2 full turns and 13.0°"."""
    full, rest = divmod(math.degrees(abs(angle)), 360)
    size = f"{rest:.1f}°"
    if full:
        size = trn("{n} full turn and {rest}", "{n} full turns and {rest}", int(full), rest=size)
    return f"−{size}" if angle < 0 else size


def wavelength(turn: float) -> str:
    """Return after how many positions a pair with this turn repeats, as text."""
    return f"{2 * math.pi / turn:,.2f}" if turn > 0.063 else f"{2 * math.pi / turn:,.0f}"


def encoding_table(length: int, d_model: int, base: float) -> pd.DataFrame:
    """Return the columns position and one for every dimension."""
    encoding = sinusoids(length, d_model, base)
    table = pd.DataFrame(encoding, columns=[_name(dimension) for dimension in range(d_model)])
    table.insert(0, "position", range(length))
    return table


def dot_product_table(length: int, d_model: int, base: float) -> pd.DataFrame:
    """Return the columns distance and dot_product: the curve."""
    products = profile(dot_products(sinusoids(length, d_model, base)))
    return pd.DataFrame({"distance": range(length), "dot_product": products.mean})


def _name(dimension: int) -> str:
    """Return the name of a dimension as a table column."""
    return f"dimension {dimension}"


def _dimension_name(dimension: int) -> str:
    """Return the name of a dimension in the current language."""
    return tr("dimension {dimension}", dimension=dimension)


if __name__ == "__main__":
    encoding_map(64, 128, 10000).show()
    encoding_waves(64, 128, 10000, pair=8).show()
    dot_product_map(64, 128, 10000).show()
    dot_product_curve(64, 128, 10000).show()
    shift_circle(64, 128, 10000, pair=8, shift=5).show()
