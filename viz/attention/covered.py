"""One head as a heatmap with some rows covered: the picture beside a question, before its answer.

Covered numbers are not in the figure at all, neither drawn nor hidden.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord
from models.values.wording import to_say
from viz.attention.heatmap import attention_title, matrix_figure
from viz.attention.transform import prepare
from viz.kit import theme as style
from viz.kit.language import said
from viz.kit.theme import Theme

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
    palette, size = style.PALETTES[theme], style.sizes(width)
    for row in np.flatnonzero(is_covered):
        ends = {"y0": row - 0.5, "y1": row + 0.5, "x0": -0.5, "x1": len(matrix.key_positions) - 0.5}
        figure.add_shape(type="rect", **ends, fillcolor=palette.masked, line={"width": 1, "color": palette.border})
        figure.add_annotation(
            x=(len(matrix.key_positions) - 1) / 2,
            y=row,
            text=f"<b>{MARK}</b>",
            showarrow=False,
            font={"size": size.word, "color": palette.ink},
        )
    return figure


if __name__ == "__main__":
    from viz.kit.demos.records import plausible_record

    covered_map(plausible_record(), layer=0, head=3, covered=[2]).show()
