"""Two heads, layers, texts or models side by side, token by token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Token
from models.values.results.comparison import AttentionComparison, TokenPair, WordShift
from viz.kit import theme as style
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.language import tr, trn
from viz.kit.theme import Theme
from viz.kit.tokens import texts_of_words, token_texts

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
    """Return a sentence about the word at which two heads differ most; `one` and `other` are their names. Plain text
    with tokens in it: NOT escaped.

    Two maps look alike if no weight differs by ALIKE.
    """
    shift = comparison.shift
    if shift is None:
        return tr("No word stands in both texts, so there is nothing to compare.")
    if float(np.nanmax(np.abs(comparison.difference))) < ALIKE:
        return tr("There is hardly a difference between {one} and {other}.", one=one, other=other)
    return _say_shift(comparison, shift)


def _say_shift(comparison: AttentionComparison, shift: WordShift) -> str:
    """Say where the attention of a word goes in the other text: "“it”: from “animal” (20%) to “street” (38%)" where the
    one word has more in the one text and the other in the other; else how the word that changes most does. NOT
    escaped."""
    query = _name_word(comparison, shift.rows, "rows", "one")
    lost = _name_word(comparison, shift.from_columns, "columns", "one")
    won = _name_word(comparison, shift.to_columns, "columns", "other")
    before, after = zip(shift.from_shares, shift.to_shares, strict=True)
    if before[0] > before[1] and after[1] > after[0]:
        return tr(
            "“{query}”: from “{lost}” ({before}) to “{won}” ({after}).",
            query=query,
            lost=lost,
            before=_percent(before[0]),
            won=won,
            after=_percent(after[1]),
        )
    is_loss = before[0] - after[0] > after[1] - before[1]
    key, shares = (lost, shift.from_shares) if is_loss else (won, shift.to_shares)
    return tr(
        "“{query}”: “{key}” from {before} to {after}.",
        query=query,
        key=key,
        before=_percent(shares[0]),
        after=_percent(shares[1]),
    )


def comparison_measured(comparison: AttentionComparison) -> str:
    """Return how the finding and the bars are measured. Plain text with tokens in it: NOT escaped."""
    sentences, shift = [], comparison.shift
    known = comparison.distances[np.isfinite(comparison.distances)]
    if shift is not None:
        sentences.append(
            tr(
                "Only words count here, no special tokens or punctuation: {moved} of the attention of “{query}” moves.",
                moved=_percent(shift.moved),
                query=_name_word(comparison, shift.rows, "rows", "one"),
            )
        )
    if len(known):
        sentences.append(
            tr(
                "The bars are how far two rows are apart, by the distance of Jensen and Shannon: 0 alike, 1 nothing in "
                "common. On average {mean}. Clark et al. 2019, section 6.",
                mean=f"{known.mean():.2f}",
            )
        )
    count = sum(None in (pair.one, pair.other) for pair in comparison.rows)
    if count:
        sentences.append(trn("{n} token stands in one text alone.", "{n} tokens stand in one text alone.", count))
    return " ".join(sentences)


def difference_title(comparison: AttentionComparison, one: str, other: str) -> str:
    """Return the title of the difference: "wide − tired" where one token alone is another, else the names of the sides.
    NOT escaped."""
    unlike = [pair for pair in comparison.columns if not pair.is_equal]
    if len(unlike) == 1 and unlike[0].one is not None and unlike[0].other is not None:
        one = token_texts(comparison.one_keys)[unlike[0].one]
        other = token_texts(comparison.other_keys)[unlike[0].other]
    return f"{other} − {one}"


def _percent(share: float) -> str:
    return f"{share:{style.SHARE_FORMAT}}"


def _name_word(
    comparison: AttentionComparison,
    places: Sequence[int],
    axis: Literal["rows", "columns"],
    side: Literal["one", "other"],
) -> str:
    """Return a word of the aligned texts as the one or the other text has it, or else as the text that has it; with its
    position where the same text occurs more than once."""
    pairs, what = getattr(comparison, axis), "queries" if axis == "rows" else "keys"
    for name in (side, "other" if side == "one" else "one"):
        tokens = getattr(comparison, f"{name}_{what}")
        word = [position for place in places if (position := getattr(pairs[place], name)) is not None]
        if word:
            (text,) = texts_of_words(tokens, [word])
            return text if token_texts(tokens).count(text) <= 1 else f"{text} ({word[0]})"
    return ""


if __name__ == "__main__":
    from viz.heads.demos.effects import demo_comparison

    difference_map(demo_comparison(), title="Layer 0 · Head 0 in two texts").show()
