"""The map of a head, and the small maps of all: a row is the query token, a column the key token it attends to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.record import Array, AttentionRecord
from viz.attention.matrix import Matrix
from viz.attention.transform import pool
from viz.kit.language import tr
from viz.kit.theme import Palette
from viz.kit.tokens import token_texts
from viz.painter.colours import STEPS, cells, colour_steps, ramp
from viz.painter.drawing import Boxes, DrawnShape, Label, cut_to_width, text_width

MOST_CELLS = 128
"""Cells a side; more tokens share cells, each with its largest value."""
LETTERS = 13.0
BAR = 12.0
GAP = 6.0
SMALL = 16
"""Cells a side of a small map among many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePart:
    """A picture without its frame: its size, its shapes, and a note on what was done to its numbers."""

    width: float
    height: float
    shapes: tuple[DrawnShape, ...]
    note: str = ""


def draw_map(matrix: Matrix, palette: Palette, *, width: float) -> PicturePart:
    """Return the map of a head with its tokens and a bar of colours, from 0 to 1."""
    values, masked, step = _shrunk(matrix)
    n_rows, n_columns = values.shape
    rows, columns = (token_texts(tokens, limit=20) for tokens in (matrix.query_tokens, matrix.key_tokens))
    left = min(max(text_width(text, LETTERS) for text in rows) + GAP, 0.3 * width)
    top = min(max(text_width(text, LETTERS) for text in columns) + GAP, 0.3 * width)
    cell = min((width - left - BAR - 5 * GAP - LETTERS * 2) / n_columns, 40.0)
    edge = left + n_columns * cell
    height = n_rows * cell
    shapes: list[DrawnShape] = [
        *cells(colour_steps(values, masked, end=1), palette, left=left, top=top, cell=(cell, cell))
    ]
    every = _every(step, cell)
    for place in range(0, len(rows), every):
        y = top + (place + 0.5) / step * cell + 0.35 * LETTERS
        text = cut_to_width(rows[place], LETTERS, left - GAP)
        shapes.append(Label(x=left - GAP, y=y, text=text, size=LETTERS, fill=palette.ink, anchor="end"))
    for place in range(0, len(columns), every):
        x = left + (place + 0.5) / step * cell + 0.35 * LETTERS
        text = cut_to_width(columns[place], LETTERS, top - GAP)
        shapes.append(Label(x=x, y=top - GAP, text=text, size=LETTERS, fill=palette.ink, angle=-90))
    shapes += _bar(palette, left=edge + 2 * GAP, top=top, height=max(height, 4 * LETTERS))
    shared = tr("A cell is the largest of {n} × {n} weights.", n=step) if step > 1 else ""
    return PicturePart(
        width=edge + BAR + 4 * GAP + 2 * LETTERS,
        height=top + max(height, 4 * LETTERS) + GAP,
        shapes=tuple(shapes),
        note=shared,
    )


def draw_overview(
    record: AttentionRecord, palette: Palette, *, heads: list[tuple[int, list[int]]], width: float
) -> PicturePart:
    """Return small maps of heads, a row for each layer, under the numbers of the heads; a map has its own scale."""
    most = max(len(of_layer) for _, of_layer in heads)
    left, top = LETTERS * 2.2, LETTERS * 1.8
    side = min((width - left) / most, 110.0)
    inner = side - max(2.0, 0.08 * side)
    shapes: list[DrawnShape] = []
    numbers = sorted({head for _, of_layer in heads for head in of_layer})
    for place, head in enumerate(numbers):
        x = left + place * side + inner / 2
        shapes.append(Label(x=x, y=top - GAP, text=str(head), size=LETTERS, fill=palette.quiet, anchor="middle"))
    for row, (layer, of_layer) in enumerate(heads):
        y = top + row * side
        shapes.append(
            Label(
                x=left - GAP,
                y=y + inner / 2 + 0.35 * LETTERS,
                text=str(layer),
                size=LETTERS,
                fill=palette.quiet,
                anchor="end",
            )
        )
        for head in of_layer:
            steps = _small(record.weights(layer, head))
            cell = (inner / steps.shape[1], inner / steps.shape[0])
            x = left + numbers.index(head) * side
            shapes += cells(steps, palette, left=x, top=y, cell=cell)
    return PicturePart(
        width=left + len(numbers) * side,
        height=top + len(heads) * side,
        shapes=tuple(shapes),
        note=tr(
            "Layers from top to bottom, heads from left to right. The strongest colour is the largest of each map."
        ),
    )


def _small(weights: Array) -> NDArray[np.int64]:
    """Return the colours of a small map [at most SMALL, at most SMALL]: the largest weight of every block."""
    step, row_step = -(-weights.shape[1] // SMALL), -(-weights.shape[0] // SMALL)
    pooled = pool(weights, step=step, row_step=row_step)
    return colour_steps(pooled, np.zeros(pooled.shape, np.bool_), end=float(pooled.max()))


def _shrunk(matrix: Matrix) -> tuple[Array, NDArray[np.bool_], int]:
    """Return the values and the mask of a map in at most MOST_CELLS cells a side, and the tokens that share a cell."""
    step = max(1, -(-max(matrix.values.shape) // MOST_CELLS))
    values = pool(matrix.values, step=step)
    return values, ~pool(~matrix.masked, step=step), step


def _every(step: int, cell: float) -> int:
    """Return how many tokens share a label, so that labels stand clear of each other."""
    return max(1, int(-(-LETTERS * step // cell)))


def _bar(palette: Palette, *, left: float, top: float, height: float) -> list[DrawnShape]:
    tall = height / STEPS
    boxes = [
        Boxes(fill=colour, boxes=[(left, top + height - (step + 1) * tall, BAR, tall)])
        for step, colour in enumerate(ramp(palette.sequential))
    ]
    labels = [
        Label(x=left + BAR + GAP, y=y, text=text, size=LETTERS, fill=palette.quiet)
        for y, text in ((top + LETTERS * 0.8, "1"), (top + height, "0"))
    ]
    return [*boxes, *labels]
