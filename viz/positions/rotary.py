"""Rotary positions in pictures: how far each pair turns, and that q . k is left with the distance alone.

Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", equations 12 to 16. The query and the
key are made up (`viz.positions.formulas.example_vectors`) and the same everywhere, so that only positions differ.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.figures.line_chart import Curve, Scales, line_chart
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.language import tr
from viz.kit.theme import Theme
from viz.positions.circle import Rotation, turning
from viz.positions.formulas import Exact, example_vectors, rotary_scores
from viz.positions.sinusoidal import in_degrees, wavelength

SECOND_PLACE = 7
"""The position of the second query on the circle; the first is at position 0."""


@check_arguments
def turn_chart(turns: Exact, *, pair: int, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the angle by which each pair of dimensions [d_rotary / 2] turns per position, on a logarithmic axis."""
    palette = style.PALETTES[theme]
    pairs = np.arange(len(turns), dtype=np.float64)
    return line_chart(
        [
            Curve(name=tr("angle per position"), x=pairs, y=turns, colour=palette.bar, markers=True, is_named=False),
            Curve(
                name=tr("pair {pair}", pair=pair),
                x=pairs[[pair]],
                y=turns[[pair]],
                colour=palette.accent,
                markers=True,
                thickness=6,
            ),
        ],
        Scales(
            x_title=tr("pair of dimensions"),
            y_title=tr("radians per position"),
            x_noun=tr("pair"),
            is_logarithmic=True,
            number=".4g",
        ),
        title=tr("How far each pair turns per position"),
        text=tr(
            "Pair 0 is back where it began after {first} positions, pair {pair} after {own}, the last after {last}.",
            pair=pair,
            first=wavelength(float(turns[0])),
            own=wavelength(float(turns[pair])),
            last=wavelength(float(turns[-1])),
        ),
        theme=theme,
        width=width,
    )


@check_arguments
def rotary_circle(
    turns: Exact, *, pair: int, distance: int, seed: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw one pair of the query and of the key, `distance` positions apart, at two places: the angle is the same."""
    palette = style.PALETTES[theme]
    query, key = (np.arctan2(vector[1::2], vector[0::2])[pair] for vector in example_vectors(len(turns), seed=seed))
    turn = float(turns[pair])
    between = (key - query + math.pi) % (2 * math.pi) - math.pi  # the shorter way round
    hands = [
        Rotation(
            start=query + place * turn,
            end=query + between + (place + distance) * turn,
            at=f"q {place}",
            then=f"k {place + distance}",
            colour=colour,
        )
        for place, colour in ((0, palette.bar), (SECOND_PLACE, palette.accent))
    ]
    angle = hands[0].end - hands[0].start
    return turning(
        hands,
        dots=np.array([]),
        x_title=tr("dimension {dimension}", dimension=2 * pair),
        y_title=tr("dimension {dimension}", dimension=2 * pair + 1),
        title=tr("Query and key, turned by their positions"),
        note=tr(
            "The directions of pair {pair} of a query (thin) and of a key {distance} further on (thick), with their "
            "positions. The angle from query to key is {angle} both times, so the pair adds the same to q · k.",
            pair=pair,
            distance=distance,
            angle=in_degrees(angle),
        ),
        theme=theme,
        width=width,
    )


@check_arguments
def rotary_map(turns: Exact, length: int, *, seed: int, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw q . k for the same query and key at all positions."""
    return signed_map(
        rotary_scores(*example_vectors(len(turns), seed=seed), length, turns).astype(np.float32),
        x=Axis(title=tr("position of the key"), places=range(length), noun=tr("key at")),
        y=Axis(title=tr("position of the query"), places=range(length), noun=tr("query at")),
        number="q · k",
        title=tr("q · k of the same query and key at every position"),
        text=tr("The same number along every diagonal: only the distance is left."),
        reach=1,
        is_square=True,
        theme=theme,
        width=width,
    )


@check_arguments
def rotary_curve(
    turns: Exact, length: int, *, seed: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw q . k over the distance from query to key."""
    table = rotary_table(turns, length, seed=seed)
    return line_chart(
        [
            Curve(
                name="q · k",
                x=table["distance"].to_numpy(np.float64),
                y=table["score"].to_numpy(np.float64),
                colour=style.PALETTES[theme].bar,
                is_named=False,
            )
        ],
        Scales(x_title=tr("position of the key − position of the query"), y_title="q · k", x_noun=tr("distance")),
        title=tr("The same, by distance"),
        text=tr(
            "A made-up query and key of length 1, pointing in similar directions. The score is large when they are "
            "close together, and goes up and down as they move apart."
        ),
        theme=theme,
        width=width,
    )


def rotary_table(turns: Exact, length: int, *, seed: int) -> pd.DataFrame:
    """Return the columns distance (key minus query) and score: the curve."""
    scores = rotary_scores(*example_vectors(len(turns), seed=seed), length, turns)
    # The first column holds a key at 0 and queries after it, the first row a query at 0 and keys after it.
    return pd.DataFrame({"distance": range(1 - length, length), "score": np.concatenate((scores[:0:-1, 0], scores[0]))})


def turn_table(turns: Exact) -> pd.DataFrame:
    """Return the columns pair, radians_per_position, wavelength: one row for each pair of dimensions."""
    return pd.DataFrame({"pair": range(len(turns)), "radians_per_position": turns, "wavelength": 2 * math.pi / turns})


if __name__ == "__main__":
    from viz.positions.formulas import frequencies

    angles = frequencies(64, 10000)
    turn_chart(angles, pair=3).show()
    rotary_circle(angles, pair=3, distance=4, seed=0).show()
    rotary_map(angles, 64, seed=0).show()
    rotary_curve(angles, 64, seed=0).show()
