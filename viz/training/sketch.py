"""A figure of curves, or of one map, as SVG with every part where plotly draws it.

A picture that changes several times a second is drawn so: the browser only exchanges its marks, where plotly would
build the whole picture anew. The figure itself takes its place when it is at rest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from viz.kit import theme as style

SLANT = 'transform="rotate(-45 {x:.1f} {y:.1f})"'
_MARKUP = re.compile(r'(<span style="color:#\w+">|</span>|<b>|</b>)')
_AS_SVG = {"<b>": '<tspan font-weight="700">', "</b>": "</tspan>", "</span>": "</tspan>"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    """The rectangle inside the axes, in pixels, and the ranges that they show."""

    left: float
    top: float
    wide: float
    tall: float
    across: tuple[float, float]
    down: tuple[float, float]
    """The values at the upper and the lower edge."""

    def x(self, value: float) -> float:
        first, last = self.across
        return self.left + (value - first) / (last - first) * self.wide

    def y(self, value: float) -> float:
        first, last = self.down
        return self.top + (value - first) / (last - first) * self.tall


@check_arguments
def sketch(figure: go.Figure) -> str:
    """Return a figure of lines and heat maps as SVG of the same size."""
    layout = figure.layout
    margin = layout.margin
    low, high = layout.yaxis.range
    plot = _Plot(
        left=margin.l,
        top=margin.t,
        wide=layout.width - margin.l - margin.r,
        tall=layout.height - margin.t - margin.b,
        across=tuple(layout.xaxis.range),
        down=(high, low),
    )
    title, pad = layout.title, layout.title.pad
    parts = [
        _text(title.text, pad.l, pad.t + title.font.size, size=title.font.size, colour=title.font.color),
        *_axes(layout, plot),
        *(_level(shape, plot) for shape in layout.shapes),
        *(mark for trace in figure.data for mark in _marks(trace, plot)),
        *(mark for annotation in layout.annotations for mark in _annotation(annotation, plot, layout)),
    ]
    size = f'width="{layout.width:.0f}" height="{layout.height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{escape(style.FONT)}">{"".join(parts)}</svg>'


def _text(text: str, x: float, y: float, *, size: float, colour: str, more: str = "") -> str:
    """Return a line of text; a figure's own marks of weight and colour are kept, everything else stands for itself."""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" {more}>{_convert_markup(text)}</text>'


def _convert_markup(text: str) -> str:
    parts = _MARKUP.split(text)
    return "".join(
        (_AS_SVG.get(part) or f'<tspan fill="{part[19:-2]}">') if number % 2 else escape(unescape(part))
        for number, part in enumerate(parts)
    )


# -- axes -------------------------------------------------------------------------------------------------------------


def _axes(layout: go.Layout, plot: _Plot) -> Iterator[str]:
    """Yield the tick labels and grid lines of both axes, and the title of the horizontal one."""
    across, down, ink = layout.xaxis, layout.yaxis, layout.font.color
    quiet = across.tickfont.color or ink
    if across.type == "category":
        for place, label in _labels(across):
            x, y = plot.x(place), plot.top - 6
            yield _text(label, x, y, size=across.tickfont.size, colour=ink, more=SLANT.format(x=x, y=y))
        for place, label in _labels(down):
            more = 'text-anchor="end" dominant-baseline="central"'
            yield _text(label, plot.left - 6, plot.y(place), size=down.tickfont.size, colour=ink, more=more)
        yield from _axis_titles(layout, plot)
        return
    line = f'stroke="{across.gridcolor}" stroke-dasharray="2 3"'
    bottom, right = plot.top + plot.tall, plot.left + plot.wide
    size = across.tickfont.size
    for value in _ticks(*plot.across, across.nticks):
        x = plot.x(value)
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{plot.top:.1f}" y2="{bottom:.1f}" {line}/>'
        yield _text(f"{value:g}", x, bottom + size + 3, size=size, colour=quiet, more='text-anchor="middle"')
    for value in _ticks(plot.down[1], plot.down[0], down.nticks):
        y, label = plot.y(value), f"{value:.0%}" if down.tickformat == ".0%" else f"{value:g}"
        yield f'<line x1="{plot.left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}" {line}/>'
        more = 'text-anchor="end" dominant-baseline="central"'
        yield _text(label, plot.left - 4, y, size=size, colour=quiet, more=more)
    middle = plot.left + plot.wide / 2
    yield _text(
        across.title.text,
        middle,
        bottom + 2.4 * size,
        size=across.title.font.size,
        colour=ink,
        more='text-anchor="middle"',
    )


def _axis_titles(layout: go.Layout, plot: _Plot) -> Iterator[str]:
    """Yield the titles of the axes of a map: above its labels and, upright, left of them."""
    for axis, x, y, angle in (
        (layout.xaxis, plot.left + plot.wide / 2, 3.2 * layout.title.font.size, 0),
        (layout.yaxis, 1.2 * layout.font.size, plot.top + plot.tall / 2, -90),
    ):
        more = f'text-anchor="middle" transform="rotate({angle} {x:.1f} {y:.1f})"'
        yield _text(axis.title.text, x, y, size=axis.title.font.size, colour=axis.title.font.color, more=more)


def _labels(axis: Any) -> Iterator[tuple[int, str]]:
    """Yield the labels of a category axis with their places, as many as are readable."""
    step = max(1, math.ceil(len(axis.categoryarray) / axis.nticks))
    for place in range(0, len(axis.categoryarray), step):
        yield place, axis.labelalias[str(axis.categoryarray[place])]


def _ticks(low: float, high: float, most: int) -> NDArray[np.float64]:
    """Return at most so many round values of a range."""
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return np.round(np.arange(math.ceil(low / step), math.floor(high / step) + 1) * step, 10)


# -- marks ------------------------------------------------------------------------------------------------------------


def _level(shape: Any, plot: _Plot) -> str:
    """Return a horizontal line through the whole picture."""
    x, y = plot.left + plot.wide, plot.y(shape.y0)
    stroke = f'stroke="{shape.line.color}" stroke-width="{shape.line.width}" stroke-dasharray="2 3"'
    return f'<line x1="{plot.left:.1f}" x2="{x:.1f}" y1="{y:.1f}" y2="{y:.1f}" {stroke}/>'


def _marks(trace: Any, plot: _Plot) -> Iterator[str]:
    if trace.type == "heatmap":
        yield from _cells(trace, plot)
    else:
        yield from _line(trace, plot)


def _cells(trace: go.Heatmap, plot: _Plot) -> Iterator[str]:
    wide, tall = abs(plot.x(1) - plot.x(0)), abs(plot.y(1) - plot.y(0))
    low, high = trace.zmin or 0.0, 1.0 if trace.zmax is None else trace.zmax
    for row, values in enumerate(np.asarray(trace.z, dtype=np.float64)):
        for column, value in enumerate(values):
            if not math.isnan(value):
                fill = _colour_at(trace.colorscale, (value - low) / ((high - low) or 1.0))
                x, y = plot.x(column) - wide / 2, plot.y(row) - tall / 2
                size = f'width="{wide + 0.3:.1f}" height="{tall + 0.3:.1f}"'  # so that no seam shows
                yield f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{fill}"/>'


def _colour_at(scale: tuple[tuple[float, str], ...], share: float) -> str:
    """Return the colour at a share of a scale, as CSS."""
    places = [place for place, _ in scale]
    channels = np.array([[int(colour[start : start + 2], 16) for start in (1, 3, 5)] for _, colour in scale])
    mixed = (round(float(np.interp(share, places, channels[:, channel]))) for channel in range(3))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _line(trace: go.Scatter, plot: _Plot) -> Iterator[str]:
    """Yield a curve, with a diamond at each of its points if it has markers."""
    points = [(plot.x(x), plot.y(y)) for x, y in zip(trace.x, trace.y, strict=True) if not math.isnan(y)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    stroke = f'stroke="{trace.line.color}" stroke-width="{trace.line.width}" opacity="{trace.opacity or 1}"'
    yield f'<polyline points="{path}" fill="none" {stroke}/>'
    if "markers" in trace.mode:
        for x, y in points:
            yield f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="{trace.line.color}"/>'


def _annotation(annotation: Any, plot: _Plot, layout: go.Layout) -> Iterator[str]:
    """Yield the lines of a text above the axes or below them."""
    size, colour = annotation.font.size or layout.font.size, annotation.font.color or layout.font.color
    lines = annotation.text.split("<br>")
    x = plot.left + annotation.x * plot.wide + (annotation.xshift or 0)
    y = plot.top + (1 - annotation.y) * plot.tall - (annotation.yshift or 0)
    first = y - 0.4 * size - 1.3 * size * (len(lines) - 1) if annotation.yanchor == "bottom" else y + 1.1 * size
    for number, line in enumerate(lines):
        yield _text(line, x, first + 1.3 * size * number, size=size, colour=colour)
