"""Colours of numbers from 0 to 1, and cells of equal colour as few rectangles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.values.record import Array
from viz.kit.theme import Colours, Palette
from viz.painter.drawing import Boxes

STEPS = 64
"""Colours of a map: more of them nobody tells apart."""


def colour_steps(values: Array, masked: NDArray[np.bool_], *, end: float) -> NDArray[np.int64]:
    """Return the number of the colour of every value, of STEPS; -1 for a cell that is masked."""
    shares = np.clip(np.nan_to_num(values) / (end or 1), 0, 1)
    steps: NDArray[np.int64] = np.round(shares * (STEPS - 1)).astype(np.int64)
    steps[masked] = -1
    return steps


def cells(
    steps: NDArray[np.int64], palette: Palette, *, left: float, top: float, cell: tuple[float, float]
) -> tuple[Boxes, ...]:
    """Return the cells of a map, those of one colour together, and equal ones of a row as one rectangle; `cell` is
    (width, height)."""
    boxes: dict[int, list[tuple[float, float, float, float]]] = {}
    for row, line in enumerate(steps):
        edges = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
        for start, stop in pairwise(edges):
            box = (left + start * cell[0], top + row * cell[1], (stop - start) * cell[0], cell[1])
            boxes.setdefault(int(line[start]), []).append(box)
    colours = ramp(palette.sequential)
    fills: Mapping[int, str] = {-1: palette.masked}
    return tuple(Boxes(fill=fills.get(step, colours[step]), boxes=boxes[step]) for step in sorted(boxes))


@lru_cache(maxsize=8)
def ramp(palette: Colours) -> tuple[str, ...]:
    """Return STEPS colours evenly along a palette, as CSS hex."""
    stops = np.array([[int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in palette])
    places = np.linspace(0, len(stops) - 1, STEPS)
    channels = [np.interp(places, range(len(stops)), stops[:, channel]) for channel in range(3)]
    return tuple(f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in np.round(channels).astype(int).T.tolist())
