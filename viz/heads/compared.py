"""Two heads, layers, texts or models side by side, token by token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Token
from models.values.results.comparison import AttentionComparison, TokenPair
from viz.kit import theme as style
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.language import tr, trn
from viz.kit.theme import Theme
from viz.kit.tokens import token_texts

ALIKE = 0.005
"""Weights that differ by less are written alike, in two digits."""


@check_arguments
def difference_map(
    comparison: AttentionComparison, *, title: str, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the weights of the second head minus those of the first, on the tokens that they share; empty where a token
    occurs in one text only. The `title` is markup."""
    rows = pair_texts(comparison.rows, comparison.one_queries, comparison.other_queries)
    columns = pair_texts(comparison.columns, comparison.one_keys, comparison.other_keys)
    known = comparison.distances[np.isfinite(comparison.distances)]
    unknown = tr("unknown")
    text = tr(
        "Above 0 the other looks more. “a | b” are different words in the same place; empty rows and columns stand in "
        "one text alone. The rows are {mean} apart on average, by the distance of Jensen and Shannon (0 alike, 1 "
        "nothing in common). Clark et al. 2019, section 6.",
        mean=f"{known.mean():.2f}" if len(known) else unknown,
    )
    return signed_map(
        comparison.difference,
        x=Axis(title=tr("Key token"), places=range(len(columns)), noun=tr("to"), words=columns),
        y=Axis(title=tr("Query token"), places=range(len(rows)), noun=tr("from"), words=rows),
        number=tr("difference"),
        title=title,
        text=text,
        is_square=True,
        theme=theme,
        width=width,
    )


def pair_texts(pairs: Sequence[TokenPair], one: Sequence[Token], other: Sequence[Token]) -> list[str]:
    """Return the tokens of pairs as plain texts: "the", "she | he", "| home"."""
    first, second = token_texts(one), token_texts(other)
    texts = []
    for pair in pairs:
        left = "" if pair.one is None else first[pair.one]
        right = "" if pair.other is None else second[pair.other]
        texts.append(left if pair.is_equal else f"{left} | {right}".strip())
    return texts


def pair_names(pairs: Sequence[TokenPair], one: Sequence[Token], other: Sequence[Token]) -> list[str]:
    """Return the tokens of pairs with the positions of both: "1 · the", "1 | 2 · ran" where they differ, "1 · she | 1 ·
    he"."""
    first, second = token_texts(one), token_texts(other)
    names = []
    for pair in pairs:
        left = "" if pair.one is None else f"{pair.one} · {first[pair.one]}"
        right = "" if pair.other is None else f"{pair.other} · {second[pair.other]}"
        both = left if pair.one == pair.other else f"{pair.one} | {right}"
        names.append(both if pair.is_equal else f"{left} | {right}".strip())
    return names


@check_arguments
def comparison_finding(comparison: AttentionComparison, one: str, other: str) -> str:
    """Return a sentence about where two heads differ most; `one` and `other` are their names. Plain text with tokens in
    it: NOT escaped.

    The row of the largest distance is where they differ most, and in it the cell of the largest difference. Two maps
    look alike if no weight differs by ALIKE.
    """
    difference, apart = np.abs(comparison.difference), comparison.distances
    if not np.isfinite(difference).any() or not np.isfinite(apart).any():
        return tr("No token stands in both texts, so there is nothing to compare.")
    most = float(np.nanmax(difference))
    alone = comparison_alone(comparison)
    if most < ALIKE:
        hardly = tr(
            "There is hardly a difference between {one} and {other}: no two weights are {alike} apart.",
            one=one,
            other=other,
            alike=ALIKE,
        )
        return hardly + alone
    row = int(np.nanargmax(apart))
    column = int(np.nanargmax(difference[row]))
    query = _told_apart(comparison.rows, comparison.one_queries, comparison.other_queries, row)
    key = _told_apart(comparison.columns, comparison.one_keys, comparison.other_keys, column)
    most_apart = tr(
        "They differ most at “{query}”: there {one} gives “{key}” a weight of {by_one}, {other} one of {by_other}, and "
        "the rows are {apart} apart. On average the rows are {mean} apart, by the distance of Jensen and Shannon (0 "
        "alike, 1 nothing in common).",
        query=query,
        one=one,
        key=key,
        by_one=f"{comparison.one[row, column]:.2f}",
        other=other,
        by_other=f"{comparison.other[row, column]:.2f}",
        apart=f"{apart[row]:.2f}",
        mean=f"{np.nanmean(apart):.2f}",
    )
    return most_apart + alone


def _told_apart(pairs: Sequence[TokenPair], one: Sequence[Token], other: Sequence[Token], at: int) -> str:
    """Return the tokens of a pair, with their positions if another pair looks the same."""
    texts = pair_texts(pairs, one, other)
    return texts[at] if texts.count(texts[at]) == 1 else pair_names(pairs, one, other)[at]


def comparison_alone(comparison: AttentionComparison) -> str:
    """Return a sentence on how many tokens occur in one text only, with a space before it; empty if none does."""
    count = sum(None in (pair.one, pair.other) for pair in comparison.rows)
    told = trn("{n} token stands in one text alone.", "{n} tokens stand in one text alone.", count)
    return f" {told}" if count else ""


if __name__ == "__main__":
    from viz.heads.demo import demo_comparison

    difference_map(demo_comparison(), title="Layer 0 · Head 0 in two texts").show()
