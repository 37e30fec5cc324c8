"""The word at which a head differs most between two texts: what it looked at there, and what it looks at now.

Special tokens and punctuation are left out, since most attention rests there in either text; pieces are added up to
words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.alignment import aligned_tokens, spread_weights
from models.analysis.analysis import Analysis, is_piece
from models.analysis.heads.punctuation import is_punctuation
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord, Token
from models.values.results.comparison import HeadShift, TokenPair, WordShift
from models.values.wording import to_say, worded

TokenGroups = list[tuple[int, ...]]
"""The places of the tokens of every word."""


@check_arguments
def find_shifts(one: AttentionRecord, other: AttentionRecord) -> tuple[HeadShift, ...]:
    """Return all heads of two records of one shape, each with the word at which it differs most; the largest first.

    Empty if no word stands in both texts. Raises SelectionError for models of different shapes.
    """
    if one.query.shape[:2] != other.query.shape[:2]:
        shapes = [record.query.shape[:2] for record in (one, other)]
        raise SelectionError(
            worded("the records have {shapes} layers and heads, expected as many of both.", shapes=shapes)
        )
    rows = aligned_tokens(one.query_tokens, other.query_tokens)
    columns = aligned_tokens(one.key_tokens, other.key_tokens)
    words = shared_words(rows, one.query_tokens, other.query_tokens)
    keys = key_words(columns, one.key_tokens, other.key_tokens)
    found = []
    for layer, head in np.ndindex(*one.query.shape[:2]):
        first, second = (
            spread_weights(
                record.weights(layer, head),
                [getattr(pair, side) for pair in rows],
                [getattr(pair, side) for pair in columns],
            )
            for side, record in (("one", one), ("other", other))
        )
        shift = largest_shift(first, second, words, keys)
        if shift is not None:
            found.append(HeadShift(layer=layer, head=head, shift=shift))
    return tuple(sorted(found, key=lambda head_shift: -head_shift.shift.moved))


def largest_shift(one: Array, other: Array, words: TokenGroups, keys: TokenGroups) -> WordShift | None:
    """Return the word whose attention moves most between the keys, from weights [n_rows, n_columns] of both texts on
    the same rows and columns; None if there is no word."""
    if not words or not keys:
        return None
    first, second = (_between_words(weights, words, keys) for weights in (one, other))
    change = second - first  # [n_words, n_keys]
    moved = np.abs(change).sum(axis=1) / 2
    word = int(np.argmax(moved))
    loses, gains = int(np.argmin(change[word])), int(np.argmax(change[word]))
    return WordShift(
        rows=words[word],
        from_columns=keys[loses],
        to_columns=keys[gains],
        from_shares=(float(first[word, loses]), float(second[word, loses])),
        to_shares=(float(first[word, gains]), float(second[word, gains])),
        moved=float(moved[word]),
    )


def _between_words(weights: Array, words: TokenGroups, keys: TokenGroups) -> Array:
    """Sum the weights over the columns of a word and average over its rows; a token that is not there gets nothing."""
    there = np.nan_to_num(weights)
    by_key = np.stack([there[:, key].sum(axis=1) for key in keys], axis=1)
    return np.stack([by_key[list(word)].mean(axis=0) for word in words])


def shared_words(pairs: Sequence[TokenPair], one: Sequence[Token], other: Sequence[Token]) -> TokenGroups:
    """Return the words that both texts have."""
    return [word for word in key_words(pairs, one, other) if all(pairs[place].is_equal for place in word)]


def key_words(pairs: Sequence[TokenPair], one: Sequence[Token], other: Sequence[Token]) -> TokenGroups:
    """Return the words of either text: no special tokens, no punctuation marks."""
    passed_over = [is_punctuation(tokens) | ~is_piece(tokens) for tokens in (one, other)]
    return [
        group
        for group in _group_words(pairs, one, other)
        if not all(
            passed[position]
            for place in group
            for passed, position in zip(passed_over, (pairs[place].one, pairs[place].other), strict=True)
            if position is not None
        )
    ]


def _group_words(pairs: Sequence[TokenPair], one: Sequence[Token], other: Sequence[Token]) -> TokenGroups:
    """Put the places of pairs together that are one word in either text."""
    groups: list[list[int]] = []
    for place, pair in enumerate(pairs):
        before = pairs[place - 1] if place else None
        goes_on = before is not None and (
            _is_one_word(_token(one, before.one), _token(one, pair.one))
            or _is_one_word(_token(other, before.other), _token(other, pair.other))
        )
        if goes_on:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [tuple(group) for group in groups]


def _is_one_word(before: Token | None, token: Token | None) -> bool:
    if before is None or token is None or token.word is None:
        return False
    return (before.word, before.segment) == (token.word, token.segment)


def _token(tokens: Sequence[Token], position: int | None) -> Token | None:
    return None if position is None else tokens[position]


ANALYSIS = Analysis(
    name="shifts",
    title="at which word a head differs most between two texts",
    paper=to_say(
        'Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model", on two readings of one sentence'
    ),
    needs="texts",
    formula=to_say("largest of sum(|other - one|) / 2 between words"),
    returns="HeadShift, one for every head, the largest first",
    cost=to_say("time n_layers · n_heads · n_tokens², once n_tokens² for the alignment"),
    compute=find_shifts,
)
