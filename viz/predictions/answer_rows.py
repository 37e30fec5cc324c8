"""What a label is read from, in words and as a map: the row of [CLS], or the mean of the rows of all words.

Every sentence is made from the numbers of two records: what leads to the label in either, and what the choice changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import plotly.graph_objects as go

from models.values.answer_rows import AnswerRows
from viz.kit import theme as style
from viz.kit.theme import Theme
from viz.kit.tokens import shorten, token_texts
from viz.predictions.token_map import token_map

FAVOURITES, NAMED = 3, 5
"""Tokens whose shares are named, and words that are overlooked."""
ALIKE = 0.05
"""Shares that differ by less are called alike."""


def what_is_read(rows: AnswerRows) -> str:
    """Which rows lead to the label, and what they look at most."""
    n, n_rows = len(rows.tokens), len(rows.read_from)
    named = rows.favourites(FAVOURITES)
    looked_at = _listed(f"{_word(rows, at)} ({rows.shares[at]:.0%})" for at in named)
    if n_rows == 1:
        begins = f"Of {n} rows, one leads to the label: that of {_word(rows, rows.read_from[0])}. It looks most at "
    else:
        begins = f"{n_rows} of {n} rows lead to the label, and each counts for 1/{n_rows}. Together they look most at "
    return (
        f"{begins}{looked_at}: {rows.shares[named].sum():.0%} of the attention in all. If it were spread evenly, "
        f"{len(named)} of {n} tokens would get {len(named) * rows.even:.0%}."
    )


def what_the_choice_changes(one: AnswerRows, several: AnswerRows) -> tuple[str, ...]:
    """The differences between a model that reads one row, `one`, and one that takes a mean, for the same text."""
    return (_who_has_to_be_looked_at(one), _what_is_left_for_attention(several), _concentration(one, several))


def _who_has_to_be_looked_at(one: AnswerRows) -> str:
    reader, words, overlooked = _word(one, one.read_from[0]), len(one.words), one.overlooked()
    begins = f"With {reader} alone, a word counts only if {reader} looks at it."
    if one.n_layers > 1:
        begins = f"With {reader} alone, a word counts in the last layer only if {reader} looks at it."
    if not len(overlooked):
        return f"{begins} Here every word gets at least half an even share."
    more = f" and {len(overlooked) - NAMED} more" if len(overlooked) > NAMED else ""
    named = ", ".join(_word(one, at) for at in overlooked[:NAMED])
    return f"{begins} Here {len(overlooked)} of {words} words get less than half an even share: {named}{more}."


def _what_is_left_for_attention(several: AnswerRows) -> str:
    begins = (
        f"With the mean, each of the {len(several.read_from)} words is part of the label anyway, whether anything "
        "looks at it or not. Attention only has to tell the words about each other."
    )
    look = several.strongest
    if look is None:
        return begins
    return (
        f"{begins} Most of all, {_word(several, look.query)} looks at {_word(several, look.key)} ({look.weight:.0%})."
    )


def _concentration(one: AnswerRows, several: AnswerRows) -> str:
    readers = ((_word(one, one.read_from[0]), one), ("the mean", several))
    shares = [(float(rows.shares[rows.favourites(FAVOURITES)].sum()), name) for name, rows in readers]
    (high, more), (low, less) = sorted(shares, reverse=True)
    if high - low < ALIKE:
        return (
            "Either way, the attention that counts is about equally concentrated: its three favourite tokens get "
            f"{high:.0%} and {low:.0%}."
        )
    return (
        f"The attention that counts is more concentrated with {more}: its three favourite tokens get {high:.0%}, "
        f"against {low:.0%} with {less}."
    )


def answer_rows_map(
    readings: Sequence[tuple[str, AnswerRows]], *, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """How much each token is looked at by the rows that lead to the label: a column for each reading of one text, with
    its name."""
    tokens = readings[0][1].tokens
    return token_map(
        np.stack([rows.shares for _, rows in readings], axis=1),
        texts=token_texts(tokens),
        columns=[name for name, _ in readings],
        number="share of the attention that counts",
        title="What the label is read from",
        note=(
            "How much the rows that lead to the label look at each token: last layer, mean over its heads. Every "
            "column sums to 1."
        ),
        theme=theme,
        width=width,
    )


def _word(rows: AnswerRows, at: int | np.intp) -> str:
    return f"“{shorten(token_texts(rows.tokens)[int(at)], 14)}”"


def _listed(parts: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
