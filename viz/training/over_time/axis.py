"""The axis of iterations that the pictures over time share.

Heads change early and fast, so the iterations are spaced like a logarithm that begins at 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.kit.figures.bar_legends import LETTER
from viz.kit.language import tr
from viz.kit.theme import Palette, Sizes

ROOM = 0.25
"""The margin before the first and after the last iteration, in units of the spacing."""


def places(iterations: Sequence[int], snapshots: Sequence[int] | None = None) -> NDArray[np.float64]:
    """Return the positions of iterations on the axis: log2(1 + iteration / first), in which `first` is the first of the
    `snapshots` after the start.

    They are those of the snapshots themselves if none are given.
    """
    first = next((one for one in (iterations if snapshots is None else snapshots) if one > 0), 1)
    placed: NDArray[np.float64] = np.log2(1 + np.asarray(iterations, dtype=np.float64) / first)
    return placed


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationAxis:
    """The iterations of the snapshots on an axis `wide` pixels long."""

    iterations: tuple[int, ...]
    wide: float

    @property
    def range(self) -> tuple[float, float]:
        """The ends of the axis."""
        placed = places(self.iterations)
        return float(placed[0]) - ROOM, float(placed[-1]) + ROOM

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert points of the axis to pixels from its left end."""
        low, high = self.range
        lying: NDArray[np.float64] = (points - low) / (high - low) * self.wide
        return lying

    def layout(self, at: int, palette: Palette, size: Sizes) -> dict[str, Any]:
        """Return plotly's settings: the labels that fit, always with that of snapshot number `at`, in bold."""
        placed = places(self.iterations)
        texts = [f"{iteration:,}" for iteration in self.iterations]
        kept = _fitting(self.pixels(placed), [LETTER * size.label * (len(text) + 1) / 2 for text in texts], at)
        texts[at] = f'<b><span style="color:{palette.ink}">{texts[at]}</span></b>'
        return {
            "range": list(self.range),
            "tickvals": [float(placed[one]) for one in kept],
            "ticktext": [texts[one] for one in kept],
            "tickangle": 0,
            "ticklabelstandoff": size.gap // 3,
            "tickfont": {"size": size.label, "color": palette.quiet},
            "title": {
                "text": tr("training iteration"),
                "font": {"size": size.axis, "color": palette.quiet},
                "standoff": 6,
            },
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
        }

    def current(self, at: int, palette: Palette, panels: Sequence[str] = ("y",)) -> Iterator[dict[str, Any]]:
        """Yield the line through each panel at the selected snapshot."""
        here = float(places(self.iterations)[at])
        for panel in panels:
            yield {
                "type": "line",
                "xref": "x",
                "x0": here,
                "x1": here,
                "yref": f"{panel} domain",
                "y0": 0,
                "y1": 1,
                "line": {"color": palette.ink, "width": 2},
                "layer": "below",
            }


def _fitting(pixels: NDArray[np.float64], halves: Sequence[float], first: int) -> list[int]:
    """Return labels that do not touch: the `first` one, the last, then from the left; `halves` are half their
    widths."""
    kept = [first]
    for one in (len(halves) - 1, *range(len(halves))):
        if all(abs(pixels[one] - pixels[other]) > halves[one] + halves[other] for other in kept):
            kept.append(one)
    return sorted(kept)
