"""Several explanation methods on one sentence: the sentence once for each method, its words coloured by their scores.

What the methods count differs, so a word is coloured by its share of all that a method gives out: one scale for all.
Where the sentence does not fit in a line, it runs down the page, a column for each method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from models.values.results.attribution import Attribution, words_of
from viz.heads.attribution.explained import word_texts
from viz.heads.attribution.sentence import (
    BELIEVED,
    DARKEST,
    WordPlace,
    draw_columns,
    draw_lines,
    middles_of,
    sizes_in_a_line,
)
from viz.heads.effects import contrast_title
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import said, tr
from viz.kit.layout import click_marks
from viz.kit.theme import Sizes, Theme
from viz.kit.tokens import escape, token_texts

WIDEST = 1400
"""The widest this picture becomes: a sentence wants one line."""


@check_arguments
def side_by_side(
    attributions: Sequence[Attribution],
    *,
    chosen: str,
    believed: str = "",
    beats: Mapping[str, float] | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw all methods on the words of a sentence; a frame marks the `chosen` one, a star the `believed` one.

    `beats` is the share of random orders that each method does better than, by its name. `picked_method` reads a click.
    """
    size = replace(style.sizes(width), page=min(width, WIDEST))
    places = _places(attributions[0])
    names = [said(attribution.title) for attribution in attributions]
    titles = [
        f"{BELIEVED} {name}" if attribution.method == believed else name
        for name, attribution in zip(names, attributions, strict=True)
    ]
    numbers = [_number((beats or {}).get(attribution.method)) for attribution in attributions]
    shares = np.stack([_scale_scores(attribution, places) for attribution in attributions])  # [n_methods, n_places]
    in_a_line = sizes_in_a_line(places, titles, size)
    title = tr("{answers}: which words mattered", answers=contrast_title(attributions[0].contrast))
    around = _around(theme, size, title)
    figure = Figure()
    if in_a_line is None:
        draw_columns(figure, shares, places, titles, around, size=size, theme=theme)
    else:
        draw_lines(figure, shares, places, titles, around, numbers=numbers, size=in_a_line, theme=theme)
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


def _places(attribution: Attribution) -> list[WordPlace]:
    """Return the words in reading order, and among them the mask that the answer fills."""
    words = words_of(attribution.tokens, attribution.places, attribution.contrast)
    texts = word_texts(attribution, words)
    places = [
        WordPlace(text=text, first=word[0], word=index)
        for index, (text, word) in enumerate(zip(texts, words, strict=True))
    ]
    if attribution.contrast.of == "mask":
        position = attribution.places.index(("encoder", attribution.contrast.position or 0))
        places.append(WordPlace(text=token_texts(attribution.tokens)[position], first=position, word=None))
    return sorted(places, key=lambda place: place.first)


def _scale_scores(attribution: Attribution, places: Sequence[WordPlace]) -> Array:
    """Return the share of every word in the scores of a method by DARKEST, -1 to 1; NaN for a mask [n_places]."""
    words = words_of(attribution.tokens, attribution.places, attribution.contrast)
    scores = attribution.of_words(words)
    whole = DARKEST * float(np.abs(scores).sum()) or 1.0
    shares = np.clip(scores / whole, -1, 1)
    return np.array([np.nan if place.word is None else shares[place.word] for place in places], np.float32)


def _number(share: float | None) -> str:
    return "" if share is None or np.isnan(share) else f"{share:.0%}"


def _around(theme: Theme, size: Sizes, title: str) -> dict[str, Any]:
    return style.base_layout(theme, size, title=title) | {
        "dragmode": False,
        "hovermode": "closest",
        "hoverdistance": -1,
        "clickmode": "event+select",
    }


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
    attributions: Sequence[Attribution], places: Sequence[WordPlace], figure: go.Figure, *, is_line: bool
) -> go.Scatter:
    """Return markers on every word of every method: hovering shows the score, a click picks the method."""
    middles = middles_of(np.asarray(figure.data[0].x, dtype=np.float64)) if is_line else np.arange(len(places))
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
    from viz.heads.demos.effects import demo_attributions

    side_by_side(demo_attributions(), chosen="second", believed="first", beats={"first": 0.98, "second": 0.25}).show()
