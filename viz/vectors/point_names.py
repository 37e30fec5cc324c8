"""The names of points beside them in a plane, where there is room: no name lies on another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go

from models.values.record import Array
from viz.kit.theme import Palette, Sizes
from viz.kit.tokens import SHORT, plain_label, shorten, token_texts
from viz.kit.tokens import width as columns_of
from viz.vectors.plane import Plane
from viz.vectors.query_key_value import Lookup

LETTER = 0.62
"""The width of a column of text, in sizes of its font."""
MOST_NAMES = 60
NAMED_ANYWAY = 6
"""The number of keys that are named even where the name covers another point."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A rectangle in pixels."""

    left: float
    right: float
    low: float
    high: float

    def touches(self, other: _Box) -> bool:
        return self.left < other.right and other.left < self.right and self.low < other.high and other.low < self.high


def point_names(
    figure: go.Figure, look: Lookup, plane: Plane, palette: Palette, size: Sizes
) -> list[dict[str, object]]:
    """Return names beside the points where there is room: the chosen query first, then the keys by their weight.

    The query and its first few keys are named even on top of another point; all others only beside free ground.
    """
    texts = token_texts(look.key_tokens, limit=SHORT)
    order = np.argsort(-look.weights, kind="stable")
    wanted = [(plane.queries[look.position], shorten(look.text, SHORT), palette.accent)]
    wanted += [(plane.keys[key], texts[key], palette.bar) for key in order[:MOST_NAMES]]
    points = _pixels(figure, np.concatenate([plane.queries, plane.keys]))
    markers = [_Box(x - 6, x + 6, y - 6, y + 6) for x, y in points]
    names: list[dict[str, object]] = []
    taken: list[_Box] = []
    for rank, (place, text, colour) in enumerate(wanted):
        ((x, y),) = _pixels(figure, place[None])
        length = LETTER * size.label * columns_of(text)
        right = _Box(x + size.gap, x + size.gap + length, y - 0.5 * size.label, y + 0.5 * size.label)
        left = replace(right, left=x - size.gap - length, right=x - size.gap)
        ends = _plot_width(figure)
        inside = [box for box in (right, left) if box.left > -size.gap and box.right < ends + size.gap]
        free = [box for box in inside if not any(box.touches(other) for other in taken)]
        clear = [box for box in free if not any(box.touches(other) for other in markers)]
        chosen = next(iter(clear or (free if rank <= NAMED_ANYWAY else [])), None)
        if chosen is None:
            continue
        taken.append(chosen)
        names.append(
            {
                "x": float(place[0]),
                "y": float(place[1]),
                "text": plain_label(text),
                "showarrow": False,
                "xanchor": "right" if chosen is left else "left",
                "xshift": -size.gap if chosen is left else size.gap,
                "font": {"size": size.label, "color": colour},
            }
        )
    return names


def _plot_width(figure: go.Figure) -> float:
    layout = figure.layout
    return float(layout.width - layout.margin.l - layout.margin.r)


def _pixels(figure: go.Figure, places: Array) -> list[tuple[float, float]]:
    """Convert points [n, 2] to pixels from the lower left corner of the axes."""
    layout = figure.layout
    tall = layout.height - layout.margin.t - layout.margin.b
    low = np.array([layout.xaxis.range[0], layout.yaxis.range[0]])
    high = np.array([layout.xaxis.range[1], layout.yaxis.range[1]])
    drawn = (places - low) / (high - low) * np.array([_plot_width(figure), tall])
    return [(float(x), float(y)) for x, y in drawn]
