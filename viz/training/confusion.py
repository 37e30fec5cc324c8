"""Which label became which: how often a text of each true label was given each label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.labels import label_text
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import plain_label

LabelledThings = Literal["texts", "words"]
_CONFUSED: dict[LabelledThings, str] = {
    "texts": to_say("true: %{y}<br>said: %{x}<br>%{customdata} texts, %{z:.1%} of the row"),
    "words": to_say("true: %{y}<br>said: %{x}<br>%{customdata} words, %{z:.1%} of the row"),
}
MOST_LABELS_NAMED = 24
"""Of more labels, the numbers in the cells would not be legible."""


@check_arguments
def confusion_figure(
    labels: Sequence[str],
    counts: Sequence[Sequence[int]],
    *,
    of: LabelledThings = "texts",
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw how often a text of each true label (row) was given each label (column); the diagonal is right.

    `counts` [true][predicted], `of` the kind of thing labelled. The colour is the share of the row, so that rare labels
    show up, too.
    """
    size = style.sizes(width)
    numbers = np.array(counts, dtype=np.float32).reshape(len(labels), len(labels))
    names = [plain_label(label_text(label)) for label in labels]
    longest = max((len(name) for name in names), default=1)
    left, top = 0.62 * size.label * min(longest, 16) + 3 * size.label, 2.6 * size.title
    cell = min((size.page - left - 2 * size.gap) / len(labels), 110.0)
    bottom = 0.5 * size.label * min(longest, 16) + 3.5 * size.label
    axis = {
        "tickvals": list(range(len(labels))),
        "ticktext": names,
        "tickfont": {"size": size.label},
        "showgrid": False,
        "fixedrange": True,
        "zeroline": False,
    }
    tall = min(cell, 70.0) * len(labels)
    layout = style.base_layout(theme, size, title=tr("Which label became which")) | {
        "width": left + cell * len(labels) + 2 * size.gap,
        "height": top + tall + bottom,
        "margin": {"l": left, "r": 2 * size.gap, "t": top, "b": bottom, "pad": 4},
        "xaxis": axis | {"title": {"text": tr("said"), "font": {"size": size.axis}}},
        "yaxis": axis | {"title": {"text": tr("true"), "font": {"size": size.axis}}, "autorange": "reversed"},
    }
    return Figure(_confusion_cells(numbers, of, style.PALETTES[theme], size), layout)


def _confusion_cells(numbers: Array, of: LabelledThings, palette: Palette, size: Sizes) -> go.Heatmap:
    is_named = len(numbers) <= MOST_LABELS_NAMED
    return go.Heatmap(
        z=numbers / np.maximum(numbers.sum(axis=1, keepdims=True), 1),
        zmin=0,
        zmax=1,
        colorscale=style.colour_scale(palette.sequential),
        showscale=False,
        xgap=2,
        ygap=2,
        customdata=numbers,
        text=numbers.astype(int) if is_named else None,
        texttemplate="%{text}" if is_named else None,
        textfont={"size": size.word},
        hovertemplate=said(_CONFUSED[of]) + "<extra></extra>",
    )
