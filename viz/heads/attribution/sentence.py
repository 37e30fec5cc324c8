"""A sentence with its words coloured by several methods: a line of words for each, or, in a narrow window, a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.record import Array
from viz.kit import theme as style
from viz.kit.figures.cells import readable_on
from viz.kit.language import to_say, tr
from viz.kit.layout import UNMARKED, note
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import SHORT, escape, plain_label
from viz.kit.tokens import width as columns

LETTER = 0.54
"""The mean width of a letter, in sizes of its font."""
LEAST_LABEL = 12
BESIDE = 4.4
"""The room for the numbers beside the lines, in sizes of their font."""
ROW, ROOMY_ROW, FEW, WIDEST_CELL = 25, 36, 4, 60
"""The height of a line of words, that of FEW lines at most, and the greatest width of a column of colours, in CSS
pixels."""
DARKEST = 0.4
"""The share of all that a method gives out from which a word has the strongest colour."""
SCALED = to_say(
    "Blue speaks for the answer, orange against it. The strongest colour: {share} or more of all that a method gives "
    "out."
)
BELIEVED = "★"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPlace:
    """A place of the sentence: a word, by its number, or the mask that is asked about, which has no score."""

    text: str
    first: int
    word: int | None


def sizes_in_a_line(places: Sequence[WordPlace], titles: Sequence[str], size: Sizes) -> Sizes | None:
    """Return the sizes with the largest font that fits the sentence in one line; None if none does."""
    letters = () if size.compact else range(size.label, LEAST_LABEL - 1, -1)
    for label in letters:
        smaller = replace(size, label=label)
        if _names(titles, smaller) + _edges(places, smaller)[-1] + BESIDE * label <= size.page:
            return smaller
    return None


def _edges(places: Sequence[WordPlace], size: Sizes) -> NDArray[np.float64]:
    """Return the edges of the words in one line, in pixels from the start [n_places + 1]."""
    wide = [LETTER * size.label * max(columns(place.text), 1) + 0.8 * size.label for place in places]
    return np.concatenate(([0.0], np.cumsum(wide)))


def _names(titles: Sequence[str], size: Sizes) -> float:
    """Return the width of the methods' names on the left, in pixels."""
    return LETTER * size.label * max(map(columns, titles)) + 1.5 * size.gap


# -- the sentence in a line, or down the page ------------------------------------------------------------------------


def draw_lines(
    figure: go.Figure,
    shares: Array,
    places: Sequence[WordPlace],
    titles: Sequence[str],
    around: dict[str, Any],
    *,
    numbers: Sequence[str],
    size: Sizes,
    theme: Theme,
) -> None:
    """Draw the sentence as a line of words for each method."""
    palette, n_methods = style.PALETTES[theme], len(titles)
    edges, left, right = _edges(places, size), _names(titles, size), BESIDE * size.label
    wide = max(left + edges[-1] + right, min(size.page, style.WIDEST))
    lines = style.wrap_text(_note(numbers, titles), size, pixels=wide - 2 * size.gap)
    top, tall = 2.6 * size.title + 1.4 * size.caption, (ROOMY_ROW if n_methods <= FEW else ROW) * n_methods
    bottom = size.gap + 1.45 * size.caption * len(lines)
    layout = {
        "width": wide,
        "height": top + tall + bottom,
        "margin": {"l": left, "r": wide - left - edges[-1], "t": top, "b": bottom, "pad": 0},
        "annotations": [
            note(lines, theme, size, below=size.gap // 2, left=left),
            *_beside(numbers, float(edges[-1]), palette, size),
        ],
        "xaxis": {"visible": False, "range": [0, edges[-1]], "fixedrange": True},
        "yaxis": _label_axis(titles, size) | {"range": [n_methods - 0.5, -0.5]},
    }
    figure.update_layout(around | layout)
    figure.add_trace(_cells(shares, edges, np.arange(n_methods), palette, gap=1))
    figure.add_traces(list(_draw_words(shares, places, middles_of(edges), palette, size)))


def _draw_words(
    shares: Array, places: Sequence[WordPlace], middles: NDArray[np.float64], palette: Palette, size: Sizes
) -> Iterator[go.Scatter]:
    """Yield the words in their cells, in readable colours; a click elsewhere does not fade them."""
    strengths = np.abs(np.nan_to_num(shares))
    for colour in (palette.ink, palette.ground):
        rows, columns = np.nonzero(
            [[readable_on(float(strength), palette) == colour for strength in row] for row in strengths]
        )
        font = {"color": colour}
        yield go.Scatter(
            x=middles[columns],
            y=rows,
            text=[escape(places[place].text) for place in columns.tolist()],
            mode="text",
            hoverinfo="skip",
            textfont=font | {"size": size.label},
            selected={"textfont": font},
            unselected={"textfont": font},
        )


def draw_columns(
    figure: go.Figure,
    shares: Array,
    places: Sequence[WordPlace],
    titles: Sequence[str],
    around: dict[str, Any],
    *,
    size: Sizes,
    theme: Theme,
) -> None:
    """Draw the words downwards, with a column of colours for each method."""
    palette, n_methods = style.PALETTES[theme], len(titles)
    left = 0.66 * size.label * min(max(columns(place.text) for place in places), SHORT) + 2 * size.gap
    over = LETTER * size.label * max(map(columns, titles)) + size.gap
    cell = min((size.page - left - size.gap) / n_methods, WIDEST_CELL)
    wide = max(left + cell * n_methods + size.gap, min(size.page, style.WIDEST))
    lines = style.wrap_text(_note((), titles), size, pixels=wide - 2 * size.gap)
    top, tall = 2.6 * size.title + over, 1.6 * size.label * len(places)
    bottom = size.gap + 1.45 * size.caption * len(lines)
    layout = {
        "width": wide,
        "height": top + tall + bottom,
        "margin": {"l": left, "r": wide - left - cell * n_methods, "t": top, "b": bottom, "pad": 0},
        "annotations": [note(lines, theme, size, below=size.gap // 2, left=left)],
        "xaxis": _label_axis(titles, size) | {"side": "top", "tickangle": -90, "range": [-0.5, n_methods - 0.5]},
        "yaxis": _label_axis([plain_label(place.text) for place in places], size)
        | {"range": [len(places) - 0.5, -0.5]},
    }
    figure.update_layout(around | layout)
    figure.add_trace(_cells(shares.T, np.arange(n_methods), np.arange(len(places)), palette, gap=2))


def middles_of(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    middles: NDArray[np.float64] = (edges[:-1] + edges[1:]) / 2
    return middles


def _cells(values: Array, x: NDArray[Any], y: NDArray[Any], palette: Palette, *, gap: int) -> go.Heatmap:
    return go.Heatmap(
        z=values,
        x=x,
        y=y,
        zmin=-1,
        zmax=1,
        colorscale=style.colour_scale(palette.diverging),
        showscale=False,
        xgap=gap,
        ygap=2,
        hoverongaps=False,
        hoverinfo="skip",
    )


def _label_axis(labels: Sequence[str], size: Sizes) -> dict[str, Any]:
    """Return an axis with these labels, the believed one in bold."""
    texts = [f"<b>{escape(label)}</b>" if label.startswith(BELIEVED) else label for label in labels]
    return UNMARKED | {
        "tickvals": list(range(len(labels))),
        "ticktext": texts,
        "tickfont": {"size": size.label},
        "fixedrange": True,
        "ticklabelstandoff": size.gap // 2,
    }


def _beside(numbers: Sequence[str], x: float, palette: Palette, size: Sizes) -> list[dict[str, Any]]:
    """Return annotations with the faithfulness of each method, right of its line."""
    shared = {"x": x, "xanchor": "left", "xshift": size.gap, "showarrow": False}
    listed = [
        shared | {"y": row, "text": text, "font": {"size": size.label, "color": palette.ink}}
        for row, text in enumerate(numbers)
    ]
    quiet = {"size": size.caption, "color": palette.quiet}
    head = {"y": -0.5, "yanchor": "bottom", "text": tr("beats"), "font": quiet}
    return [*listed, shared | head] if any(numbers) else []


def _note(numbers: Sequence[str], titles: Sequence[str]) -> str:
    parts = [tr(SCALED, share=f"{DARKEST:.0%}"), tr("Click a method to see its numbers.")]
    if any(numbers):
        parts.append(tr("Beats: how many random orders of these words do worse. A method can be believed from 95% on."))
    if any(title.startswith(BELIEVED) for title in titles):
        parts.append(tr("{star}: to be believed here.", star=BELIEVED))
    return " ".join(parts)
