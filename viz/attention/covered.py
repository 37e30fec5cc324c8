"""One head as a heatmap with some rows covered: the picture beside a question, before its answer.

Covered numbers are not in the figure at all, neither drawn nor hidden.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord
from models.values.wording import to_say
from viz.attention.heatmap import attention_title, matrix_figure
from viz.attention.transform import prepare
from viz.kit import theme as style
from viz.kit.language import said
from viz.kit.theme import Palette, Theme
from viz.kit.tokens import token_labels

COVERED = to_say("Covered: what you are asked. Your guess uncovers it.")
MARK = "?"


@check_arguments
def covered_map(
    record: AttentionRecord,
    *,
    layer: int,
    head: int | None,
    covered: Collection[int],
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the weights of one head without the rows of the `covered` queries; `head=None` is the mean over the heads.

    Raises SelectionError for a layer or head out of range.
    """
    matrix = prepare(record, layer=layer, head=head)
    is_covered = np.isin(matrix.query_positions, list(covered))  # [n_query]
    matrix = replace(
        matrix,
        values=np.where(is_covered[:, None], np.float32(np.nan), matrix.values),
        masked=matrix.masked & ~is_covered[:, None],
        note=said(COVERED) if is_covered.any() else matrix.note,
    )
    figure = matrix_figure(matrix, title=attention_title(record, layer, head), theme=theme, width=width)
    for covered_row in np.flatnonzero(is_covered):
        _cover(figure, int(covered_row), len(matrix.key_positions), style.PALETTES[theme])
    size = style.sizes(width)
    # A row without room for a letter may have no label at the axis: its mark names it.
    labels = token_labels(matrix.query_tokens)
    cell = (figure.layout.height - figure.layout.margin.t - figure.layout.margin.b) / len(is_covered)
    for row in _marked_rows(is_covered, -int(-1.15 * size.word // cell)):
        figure.add_annotation(
            x=(len(matrix.key_positions) - 1) / 2,
            y=row,
            text=f"<b>{MARK}</b>" if cell > size.label else f"<b>{labels[row]} → {MARK}</b>",
            showarrow=False,
            font={"size": size.word, "color": style.PALETTES[theme].ink},
        )
    return figure


def _cover(figure: go.Figure, row: int, n_key: int, palette: Palette) -> None:
    ends = {"y0": row - 0.5, "y1": row + 0.5, "x0": -0.5, "x1": n_key - 0.5}
    figure.add_shape(type="rect", **ends, fillcolor=palette.masked, line={"width": 1, "color": palette.border})


def _marked_rows(is_covered: NDArray[np.bool_], step: int) -> list[int]:
    """Return the covered rows that have a mark: of neighbours every `step`-th, so that marks do not touch."""
    rows = np.flatnonzero(is_covered)
    runs = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    return [int(row) for run in runs for row in run[(len(run) - 1) // 2 % step :: step]]


if __name__ == "__main__":
    from viz.kit.demos.records import plausible_record

    covered_map(plausible_record(), layer=0, head=3, covered=[2]).show()
