"""Legends above horizontal bars: the names of their colours, or the meanings of negative and positive bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viz.kit.theme import Sizes
from viz.kit.tokens import SHORT, plain_label

LETTER = 0.66
"""The width of a column of text, in sizes of its font: a word of wide letters has to fit."""
BOLD = 1.1
"""The width of bold letters relative to regular ones."""


def legend_above(names: Sequence[tuple[str, str]], size: Sizes, *, left: float) -> list[dict[str, Any]]:
    """Return a legend in the line above the picture: every name in its colour behind a square."""
    if not names:
        return []
    parts = (f'<span style="color:{colour}">■ <b>{plain_label(name)}</b></span>' for name, colour in names)
    place = {"x": 0, "xanchor": "left", "xshift": size.gap // 2 - left}
    return [_above("   ".join(parts), size.word, size) | place]


def ends_above(
    names: tuple[tuple[str, str], tuple[str, str]] | None, size: Sizes, *, room: float
) -> list[dict[str, Any]]:
    """Return the meanings of values left and right of 0, centred in the line above the picture."""
    if names is None:
        return []
    (negative, left_colour), (positive, right_colour) = names
    font = size.label + 2
    limit = min(SHORT, int((room - 2 * size.gap) / (BOLD * LETTER * font)) - 2)
    to_left = f'<span style="color:{left_colour}"><b>◀ {plain_label(negative, limit=limit)}</b></span>'
    to_right = f'<span style="color:{right_colour}"><b>{plain_label(positive, limit=limit)} ▶</b></span>'
    return [
        _above(to_left, font, size) | {"x": 0.5, "xanchor": "right", "xshift": -size.gap},
        _above(to_right, font, size) | {"x": 0.5, "xanchor": "left", "xshift": size.gap},
    ]


def _above(text: str, font: int, size: Sizes) -> dict[str, Any]:
    return {
        "text": text,
        "xref": "paper",
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "yshift": size.gap // 2,
        "showarrow": False,
        "font": {"size": font},
    }
