"""The rows of attention that lead to a label, in words and as a map: that of [CLS], or the mean over all words.

Every sentence is made from the numbers of two records: what leads to the label in either, and what the choice changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.results.answer_rows import AnswerRows
from viz.kit import theme as style
from viz.kit.language import tr
from viz.kit.sentences import join_list
from viz.kit.theme import Theme
from viz.kit.tokens import shorten, token_texts
from viz.predictions.token_map import token_map

FAVOURITES, NAMED = 3, 5
"""Tokens whose shares are named, and words that are overlooked."""
ALIKE = 0.05
"""Shares that differ by less are called alike."""


def what_is_read(rows: AnswerRows) -> str:
    """Return a sentence on which rows lead to the label, and which tokens they look at most."""
    n, n_rows = len(rows.tokens), len(rows.read_from)
    named = rows.favourites(FAVOURITES)
    looked_at = join_list(f"{_word(rows, position)} ({rows.shares[position]:.0%})" for position in named)
    share = f"{rows.shares[named].sum():.0%}"
    if n_rows == 1:
        says = tr(
            "Of {all} rows, one leads to the label: that of {token}. It looks most at {tokens}: {share} of the "
            "attention in all.",
            all=n,
            token=_word(rows, rows.read_from[0]),
            tokens=looked_at,
            share=share,
        )
    else:
        says = tr(
            "{rows} of {all} rows lead to the label, and each counts for 1/{rows}. Together they look most at "
            "{tokens}: {share} of the attention in all.",
            rows=n_rows,
            all=n,
            tokens=looked_at,
            share=share,
        )
    evenly = tr(
        "If it were spread evenly, {few} of {all} tokens would get {share}.",
        few=len(named),
        all=n,
        share=f"{len(named) * rows.even:.0%}",
    )
    return f"{says} {evenly}"


def what_the_choice_changes(one: AnswerRows, several: AnswerRows) -> tuple[str, ...]:
    """Return sentences on the differences between a model that reads one row and one that takes a mean, for the same
    text."""
    return (_who_has_to_be_looked_at(one), _what_is_left_for_attention(several), _concentration(one, several))


def _who_has_to_be_looked_at(one: AnswerRows) -> str:
    reader, words, overlooked = _word(one, one.read_from[0]), len(one.words), one.overlooked_words()
    begins = tr("With {reader} alone, a word counts only if {reader} looks at it.", reader=reader)
    if one.n_layers > 1:
        begins = tr("With {reader} alone, a word counts in the last layer only if {reader} looks at it.", reader=reader)
    few = {
        "n": len(overlooked),
        "all": words,
        "words": ", ".join(_word(one, position) for position in overlooked[:NAMED]),
    }
    if not len(overlooked):
        here = tr("Here every word gets at least half an even share.")
    elif len(overlooked) > NAMED:
        here = tr(
            "Here {n} of {all} words get less than half an even share: {words} and {more} more.",
            more=len(overlooked) - NAMED,
            **few,
        )
    else:
        here = tr("Here {n} of {all} words get less than half an even share: {words}.", **few)
    return f"{begins} {here}"


def _what_is_left_for_attention(several: AnswerRows) -> str:
    begins = tr(
        "With the mean, each of the {n} words is part of the label anyway, whether anything looks at it or not. "
        "Attention only has to tell the words about each other.",
        n=len(several.read_from),
    )
    look = several.strongest
    if look is None:
        return begins
    most = tr(
        "Most of all, {query} looks at {key} ({share}).",
        query=_word(several, look.query),
        key=_word(several, look.key),
        share=f"{look.weight:.0%}",
    )
    return f"{begins} {most}"


def _concentration(one: AnswerRows, several: AnswerRows) -> str:
    readers = ((_word(one, one.read_from[0]), one), (tr("the mean"), several))
    shares = [(float(rows.shares[rows.favourites(FAVOURITES)].sum()), name) for name, rows in readers]
    (high, more), (low, less) = sorted(shares, reverse=True)
    if high - low < ALIKE:
        return tr(
            "Either way, the attention that counts is about equally concentrated: its three favourite tokens get "
            "{high} and {low}.",
            high=f"{high:.0%}",
            low=f"{low:.0%}",
        )
    return tr(
        "The attention that counts is more concentrated with {more}: its three favourite tokens get {high}, against "
        "{low} with {less}.",
        more=more,
        less=less,
        high=f"{high:.0%}",
        low=f"{low:.0%}",
    )


@check_arguments
def answer_rows_map(
    readings: Sequence[tuple[str, AnswerRows]], *, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw how much each token is looked at by the rows that lead to the label: a column for each named reading of a
    text."""
    tokens = readings[0][1].tokens
    return token_map(
        np.stack([rows.shares for _, rows in readings], axis=1),
        texts=token_texts(tokens),
        columns=[name for name, _ in readings],
        number=tr("share of the attention that counts"),
        title=tr("What the label is read from"),
        note=tr(
            "How much the rows that lead to the label look at each token: last layer, mean over its heads. Every "
            "column sums to 1."
        ),
        theme=theme,
        width=width,
    )


def _word(rows: AnswerRows, at: int | np.intp) -> str:
    return f"“{shorten(token_texts(rows.tokens)[int(at)], 14)}”"
