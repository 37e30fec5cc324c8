"""The alignment of two sentences as lines between their words: where lines cross, the languages differ in order.

Short sentences lie above each other; the words of long ones stand upright; where even that is too narrow, the sentences
run down the page side by side. The width and the opacity of a line are its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, Token
from viz.attention.matrix import Matrix
from viz.kit import theme as style
from viz.kit.figures.chips import CHIP, LETTER, canvas, chip_width, curve, heading, hover_text, largest_font, sideways
from viz.kit.language import said, to_say, tr
from viz.kit.layout import message
from viz.kit.theme import Palette, Sizes, Theme, percentage
from viz.kit.tokens import SHORT, plain_label, shorten, token_texts
from viz.kit.tokens import width as columns
from viz.writing.alignment import MOST_WORDS, Link, crossings, links

WIDEST = 1400
UPRIGHT = 1.15
"""The room that an upright word needs at least, in sizes of its font, and at most."""
APART = 3.0
COLUMN_ROW = 1.7
"""The height of a row of two columns, in sizes of its font."""
BETWEEN = {"lying": 190.0, "upright": 300.0, "compact": 220.0}
"""Pixels between two sentences that lie above each other."""
WIDEST_COLUMNS = 720
THICKEST, THINNEST = 7.0, 1.2
MOST_NAMED = 4
"""The most links in the hover text of a word, the largest first."""
NAMES = (to_say("Source"), to_say("Translation"))
Form = Literal["lying", "upright", "columns"]
Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """The layout of the two sentences, in pixels: the middles of their words and the ends of their lines [n_words, 2]
    (x, y), source first; the positions of their names; the measures of the picture."""

    form: Form
    font: int
    words: tuple[Array, Array]
    ends: tuple[Array, Array]
    names: tuple[tuple[float, float], tuple[float, float]]
    wide: float
    tall: float


@check_arguments
def alignment_lines(matrix: Matrix, *, title: str, theme: Theme = "light", width: int = WIDEST) -> go.Figure:
    """Draw the source above and the translation below, or side by side where the page is too narrow for that.

    The strongest link of every word is in the colour that calls. The first `len(links(matrix))` shapes are the lines,
    in that order; trace 0 holds the words of the source, trace 1 those of the translation.
    """
    if not matrix.values.size:
        return message(title, matrix.note, theme=theme, width=width)
    size, palette = replace(style.sizes(width), page=min(width, WIDEST)), style.PALETTES[theme]
    sides = (_texts(matrix.key_tokens), _texts(matrix.query_tokens))
    place = _layout(sides, size)
    drawn = links(matrix)
    figure = canvas(
        title=title, note=_note(matrix, len(drawn)), wide=place.wide, tall=place.tall, size=size, theme=theme
    )
    figure.layout.shapes = [_shape(link, place, palette) for link in drawn]
    hovers = (_hover(matrix, drawn, of_source=True), _hover(matrix, drawn, of_source=False))
    inks = [_inks(tokens, palette) for tokens in (matrix.key_tokens, matrix.query_tokens)]
    for side in (0, 1):
        figure.add_trace(_words(place, side, texts=sides[side], inks=inks[side], hover=hovers[side], size=size))
        figure.add_annotation(
            heading(said(NAMES[side]), x=place.names[side][0], y=place.names[side][1], size=size, theme=theme)
        )
        if place.form == "upright":
            figure.layout.annotations += tuple(_standing(place, side, sides[side], inks[side], size))
    return figure


def _texts(tokens: Sequence[Token]) -> Texts:
    return token_texts(tokens, limit=SHORT)[:MOST_WORDS]


def _layout(sides: tuple[Texts, Texts], size: Sizes) -> _Layout:
    """Return the first of the three forms that fits the page."""
    room = size.page - 2 * size.gap
    font = largest_font(sides, room=room, size=size)
    if font:
        return _lying(sides, font, size)
    if max(map(len, sides)) * UPRIGHT * size.label <= room:
        return _upright(sides, size)
    return _columns(sides, size)


def _lying(sides: tuple[Texts, Texts], font: int, size: Sizes) -> _Layout:
    """Lay out both sentences on a line each, the shorter one in the middle."""
    top, tall = _header(size), CHIP * font
    below = top + tall + BETWEEN["lying"]
    edges = [_edges(texts, font, size) for texts in sides]
    widest = max(side_edges[-1] for side_edges in edges)
    first, second = (
        (side_edges[:-1] + side_edges[1:]) / 2 + size.gap + (widest - side_edges[-1]) / 2 for side_edges in edges
    )
    return _Layout(
        form="lying",
        font=font,
        words=(_points(first, top + tall / 2), _points(second, below + tall / 2)),
        ends=(_points(first, top + tall), _points(second, below)),
        names=((size.gap, top - 2), (size.gap, below + tall + 1.6 * size.axis)),
        wide=size.page,
        tall=below + tall + 2 * size.axis,
    )


def _upright(sides: tuple[Texts, Texts], size: Sizes) -> _Layout:
    """Lay out both sentences with their words upright, as far apart as the longer one allows."""
    most = max(map(len, sides))
    pitch = min((size.page - 2 * size.gap) / most, APART * size.label)
    above, under = (_longest(texts, size) for texts in sides)
    top = _header(size)
    first_end, second_end = top + above, top + above + BETWEEN["compact" if size.compact else "upright"]
    first, second = (size.gap + pitch * ((most - len(texts)) / 2 + 0.5 + np.arange(len(texts))) for texts in sides)
    tall = second_end + under
    return _Layout(
        form="upright",
        font=size.label,
        words=(_points(first, first_end - above / 2), _points(second, second_end + under / 2)),
        ends=(_points(first, first_end), _points(second, second_end)),
        names=((size.gap, top - 2), (size.gap, tall + 1.6 * size.axis)),
        wide=size.page,
        tall=tall + 2 * size.axis,
    )


def _columns(sides: tuple[Texts, Texts], size: Sizes) -> _Layout:
    """Lay out the sentences down the page, the source on the left."""
    top, row, wide = _header(size), COLUMN_ROW * size.label, min(size.page, WIDEST_COLUMNS)
    left, right = (min(_longest(texts, size) + size.gap, 0.38 * wide) for texts in sides)
    first, second = (top + row * (np.arange(len(texts)) + 0.5) for texts in sides)
    begin, end = np.full(len(first), left), np.full(len(second), wide - right)
    return _Layout(
        form="columns",
        font=size.label,
        words=(_points(begin - size.gap / 2, first), _points(end + size.gap / 2, second)),
        ends=(_points(begin, first), _points(end, second)),
        names=((size.gap, top - 4), (wide - right, top - 4)),
        wide=wide,
        tall=top + row * max(map(len, sides)) + size.gap,
    )


def _words(place: _Layout, side: int, *, texts: Texts, inks: Texts, hover: Texts, size: Sizes) -> go.Scatter:
    """Return the words of a sentence, or, where annotations draw them upright, the points with their hover text."""
    lies = {"lying": "middle center", "columns": ("middle left", "middle right")[side]}
    shown = {
        "mode": "text",
        "text": [plain_label(text, limit=None) for text in texts],
        "textposition": lies.get(place.form),
        "textfont": {"size": place.font, "color": list(inks)},
    }
    hidden = {"mode": "markers", "marker": {"size": size.label, "opacity": 0}}
    return go.Scatter(
        x=place.words[side][:, 0],
        y=place.words[side][:, 1],
        customdata=list(hover),
        hovertemplate="%{customdata}<extra></extra>",
        cliponaxis=False,
        **(hidden if place.form == "upright" else shown),
    )


def _standing(place: _Layout, side: int, texts: Texts, inks: Texts, size: Sizes) -> list[dict[str, Any]]:
    return [
        {
            "text": plain_label(text, limit=None),
            "x": float(x),
            "y": float(y),
            "textangle": -90,
            "yanchor": ("bottom", "top")[side],
            "showarrow": False,
            "font": {"size": size.label, "color": ink},
        }
        for text, ink, (x, y) in zip(texts, inks, place.ends[side], strict=True)
    ]


def _shape(link: Link, place: _Layout, palette: Palette) -> dict[str, Any]:
    (x0, y0), (x1, y1) = place.ends[0][link.source].tolist(), place.ends[1][link.target].tolist()
    draw = sideways if place.form == "columns" else curve
    return draw(
        x0,
        y0,
        x1,
        y1,
        colour=palette.accent if link.is_strongest else palette.bar,
        width=max(THICKEST * link.weight, THINNEST),
        opacity=min(0.2 + 0.8 * link.weight, 1.0),
    )


def _inks(tokens: Sequence[Token], palette: Palette) -> Texts:
    """Return the text colours of tokens; special tokens are paler."""
    return tuple(palette.quiet if token.is_special else palette.ink for token in tokens[:MOST_WORDS])


def _hover(matrix: Matrix, drawn: Sequence[Link], *, of_source: bool) -> Texts:
    """Return the hover text of every word of a sentence: its position, and its largest links."""
    sources, targets = token_texts(matrix.key_tokens), token_texts(matrix.query_tokens)
    own, others = (sources, targets) if of_source else (targets, sources)
    told: list[list[str]] = [[] for _ in own[:MOST_WORDS]]
    for link in sorted(drawn, key=lambda each: each.weight, reverse=True):
        position, other = (link.source, link.target) if of_source else (link.target, link.source)
        if len(told[position]) < MOST_NAMED:
            told[position].append(
                f"{'←' if of_source else '→'} {shorten(others[other], SHORT)} {percentage(link.weight)}"
            )
    places = matrix.key_positions if of_source else matrix.query_positions
    heads = [
        tr("{token} (position {place})", token=text, place=place)
        if of_source
        else tr("{token} (new token {place})", token=text, place=place)
        for text, place in zip(own, places, strict=True)
    ]
    return tuple(hover_text((heads[position], *(lines or [tr("no line")]))) for position, lines in enumerate(told))


def _note(matrix: Matrix, n_drawn: int) -> str:
    crossed, pairs = crossings(matrix)
    links_drawn = tr(
        "Orange: the strongest link of each translated word. {n} of {all} pairs of them cross: there, the word order "
        "differs.",
        n=crossed,
        all=pairs,
    )
    parts = [links_drawn, matrix.note, tr("{n} lines: weights from 0.05, and the strongest.", n=n_drawn)]
    if max(len(matrix.key_tokens), len(matrix.query_tokens)) > MOST_WORDS:
        parts.append(tr("Only the first {n} words of a sentence are shown; the table has all of them.", n=MOST_WORDS))
    return " ".join(parts)


def _edges(texts: Texts, font: float, size: Sizes) -> Array:
    """Return the edges of the words of a line [n_words + 1], from 0 on."""
    widths = [chip_width(text, font) + size.gap / 2 for text in texts]
    edges: Array = np.cumsum([0.0, *widths], dtype=np.float32)
    return edges


def _longest(texts: Texts, size: Sizes) -> float:
    return LETTER * size.label * max(map(columns, texts)) + size.gap


def _header(size: Sizes) -> float:
    return 2.6 * size.title + 1.6 * size.axis


def _points(x: NDArray[np.floating] | float, y: NDArray[np.floating] | float) -> Array:
    points: Array = np.stack(np.broadcast_arrays(x, y), axis=1).astype(np.float32)
    return points


if __name__ == "__main__":
    from viz.writing.alignment import alignment
    from viz.writing.demo import writing

    alignment_lines(alignment(writing(), layer=None, head=None), title="Alignment").show()
