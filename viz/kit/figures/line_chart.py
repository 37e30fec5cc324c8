"""Lines over a distance, a position or a length, with their names above in their colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.layout import axis_title, note
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape
from viz.kit.tokens import width as columns

LETTER = 0.56
"""The mean width of a letter, in sizes of its font."""
TALL, TALL_COMPACT = 300, 220
"""The height of a picture without its words, in CSS pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One line: its name, a colour, and for a summary of several a `band`, the least and the most at every place."""

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    colour: str
    thickness: float = 3
    dash: str = "solid"
    markers: bool = False
    is_stepped: bool = False
    band: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
    is_named: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Scales:
    """Both axes: their titles, the hover text for places and values, and the ends of a plain y axis.

    `x_names` and `y_names` are ticks with their texts, in place of numbers; `limit` is a dashed line across, at a value
    of y.
    """

    x_title: str
    y_title: str
    x_noun: str
    number: str = style.SCORE_FORMAT
    y_range: tuple[float, float] | None = None
    is_logarithmic: bool = False
    is_x_logarithmic: bool = False
    x_names: Mapping[float, str] = field(default_factory=dict)
    y_names: Mapping[float, str] = field(default_factory=dict)
    limit: float | None = None
    ticks: Sequence[int] | None = None


@check_arguments
def line_chart(
    curves: Sequence[Curve],
    scales: Scales,
    *,
    title: str,
    text: str,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw curves on one pair of axes, with a legend above. Zero is marked where it is on the axis."""
    size, palette = style.sizes(width), style.PALETTES[theme]
    left, right = 4.4 * size.label + 1.8 * size.axis, 2.0 * size.gap
    axis_height = 1.8 * size.label + 1.8 * size.axis
    names = _names(curves, size, pixels=size.page - 2 * size.gap)
    top = 2.6 * size.title + 1.5 * size.word * len(names)
    words = style.wrap_text(text, size, pixels=size.page - 2 * size.gap)
    bottom = axis_height + size.gap + 1.45 * size.caption * len(words)
    traces = [trace for curve in curves for trace in (*_band(curve), _line(curve, scales))]
    return Figure(
        traces,
        style.base_layout(theme, size, title=title)
        | {
            "width": size.page,
            "height": top + (TALL_COMPACT if size.compact else TALL) + bottom,
            "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
            "dragmode": False if size.compact else "zoom",
            "hovermode": "closest",
            "annotations": [
                note(words, theme, size, below=axis_height + size.gap / 2, left=left),
                *_legend(names, size, left=left),
            ],
            "xaxis": _x_axis(scales, size.page - left, palette, size),
            "yaxis": _y_axis(scales, palette, size),
            "shapes": _limit(scales, palette),
        },
    )


def _axis(title: str, palette: Palette, size: Sizes) -> dict[str, Any]:
    return {
        "title": axis_title(title, palette, size),
        "tickfont": {"size": size.label, "color": palette.quiet},
        "gridcolor": palette.masked,
        "griddash": "dot",
        "zerolinecolor": palette.border,
        "zerolinewidth": 1.5,
        "automargin": False,
        "ticks": "",
    }


def _x_axis(scales: Scales, room: float, palette: Palette, size: Sizes) -> dict[str, Any]:
    ticks = {} if scales.ticks is None else {"tickvals": list(scales.ticks)}
    kind = {"type": "log"} if scales.is_x_logarithmic else {}
    return (
        _axis(scales.x_title, palette, size)
        | {"nticks": max(int(room / 70), 2)}
        | kind
        | ticks
        | _at_names(scales.x_names)
    )


def _y_axis(scales: Scales, palette: Palette, size: Sizes) -> dict[str, Any]:
    logarithmic = {"type": "log", "dtick": 1, "exponentformat": "power"} if scales.is_logarithmic else {}
    ends = {} if scales.y_range is None else {"range": scales.y_range}
    axis = _axis(scales.y_title, palette, size) | {"nticks": 6, "ticklabelstandoff": 5}
    return axis | logarithmic | ends | _at_names(scales.y_names)


def _at_names(names: Mapping[float, str]) -> dict[str, Any]:
    return {"tickmode": "array", "tickvals": list(names), "ticktext": list(names.values())} if names else {}


def _limit(scales: Scales, palette: Palette) -> list[dict[str, Any]]:
    """Return the dashed line across at the limit, if there is one."""
    if scales.limit is None:
        return []
    line = {"color": palette.accent, "width": 2, "dash": "dash"}
    return [{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": scales.limit, "y1": scales.limit, "line": line}]


def _line(curve: Curve, scales: Scales) -> go.Scatter:
    return go.Scatter(
        x=curve.x,
        y=curve.y,
        name=escape(curve.name),
        mode="lines+markers" if curve.markers else "lines",
        line={
            "color": curve.colour,
            "width": curve.thickness,
            "dash": curve.dash,
            "shape": "hvh" if curve.is_stepped else "linear",
        },
        marker={"size": 7, "color": curve.colour},
        hovertemplate=f"<b>{escape(curve.name)}</b><br>{escape(scales.x_noun)} %{{x:d}}<br>"
        f"%{{y:{scales.number}}}<extra></extra>",
    )


def _band(curve: Curve) -> list[go.Scatter]:
    """Return the area between the least and the most, in the colour of the curve."""
    if curve.band is None:
        return []
    least, most = curve.band
    edge: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "x": curve.x}
    return [
        go.Scatter(**edge, y=least),
        go.Scatter(**edge, y=most, fill="tonexty", fillcolor=_transparent(curve.colour)),
    ]


def _transparent(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"


def _names(curves: Sequence[Curve], size: Sizes, *, pixels: float) -> list[list[Curve]]:
    """Return the named curves in rows, as many in a row as fit."""
    rows: list[list[Curve]] = []
    used = pixels
    for curve in curves:
        if not curve.is_named:
            continue
        needed = 1.1 * LETTER * size.label * (columns(curve.name) + 6)
        if used + needed > pixels:
            rows.append([])
            used = 0
        rows[-1].append(curve)
        used += needed
    return rows


def _legend(rows: Sequence[Sequence[Curve]], size: Sizes, *, left: float) -> list[dict[str, Any]]:
    """Return the legend above the picture: every name in its colour behind a square."""
    text = "<br>".join(
        "    ".join(f'<span style="color:{curve.colour}">■ <b>{escape(curve.name)}</b></span>' for curve in row)
        for row in rows
    )
    above = {"xref": "paper", "x": 0, "xanchor": "left", "yref": "paper", "y": 1, "yanchor": "bottom", "yshift": 4}
    place = above | {"xshift": size.gap // 2 - left, "align": "left", "showarrow": False}
    return [place | {"text": text, "font": {"size": size.label}}] if rows else []


if __name__ == "__main__":
    numbers = np.arange(40, dtype=np.float64)
    cosine = Curve(name="cosine", x=numbers, y=np.cos(numbers / 5), colour=style.LIGHT.bar)
    line_chart(
        [cosine], Scales(x_title="place", y_title="value", x_noun="place"), title="A line", text="Made up."
    ).show()
