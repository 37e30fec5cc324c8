"""Names at the ends of lines, moved apart where they would lie on each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.kit.theme import Sizes
from viz.kit.tokens import plain_label


def spread(places: NDArray[np.float64], *, distance: float, end: float) -> NDArray[np.float64]:
    """Return places between 0 and `end`, as near as possible to the given ones, at least `distance` apart.

    Touching labels are pooled into blocks around their mean, as in isotonic regression; if they do not fit, they are
    spread evenly.
    """
    order = np.argsort(places, kind="stable")
    distance = min(distance, end / max(len(places) - 1, 1))
    blocks: list[list[float]] = []  # of (place - distance * index): within a block all are equal
    for index, place in enumerate(places[order]):
        blocks.append([float(place) - distance * index])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            upper = blocks.pop()
            blocks[-1] += upper
    pooled = np.array([float(np.mean(block)) for block in blocks for _ in block])
    free = np.clip(pooled, 0, end - distance * (len(places) - 1)) + distance * np.arange(len(places))
    placed = np.empty(len(places))
    placed[order] = free
    return placed


def end_label(text: str, colour: str, *, x: float, y: float, shift: float, size: Sizes) -> dict[str, Any]:
    """Return a plain name right of the end (x, y) of a line, with a thin arm to it where it had to move `shift` pixels
    up."""
    return {
        "x": x,
        "y": y,
        "ax": 1.6 * size.gap,
        "ay": -shift,
        "xanchor": "left",
        "yanchor": "middle",
        "text": f"<b>{plain_label(text, limit=None)}</b>",
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": colour,
        "standoff": 4,
        "font": {"size": size.word, "color": colour},
    }
