"""One head as a heatmap: a row is the query token, a column the key token that it attends to.

Vaswani et al. 2017, "Attention Is All You Need", figure 3, shows the same weights as lines. Axes are integer positions
that carry token texts as aliases, so repeated tokens keep their own row and plotly thins labels out by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord, Kind, Token
from models.values.wording import to_say
from viz.attention.matrix import Matrix, Quantity
from viz.attention.transform import Special, pool, prepare
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import said, tr
from viz.kit.layout import UNMARKED, axis_title, colour_bar, masked_cells, note
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import SHORT, token_labels, token_texts, width

MAX_CELLS = 512
"""Cells a side. A longer text is drawn in blocks, each with its largest value: 512 x 512 float32 are 1 MB."""

KIND_TITLES: dict[Kind, str] = {
    "encoder": "",
    "decoder": to_say("Decoder · "),
    "cross": to_say("Cross-attention · "),
}


@check_arguments
def attention_heatmap(
    record: AttentionRecord,
    *,
    layer: int,
    head: int | None = None,
    quantity: Quantity = "weights",
    words: bool = False,
    special: Special = "shown",
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the weights (or the scores before the softmax) of one head; `head=None` is the mean over the heads of the
    layer.

    `words` merges word pieces, `special` hides special tokens; the caption says so. `width` is the widest the figure
    may become, in CSS pixels. The hover text lacks scores if the record has only weights. Raises SelectionError for a
    layer or head out of range, PictureError for whole words of scores, and for a quantity that is not known.
    """
    matrix = prepare(record, layer=layer, head=head, quantity=quantity, words=words, special=special)
    shown = attention_title(record, layer, head)
    scores: Matrix | None = None
    if quantity == "weights" and head is not None and not words and record.has_vectors:
        scores = prepare(record, layer=layer, head=head, quantity="scores", special=special)
    return matrix_figure(matrix, title=shown, scores=scores, theme=theme, width=width)


@check_arguments
def attention_title(record: AttentionRecord, layer: int, head: int | None) -> str:
    """Return a title such as "Layer 0 · Head 3", after the kind of attention if it is not an encoder's."""
    which = (
        tr("Layer {layer} · mean over {n} heads", layer=layer, n=record.n_heads)
        if head is None
        else tr("Layer {layer} · Head {head}", layer=layer, head=head)
    )
    return f"{said(KIND_TITLES[record.kind])}{which}"


@check_arguments
def matrix_figure(
    matrix: Matrix, *, title: str, scores: Matrix | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw a prepared matrix; `scores`, of the same shape, are added to the hover text."""
    size, palette = style.sizes(width), style.PALETTES[theme]
    if not matrix.values.size:
        return _empty(matrix, title=title, theme=theme, size=size)
    step = -(-max(matrix.values.shape) // MAX_CELLS)
    drawn = _pool_cells(matrix, step)
    figure = Figure(layout=_layout(drawn, title=title, theme=theme, size=size))
    if drawn.masked.any():
        grey = masked_cells(
            drawn.masked, x=drawn.key_positions, y=drawn.query_positions, hover=f"{_pair()}<br>", palette=palette
        )
        figure.add_trace(grey)
    hover = scores.values if scores is not None and step == 1 else None
    figure.add_trace(_value_trace(drawn, hover, palette, size))
    _mark_segments(figure, drawn, palette)
    return figure


def _value_trace(matrix: Matrix, scores: Array | None, palette: Palette, size: Sizes) -> go.Heatmap:
    """Return the cells that are not masked. Tokens in the hover text come from the axes: no array of n x n texts is
    made."""
    signed = matrix.quantity == "scores"
    finite = np.where(matrix.masked, np.float32(np.nan), matrix.values)
    reach = max(float(np.nanmax(np.abs(finite), initial=0)), 1e-6) if signed else 1.0
    number = style.SCORE_FORMAT if signed else style.WEIGHT_FORMAT
    before = tr("score before the softmax {score}", score=f"%{{customdata:{style.SCORE_FORMAT}}}")
    extra = "" if scores is None else f"<br>{before}"
    return go.Heatmap(
        z=finite,
        customdata=scores,
        x=matrix.key_positions,
        y=matrix.query_positions,
        zmin=-reach if signed else 0,
        zmax=reach,
        colorscale=style.colour_scale(palette.diverging if signed else palette.sequential),
        colorbar=colour_bar(palette, size, title=_noun(matrix), n_ticks=4 if size.compact else 6, length=200),
        hoverongaps=False,
        hovertemplate=f"{_pair()}<br>{_noun(matrix)} %{{z:{number}}}{extra}<extra></extra>",
    )


def _noun(matrix: Matrix) -> str:
    return tr("weight") if matrix.quantity == "weights" else tr("score")


def _pair() -> str:
    """Return hover text with query and key and their positions, which plotly reads from the axes."""
    query, key = (
        tr("{token} (position {position})", token=f"<b>%{{{axis}}}</b>", position=f"%{{{axis}:d}}") for axis in "yx"
    )
    return f"{query} → {key}"


def _layout(matrix: Matrix, *, title: str, theme: Theme, size: Sizes) -> dict[str, Any]:
    """Return a layout with square cells; the figure's size follows from the number of tokens and the length of their
    texts."""
    n_query, n_key = matrix.values.shape
    longest = max(n_query, n_key)
    letter = size.label * 0.58
    left = letter * _longest(matrix.query_tokens) + 2 * size.axis + 1.5 * size.gap
    right = float(size.gap if size.compact else 100)
    cell = min((size.page - left - right) / n_key, size.side / longest, max(size.cell, size.least / longest))
    wide, tall = max(cell * n_key, size.least), max(cell * n_query, size.least)
    slanted = cell > 1.4 * size.label
    right = max(right, _overhang(matrix.key_tokens, cell, letter) + size.gap) if slanted else right
    right = max(right, style.title_width(title, style.title_size(title, size)) + 2 * size.gap - left - wide)
    header = (0.72 if slanted else 1.0) * letter * _longest(matrix.key_tokens)
    top = header + 2.2 * size.title + 2 * size.axis + size.gap
    words = " ".join(_caption_parts(matrix))
    lines = style.wrap_text(words, size, pixels=left + wide + right - 2 * size.gap)
    bottom = 2 * size.gap + 1.4 * size.caption * len(lines) + (5 * size.bar if size.compact else 0)
    return style.base_layout(theme, size, title=title) | {
        "width": left + wide + right,
        "height": top + tall + bottom,
        "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
        "dragmode": False if size.compact else "zoom",  # a finger that drags wants to scroll the page
        "annotations": [note(lines, theme, size, below=size.gap, left=left)],
        "xaxis": _axis(matrix.key_tokens, matrix.key_positions, wide, theme, size, title=tr("… at this token (key)"))
        | {"side": "top", "tickangle": -45 if slanted else -90, "range": [-0.5, n_key - 0.5]},
        "yaxis": _axis(
            matrix.query_tokens, matrix.query_positions, tall, theme, size, title=tr("this token looks … (query)")
        )
        | {"range": [n_query - 0.5, -0.5]},
    }


def _axis(
    tokens: Sequence[Token], positions: Sequence[int], length: float, theme: Theme, size: Sizes, *, title: str
) -> dict[str, Any]:
    """Return an axis with positions as categories, so that plotly labels whole positions only, also after zooming
    in."""
    labels = token_labels(tokens)
    return UNMARKED | {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": positions,
        "labelalias": {str(position): label for position, label in zip(positions, labels, strict=True)},
        "nticks": max(int(length / (1.15 * size.label)), 2),
        "tickfont": {"size": size.label},
        "title": axis_title(title, style.PALETTES[theme], size),
        "ticklabelstandoff": size.gap // 2,
        "automargin": False,
    }


def _caption_parts(matrix: Matrix) -> list[str]:
    grey = [tr("Grey: masked, a query cannot look there.")] if matrix.masked.any() else []
    return [matrix.note, *grey]


def _overhang(tokens: Sequence[Token], cell: float, letter: float) -> float:
    """Return how far the slanted label of a late column reaches beyond the last column, in pixels."""
    texts = token_texts(tokens, limit=SHORT)
    return max(0.72 * letter * width(text) - cell * (place + 0.5) for place, text in enumerate(reversed(texts)))


def _longest(tokens: Sequence[Token]) -> int:
    return max(width(text) for text in token_texts(tokens, limit=SHORT))


def _mark_segments(figure: go.Figure, matrix: Matrix, palette: Palette) -> None:
    """Draw thin lines where sentence B begins."""
    line = {"color": palette.accent, "width": 1.5, "dash": "dot"}
    for border in segment_borders(matrix.query_tokens):
        figure.add_hline(y=border, line=line)
    for border in segment_borders(matrix.key_tokens):
        figure.add_vline(x=border, line=line)


def segment_borders(tokens: Sequence[Token]) -> list[float]:
    """Return the places between two positions at which the segment changes: 3.5 lies between tokens 3 and 4."""
    return [place + 0.5 for place in range(len(tokens) - 1) if tokens[place].segment != tokens[place + 1].segment]


def _pool_cells(matrix: Matrix, step: int) -> Matrix:
    """Pool blocks of step x step cells to their largest value; a block is named after its first token."""
    if step == 1:
        return matrix
    pooled = tr("A long text: each cell is the largest of {step} × {step}, named after the first token.", step=step)
    return replace(
        matrix,
        values=pool(matrix.values, step=step),
        masked=pool((~matrix.masked).astype(np.float32), step=step) == 0,
        query_tokens=matrix.query_tokens[::step],
        key_tokens=matrix.key_tokens[::step],
        query_positions=matrix.query_positions[::step],
        key_positions=matrix.key_positions[::step],
        note=f"{matrix.note} {pooled}",
    )


def _empty(matrix: Matrix, *, title: str, theme: Theme, size: Sizes) -> go.Figure:
    """Draw an empty figure that shows the note of the matrix as the reason."""
    figure = Figure(layout=style.base_layout(theme, size, title=title) | {"height": 200})
    figure.update_layout(xaxis={"visible": False}, yaxis={"visible": False})
    lines = style.wrap_text(matrix.note, size, pixels=300)
    figure.add_annotation(style.caption("<br>".join(lines), theme, size, below=0), y=0.6)
    return figure


if __name__ == "__main__":
    from viz.kit.demos.records import plausible_record

    attention_heatmap(plausible_record(), layer=0, head=3).show()
