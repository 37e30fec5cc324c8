"""A pair of dimensions as a point on a circle: to move on in the text is to turn around its centre.

Vaswani et al. 2017, section 3.5: "for any fixed offset k, PE(pos + k) can be represented as a linear function of
PE(pos)"; that function is a rotation. Su et al. 2021, figure 1, turns queries and keys in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import tr
from viz.kit.layout import axis_title
from viz.kit.layout import note as note_below
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape
from viz.positions.formulas import Exact

REACH = 1.5
"""The end of the axes, which leaves room for the labels around the circle."""
ARC = 0.5
"""The radius of the first arc; the next ones lie outside it."""
ARC_STEP = 0.16
SPIRAL = 0.03
"""The growth of an arc's radius with every full turn, which keeps several turns apart."""
FULL = 2 * math.pi


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """A hand that turns from an angle to another, in radians, counter-clockwise; by more than a circle, if need be.

    `at` and `then` name the two ends, plain text.
    """

    start: float
    end: float
    at: str
    then: str
    colour: str


@check_arguments
def turning(
    turns: Sequence[Rotation],
    *,
    dots: Exact,
    x_title: str,
    y_title: str,
    title: str,
    note: str,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the circle with dots at these angles, and every turn as two hands and the arc between them."""
    size, palette = style.sizes(width), style.PALETTES[theme]
    figure = Figure([_path(np.linspace(0, FULL, 181), 1, palette.masked, 1.5), _dots(dots, palette)])
    for index, turn in enumerate(turns):
        figure.add_traces(_hands(turn, ARC + index * ARC_STEP, size))
    left, right = 3.4 * size.label + 1.8 * size.axis, float(size.gap)
    side = min(size.page - left - right, 380 if not size.compact else size.page)
    words = style.wrap_text(note, size, pixels=max(left + side + right, min(size.page, 420)) - 2 * size.gap)
    axis_height = 1.8 * size.label + 1.8 * size.axis
    bottom = axis_height + size.gap + 1.45 * size.caption * len(words)
    top = 2.6 * size.title
    shown = max(left + side + right, min(size.page, 520))
    return figure.update_layout(
        style.base_layout(theme, size, title=title)
        | {
            "width": shown,
            "height": top + side + bottom,
            "margin": {"l": left, "r": shown - left - side, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "annotations": [
                *_labels(turns, size),
                note_below(words, theme, size, below=axis_height + size.gap / 2, left=left),
            ],
            "xaxis": _axis(x_title, palette, size),
            "yaxis": _axis(y_title, palette, size) | {"scaleanchor": "x"},
        }
    )


def _dots(angles: Exact, palette: Palette) -> go.Scatter:
    """Return the dots of all positions on the circle."""
    position = tr("position {position}", position="%{customdata}")
    return go.Scatter(
        x=np.cos(angles),
        y=np.sin(angles),
        mode="markers",
        marker={"size": 5, "color": palette.still},
        customdata=np.arange(len(angles)),
        hovertemplate=f"{position}<extra></extra>",
    )


def _hands(turn: Rotation, radius: float, size: Sizes) -> list[go.Scatter]:
    """Return the traces of a turn: two hands from the centre, thin and thick, and the arc with its arrow."""
    begin = _first_drawn(turn)
    n_points = max(int(abs(turn.end - begin) * 40), 2)
    angles = np.linspace(begin, turn.end, n_points)
    radii = radius + SPIRAL * np.abs(angles - begin) / FULL
    arc = _path(angles, radii, turn.colour, 2)
    arc.mode = "lines+markers"
    arc.marker = {
        "symbol": "arrow",
        "angleref": "previous",
        "size": [0] * (n_points - 1) + [13],
        "color": turn.colour,
        "line": {"width": 0},
    }
    hands = []
    for angle, name, thickness in ((turn.start, turn.at, 1.5), (turn.end, turn.then, 3.5)):
        hands.append(
            go.Scatter(
                x=[0, math.cos(angle)],
                y=[0, math.sin(angle)],
                mode="lines+markers",
                line={"color": turn.colour, "width": thickness},
                marker={"size": [0, size.gap], "color": turn.colour, "opacity": 1},
                hovertemplate=f"<b>{escape(name)}</b><br>%{{x:+.4f}}, %{{y:+.4f}}<extra></extra>",
            )
        )
    return [*hands, arc]


def _first_drawn(turn: Rotation) -> float:
    """Return the start angle of the drawn arc: of many full turns only one is drawn, or they would fill a ring."""
    full = math.floor(abs(turn.end - turn.start) / FULL)
    return turn.start + math.copysign(FULL * max(full - 1, 0), turn.end - turn.start)


def _path(angles: Exact, radius: float | Exact, colour: str, thickness: float) -> go.Scatter:
    return go.Scatter(
        x=radius * np.cos(angles),
        y=radius * np.sin(angles),
        mode="lines",
        line={"color": colour, "width": thickness},
        hoverinfo="skip",
    )


def _labels(turns: Sequence[Rotation], size: Sizes) -> list[dict[str, Any]]:
    """Return the names of the ends, outside the circle; coinciding names share one label."""
    placed: list[tuple[float, str, str]] = []
    for turn in turns:
        placed += [(turn.start, turn.at, turn.colour), (turn.end, turn.then, turn.colour)]
    labels: list[dict[str, Any]] = []
    taken: list[float] = []
    for angle, name, colour in placed:
        level = sum(abs((angle - other + math.pi) % FULL - math.pi) < 0.16 for other in taken)
        taken.append(angle)
        labels.append(
            {
                "x": 1.1 * math.cos(angle),
                "y": 1.1 * math.sin(angle) + 0.13 * level,
                "xanchor": "left" if math.cos(angle) > 0.3 else "right" if math.cos(angle) < -0.3 else "center",
                "yanchor": "bottom" if math.sin(angle) > 0.9 else "top" if math.sin(angle) < -0.9 else "middle",
                "text": f"<b>{escape(name)}</b>",
                "showarrow": False,
                "font": {"size": size.label, "color": colour},
            }
        )
    return labels


def _axis(title: str, palette: Palette, size: Sizes) -> dict[str, Any]:
    return {
        "title": axis_title(title, palette, size),
        "range": [-REACH, REACH],
        "tickvals": [-1, 0, 1],
        "tickfont": {"size": size.label, "color": palette.quiet},
        "gridcolor": palette.masked,
        "griddash": "dot",
        "zerolinecolor": palette.masked,
        "fixedrange": True,
        "automargin": False,
    }


if __name__ == "__main__":
    turning(
        [
            Rotation(start=0.2, end=1.4, at="0", then="8", colour=style.LIGHT.bar),
            Rotation(start=2.0, end=3.2, at="12", then="20", colour=style.LIGHT.accent),
        ],
        dots=np.linspace(0, 4, 30),
        x_title="cosine",
        y_title="sine",
        title="A turn",
        note="Made up.",
    ).show()
