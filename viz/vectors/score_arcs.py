"""Why a head looks at a token: the pairs of parts whose sum is a score, as arcs down through the layers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import plotly.graph_objects as go

from models.values.arguments.bounds import Count
from models.values.arguments.check import check_arguments
from models.values.results.scores import PartPair, ScoreParts, StreamPart
from viz.kit import theme as style
from viz.kit.figures.chips import LETTER, canvas, heading, hover_text, sideways
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape
from viz.kit.tokens import width as columns
from viz.vectors.score_words import N_PAIRS, SIDES, ScoreSide, pair_in_words, part_name, sums_of, tokens_of, with_sign

WIDEST = 760
ROW = 1.9
"""The height of a row, in sizes of its font."""
THICKEST, THINNEST = 9.0, 1.2
SHORT_NAMES = {
    "token": to_say("Token"),
    "position": to_say("Position"),
    "segment": to_say("Segment"),
    "biases": to_say("Biases"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    """The heights of the parts of both sides, in pixels, and those of the headings of the layers above them."""

    places: Mapping[tuple[ScoreSide, StreamPart], float]
    headings: Sequence[tuple[str, float]]
    tall: float


@check_arguments
def score_arcs(
    parts: ScoreParts, *, n: Count = N_PAIRS, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the largest pairs as arcs from a part of the query, on the left, to a part of the key, on the right; the
    layers run down to the embeddings. The first shapes are the arcs, in the order of `largest`."""
    size, palette = style.sizes(width), style.PALETTES[theme]
    size = replace(size, page=min(size.page, WIDEST))
    pairs = parts.largest(n)
    layout = _lay_out(pairs, size)
    labels = {side: _labels(parts, side, layout, size) for side in SIDES}
    query, key = tokens_of(parts)
    left, right = (size.gap + max(map(_wide(size), labels[side].values())) for side in SIDES)
    ends: dict[ScoreSide, float] = {"query": left, "key": size.page - right}
    title = tr("The score {score} of “{query}” for “{key}”", score=with_sign(parts.score), query=query, key=key)
    figure = canvas(
        title=escape(title), note=_note(parts, pairs), wide=size.page, tall=layout.tall, size=size, theme=theme
    )
    figure.layout.shapes = [_arc(pair, pairs[0], layout, ends, palette) for pair in pairs]
    for name, y in layout.headings:
        figure.add_annotation(heading(name, x=size.gap, y=y, size=size, theme=theme))
    for side, token in zip(SIDES, (query, key), strict=True):
        figure.add_annotation(_above(side, token, x=ends[side], y=2.6 * size.title, size=size, palette=palette))
        figure.add_trace(_column(parts, side, labels[side], layout, x=ends[side], size=size, palette=palette))
    return figure.add_trace(_middles(pairs, layout, ends, palette))


def _lay_out(pairs: Sequence[PartPair], size: Sizes) -> _Places:
    """Place the parts of the pairs: the last layer on top, embeddings and biases at the bottom."""
    parts = {side: list(dict.fromkeys(getattr(pair, side) for pair in pairs)) for side in SIDES}
    levels = sorted({_level(part) for side in SIDES for part in parts[side]}, reverse=True)
    row = ROW * size.label
    y = 2.6 * size.title + 1.4 * row
    places: dict[tuple[ScoreSide, StreamPart], float] = {}
    headings = []
    for level in levels:
        headings.append((tr("Layer {layer}", layer=level) if level >= 0 else tr("Embeddings and biases"), y))
        of_level = {side: sorted(filter(lambda part: _level(part) == level, parts[side]), key=_order) for side in SIDES}
        for side in SIDES:
            places |= {(side, part): y + (number + 0.5) * row for number, part in enumerate(of_level[side])}
        y += row * max(map(len, of_level.values())) + 1.2 * row
    return _Places(places=places, headings=headings, tall=y - 0.9 * row)


def _level(part: StreamPart) -> int:
    return -1 if part.layer is None else part.layer


def _order(part: StreamPart) -> tuple[bool, str, int]:
    """Networks stand above heads, which they read; embeddings in the order of their names, biases last."""
    return part.of == "biases", part.of, -1 if part.head is None else part.head


def _labels(parts: ScoreParts, side: ScoreSide, layout: _Places, size: Sizes) -> dict[StreamPart, str]:
    """Return the texts of one column: short names with what each part adds, which a narrow picture leaves out."""
    adds = sums_of(parts, side)
    return {
        part: _short_name(part) if size.compact else f"{_short_name(part)}  {with_sign(adds[part])}"
        for of, part in layout.places
        if of == side
    }


def _above(side: ScoreSide, token: str, *, x: float, y: float, size: Sizes, palette: Palette) -> dict[str, Any]:
    """Return the heading of a column as an annotation."""
    name = tr("Query “{token}”", token=token) if side == "query" else tr("Key “{token}”", token=token)
    return {
        "text": f"<b>{escape(name)}</b>",
        "x": x,
        "y": y,
        "xanchor": "right" if side == "query" else "left",
        "yanchor": "middle",
        "showarrow": False,
        "font": {"size": size.label, "color": palette.ink},
    }


def _column(
    parts: ScoreParts,
    side: ScoreSide,
    labels: Mapping[StreamPart, str],
    layout: _Places,
    *,
    x: float,
    size: Sizes,
    palette: Palette,
) -> go.Scatter:
    adds = sums_of(parts, side)
    hovers = [
        (part_name(part), tr("adds {sum} with all parts of the other side", sum=with_sign(adds[part])))
        for part in labels
    ]
    return go.Scatter(
        x=[x] * len(labels),
        y=[layout.places[side, part] for part in labels],
        mode="text",
        text=[escape(label) for label in labels.values()],
        textposition="middle left" if side == "query" else "middle right",
        textfont={"size": size.label, "color": palette.ink},
        customdata=list(map(hover_text, hovers)),
        hovertemplate="%{customdata}<extra></extra>",
        cliponaxis=False,
    )


def _arc(
    pair: PartPair, largest: PartPair, layout: _Places, ends: Mapping[ScoreSide, float], palette: Palette
) -> dict[str, Any]:
    share = abs(pair.value / largest.value) if largest.value else 0.0
    shape = sideways(
        ends["query"] + 6,
        layout.places["query", pair.query],
        ends["key"] - 6,
        layout.places["key", pair.key],
        colour=palette.bar if pair.value >= 0 else palette.accent,
        width=max(THICKEST * share, THINNEST),
        opacity=0.4 + 0.5 * share,
    )
    return shape if pair.value >= 0 else shape | {"line": shape["line"] | {"dash": "dot"}}


def _middles(
    pairs: Sequence[PartPair], layout: _Places, ends: Mapping[ScoreSide, float], palette: Palette
) -> go.Scatter:
    """Return points in the middle of the arcs that say what each is."""
    return go.Scatter(
        x=[(ends["query"] + ends["key"]) / 2] * len(pairs),
        y=[(layout.places["query", pair.query] + layout.places["key", pair.key]) / 2 for pair in pairs],
        mode="markers",
        marker={"size": 14, "opacity": 0, "color": palette.bar},
        customdata=[hover_text((pair_in_words(pair),)) for pair in pairs],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _note(parts: ScoreParts, pairs: Sequence[PartPair]) -> str:
    drawn = sum(pair.value for pair in pairs)
    return tr(
        "The {n} largest of {all} pairs: they sum to {drawn}, all pairs to {total}. On the left is what wrote the "
        "query, on the right what wrote the key; thicker arcs are larger. Blue adds, orange and dotted takes away.",
        n=len(pairs),
        all=f"{parts.matrix.size:,}",
        drawn=with_sign(drawn),
        total=with_sign(parts.total - parts.bias),
    )


def _short_name(part: StreamPart) -> str:
    if part.of == "head":
        name = tr("Head {head}", head=part.head)
        return tr("Cross · {head}", head=name) if part.kind == "cross" else name
    return tr("Feed-forward") if part.of == "feed_forward" else said(SHORT_NAMES[part.of])


def _wide(size: Sizes) -> Callable[[str], float]:
    return lambda label: LETTER * size.label * columns(label) + size.gap


if __name__ == "__main__":
    from viz.kit.demos.answers import random_score

    score_arcs(random_score()).show()
