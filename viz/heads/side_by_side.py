"""Several explanation methods on one sentence: the sentence once for each method, its words coloured by their scores.

Each method is scaled to its own largest score: what they count differs, which words they point at can be compared.
Where the sentence does not fit in a line, it runs down the page, a column for each method.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array
from models.values.results.attribution import Attribution, words_of
from viz.heads.effects import contrast_title
from viz.heads.explained import word_texts
from viz.kit import theme as style
from viz.kit.figures.cells import readable_on
from viz.kit.language import said, to_say, tr
from viz.kit.layout import UNMARKED, click_marks, note
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import SHORT, escape, plain_label, token_texts
from viz.kit.tokens import width as columns

WIDEST = 1400
"""The widest this picture becomes: a sentence wants one line."""
LETTER = 0.54
"""The mean width of a letter, in sizes of its font."""
LEAST_LABEL = 12
BESIDE = 4.4
"""The room for the numbers beside the lines, in sizes of their font."""
ROW, WIDEST_CELL = 25, 60
"""The height of a line of words and the greatest width of a column of colours, in CSS pixels."""
SCALED = to_say(
    "Each method is scaled to its own largest score. Blue counts; orange, in methods with a sign, speaks against."
)
BELIEVED = "★"


@dataclass(frozen=True, slots=True, kw_only=True)
class _WordPlace:
    """A place of the sentence: a word, by its number, or the mask that is asked about, which has no score."""

    text: str
    first: int
    word: int | None


@check_arguments
def side_by_side(
    attributions: Sequence[Attribution],
    *,
    chosen: str,
    believed: str = "",
    scores: Mapping[str, float] | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw all methods on the words of a sentence; a frame marks the `chosen` one, a star the `believed` one.

    `scores` says by the names of methods how faithful each was found. `picked_method` reads a click.
    """
    size = replace(style.sizes(width), page=min(width, WIDEST))
    places = _places(attributions[0])
    names = [said(attribution.title) for attribution in attributions]
    titles = [
        f"{BELIEVED} {name}" if attribution.method == believed else name
        for name, attribution in zip(names, attributions, strict=True)
    ]
    numbers = [_number((scores or {}).get(attribution.method)) for attribution in attributions]
    shares = np.stack([_scale_scores(attribution, places) for attribution in attributions])  # [n_methods, n_places]
    in_a_line = _in_a_line(places, titles, size)
    title = tr("{answers}: which words mattered", answers=contrast_title(attributions[0].contrast))
    around = _around(theme, size, title)
    if in_a_line is None:
        figure = _down(shares, places, titles, around, size=size, theme=theme)
    else:
        figure = _lines(shares, places, titles, around, numbers=numbers, size=in_a_line, theme=theme)
    is_line = in_a_line is not None
    chosen_row = next((row for row, attribution in enumerate(attributions) if attribution.method == chosen), None)
    if chosen_row is not None:
        figure.add_shape(
            _frame(chosen_row, figure, is_line=is_line), line={"color": style.PALETTES[theme].accent, "width": 2}
        )
    return figure.add_trace(_marks(attributions, places, figure, is_line=is_line))


def attribution_table(attributions: Sequence[Attribution]) -> pd.DataFrame:
    """Return the columns word, token (its first), then the score of every method, as it is: the words in reading
    order."""
    first = attributions[0]
    words = words_of(first.tokens, first.places, first.contrast)
    named = {"word": word_texts(first, words), "token": [word[0] for word in words]}
    return pd.DataFrame(named | {attribution.title: attribution.of_words(words) for attribution in attributions})


def picked_method(selection: Mapping[str, Any], methods: Sequence[str]) -> str | None:
    """Return the clicked method; None without a click, or for malformed input."""
    try:
        (row,) = selection["selection"]["points"][0]["customdata"]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return methods[row] if type(row) is int and 0 <= row < len(methods) else None


def _places(attribution: Attribution) -> list[_WordPlace]:
    """Return the words in reading order, and among them the mask that the answer fills."""
    words = words_of(attribution.tokens, attribution.places, attribution.contrast)
    texts = word_texts(attribution, words)
    places = [
        _WordPlace(text=text, first=word[0], word=index)
        for index, (text, word) in enumerate(zip(texts, words, strict=True))
    ]
    if attribution.contrast.of == "mask":
        position = attribution.places.index(("encoder", attribution.contrast.position or 0))
        places.append(_WordPlace(text=token_texts(attribution.tokens)[position], first=position, word=None))
    return sorted(places, key=lambda place: place.first)


def _scale_scores(attribution: Attribution, places: Sequence[_WordPlace]) -> Array:
    """Return the scores of a method divided by their largest size, -1 to 1; NaN for a mask [n_places]."""
    words = words_of(attribution.tokens, attribution.places, attribution.contrast)
    scores = attribution.of_words(words)
    largest = float(np.abs(scores).max(initial=0)) or 1.0
    return np.array([np.nan if place.word is None else scores[place.word] / largest for place in places], np.float32)


def _in_a_line(places: Sequence[_WordPlace], titles: Sequence[str], size: Sizes) -> Sizes | None:
    """Return the sizes with the largest font that fits the sentence in one line; None if none does."""
    letters = () if size.compact else range(size.label, LEAST_LABEL - 1, -1)
    for label in letters:
        smaller = replace(size, label=label)
        if _names(titles, smaller) + _edges(places, smaller)[-1] + BESIDE * label <= size.page:
            return smaller
    return None


def _edges(places: Sequence[_WordPlace], size: Sizes) -> NDArray[np.float64]:
    """Return the edges of the words in one line, in pixels from the start [n_places + 1]."""
    wide = [LETTER * size.label * max(columns(place.text), 1) + 0.8 * size.label for place in places]
    return np.concatenate(([0.0], np.cumsum(wide)))


def _names(titles: Sequence[str], size: Sizes) -> float:
    """Return the width of the methods' names on the left, in pixels."""
    return LETTER * size.label * max(map(columns, titles)) + 1.5 * size.gap


def _number(score: float | None) -> str:
    return "" if score is None else style.number(score, digits=2, plus=True)


# -- the sentence in a line, or down the page ------------------------------------------------------------------------


def _lines(
    shares: Array,
    places: Sequence[_WordPlace],
    titles: Sequence[str],
    around: dict[str, Any],
    *,
    numbers: Sequence[str],
    size: Sizes,
    theme: Theme,
) -> go.Figure:
    """Draw the sentence as a line of words for each method."""
    palette, n_methods = style.PALETTES[theme], len(titles)
    edges, left, right = _edges(places, size), _names(titles, size), BESIDE * size.label
    wide = max(left + edges[-1] + right, min(size.page, style.WIDEST))
    lines = style.wrap_text(_note(numbers, titles), size, pixels=wide - 2 * size.gap)
    top, tall = 2.6 * size.title + 1.4 * size.caption, ROW * n_methods
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
    figure = go.Figure(_cells(shares, edges, np.arange(n_methods), palette, gap=1), around | layout)
    for trace in _draw_words(shares, places, _middles(edges), palette, size):
        figure.add_trace(trace)
    return figure


def _draw_words(
    shares: Array, places: Sequence[_WordPlace], middles: NDArray[np.float64], palette: Palette, size: Sizes
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


def _down(
    shares: Array,
    places: Sequence[_WordPlace],
    titles: Sequence[str],
    around: dict[str, Any],
    *,
    size: Sizes,
    theme: Theme,
) -> go.Figure:
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
    return go.Figure(_cells(shares.T, np.arange(n_methods), np.arange(len(places)), palette, gap=2), around | layout)


def _around(theme: Theme, size: Sizes, title: str) -> dict[str, Any]:
    return style.base_layout(theme, size, title=title) | {
        "dragmode": False,
        "hovermode": "closest",
        "hoverdistance": -1,
        "clickmode": "event+select",
    }


def _middles(edges: NDArray[np.float64]) -> NDArray[np.float64]:
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
    head = {"y": -0.5, "yanchor": "bottom", "text": tr("faithful"), "font": quiet}
    return [*listed, shared | head] if any(numbers) else []


def _note(numbers: Sequence[str], titles: Sequence[str]) -> str:
    parts = [said(SCALED), tr("Special tokens are left out; click a method to see its numbers.")]
    if any(numbers):
        parts.append(
            tr("Faithful: how far the answer falls without the words named first, less how far with them alone.")
        )
    if any(title.startswith(BELIEVED) for title in titles):
        parts.append(tr("{star}: to be believed here.", star=BELIEVED))
    return " ".join(parts)


def _frame(at: int, figure: go.Figure, *, is_line: bool) -> dict[str, Any]:
    """Return a frame around the line or the column of one method."""
    along, across = ("y", "x") if is_line else ("x", "y")
    ends = figure.layout[f"{across}axis"].range
    return {
        "type": "rect",
        f"{along}0": at - 0.5,
        f"{along}1": at + 0.5,
        f"{across}0": min(ends),
        f"{across}1": max(ends),
    }


def _marks(
    attributions: Sequence[Attribution], places: Sequence[_WordPlace], figure: go.Figure, *, is_line: bool
) -> go.Scatter:
    """Return markers on every word of every method: hovering shows the score, a click picks the method."""
    middles = _middles(np.asarray(figure.data[0].x, dtype=np.float64)) if is_line else np.arange(len(places))
    x, y, data, texts = [], [], [], []
    for row, attribution in enumerate(attributions):
        words = words_of(attribution.tokens, attribution.places, attribution.contrast)
        scores = attribution.of_words(words)
        for middle, place in zip(middles, places, strict=True):
            score = (
                tr("is asked about")
                if place.word is None
                else tr("score {score}", score=style.number(float(scores[place.word]), plus=attribution.is_signed))
            )
            where = tr("{word} (token {position})", word=f"<b>{escape(place.text)}</b>", position=place.first)
            x.append(float(middle) if is_line else row)
            y.append(row if is_line else float(middle))
            data.append([row])
            texts.append(f"{where}<br>{said(attribution.title)}<br>{score}")
    return click_marks(x, y, data=data, texts=texts, hover="%{text}", side=22)


if __name__ == "__main__":
    from viz.heads.demo import demo_attributions

    side_by_side(demo_attributions(), chosen="second", believed="first", scores={"first": 0.5, "second": -0.25}).show()
