"""A head made by hand on one word: where each letter looks, as arcs above the word, and where it should, below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, Token
from viz.kit import theme as style
from viz.kit.figures.chips import LETTER, stroke
from viz.kit.figures.sheet import Sheet
from viz.kit.language import tr
from viz.kit.theme import Theme
from viz.kit.tokens import escape, plain_label, shorten, token_texts

FAINT = 0.02
"""A weight below this has no arc."""
THICKEST = 9
"""The width of an arc of weight 1, in pixels."""
HIGH, HIGH_COMPACT = 92, 72
"""The room for the arcs above the word, and below it, in pixels."""
NAMES, NAMES_COMPACT = 136, 104
"""The room for the names at the left."""
LARGER = 1.3
"""The size of the letters, relative to `size.word`."""
NONE = "–"


@check_arguments
def hand_arcs(
    weights: Array,
    *,
    tokens: tuple[Token, ...],
    hands_on: Sequence[str],
    goal: Mapping[int, Sequence[int]],
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the weights of a head [n, n] as arcs above the tokens, as thick as they are large, and those that the `goal`
    asks for, dotted below. `hands_on` has for each token the letter that it hands on, "" for none; it may be empty."""
    sheet = Sheet(size=replace(style.sizes(width), page=width), theme=theme)
    size, palette = sheet.size, sheet.palette
    names, high = (NAMES_COMPACT, HIGH_COMPACT) if size.compact else (NAMES, HIGH)
    step, font = (width - names - size.gap) / len(tokens), round(LARGER * size.word)
    xs = [names + (place + 0.5) * step for place in range(len(tokens))]
    bottom = high + 1.5 * font
    low = bottom + (high if goal else 0.0) + 0.6 * size.label
    sheet.shapes += [*_looks(weights, xs, high, palette.bar), *_wanted(goal, xs, bottom, high, palette.accent)]
    limit = max(int(0.9 * step / (LETTER * size.label)), len(tokens[0].text))
    for x, text in zip(xs, token_texts(tokens), strict=True):
        letters = font if len(text) == 1 else size.label
        sheet.write(plain_label(shorten(text, limit)), x, (high + bottom) / 2, anchor="center", size=letters)
    for x, letter in zip(xs, hands_on, strict=False):
        sheet.write(plain_label(f"→ {letter}") if letter else NONE, x, low, anchor="center")
    says = {tr("where it looks"): (high * 2 / 3, palette.bar)}
    says |= {tr("where it should"): (bottom + high / 3, palette.accent)} if goal else {}
    says |= {tr("what it hands on"): (low, palette.ink)} if hands_on else {}
    for text, (y, ink) in says.items():
        sheet.write(f"<b>{escape(text)}</b>", size.gap / 2, y, ink=ink)
    return sheet.figure(note="", tall=low + size.label if hands_on else bottom)


def _looks(weights: Array, xs: Sequence[float], y: float, colour: str) -> Iterator[dict[str, Any]]:
    """Yield an arc for each weight that is no trace, but those of the start token."""
    for query in range(1, len(xs)):
        for key in range(query + 1):
            share = float(weights[query, key])
            if share >= FAINT:
                path = _arc(xs, query, key, y, -y)
                yield stroke(path, colour=colour, width=THICKEST * share, opacity=0.75)


def _wanted(
    goal: Mapping[int, Sequence[int]], xs: Sequence[float], y: float, high: float, colour: str
) -> Iterator[dict[str, Any]]:
    """Yield a dotted arc from each query to each key at which it should look."""
    for query, keys in goal.items():
        for key in keys:
            shape = stroke(_arc(xs, query, key, y, high), colour=colour, width=3, opacity=1)
            yield shape | {"line": shape["line"] | {"dash": "dot"}}


def _arc(xs: Sequence[float], query: int, key: int, y: float, high: float) -> str:
    """Return an arc from one token to another, about as high as `high` at most; to itself a narrow one."""
    start, end, step = xs[query], xs[key], xs[1] - xs[0]
    if start == end:
        start, end = start + 0.12 * step, end - 0.12 * step
    reach = y + high * min(0.55 + 0.15 * abs(query - key), 1.25)
    return f"M {start:.1f},{y:.1f} C {start:.1f},{reach:.1f} {end:.1f},{reach:.1f} {end:.1f},{y:.1f}"


if __name__ == "__main__":
    import numpy as np

    from viz.kit.demos.records import tokens_of

    looks = np.tri(4, dtype=np.float32) / np.arange(1, 5, dtype=np.float32)[:, None]
    hand_arcs(looks, tokens=tokens_of("A B A B"), hands_on=("", "", "A", ""), goal={2: (0,)}).show()
