"""The tokens of two texts beside each other, and weights laid out on both.

Tokens are aligned where they are equal, by the longest common subsequence (Needleman and Wunsch 1970), of several the
one with the most beginnings of words: a noun rather than the particle behind it. Between two runs of equal tokens, as
many others on both sides stand in each other's place ("she" and "he"), the rest stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from models.values.record import Array, Token
from models.values.results.comparison import TokenPair


def aligned_tokens(one: Sequence[Token], other: Sequence[Token]) -> tuple[TokenPair, ...]:
    """Two texts token by token, in order."""
    matches = [(-1, -1), *_longest_common(one, other), (len(one), len(other))]
    pairs: list[TokenPair] = []
    for (first, second), (next_first, next_second) in pairwise(matches):
        only_one, only_other = range(first + 1, next_first), range(second + 1, next_second)
        n_both = min(len(only_one), len(only_other))
        pairs += (TokenPair(one=a, other=b, is_equal=False) for a, b in zip(only_one, only_other, strict=False))
        pairs += (TokenPair(one=a, other=None, is_equal=False) for a in only_one[n_both:])
        pairs += (TokenPair(one=None, other=b, is_equal=False) for b in only_other[n_both:])
        if next_first < len(one):
            pairs.append(TokenPair(one=next_first, other=next_second, is_equal=True))
    return tuple(pairs)


def _longest_common(one: Sequence[Token], other: Sequence[Token]) -> list[tuple[int, int]]:
    """The places of the tokens of the longest common subsequence, by dynamic programming from the end."""
    names, others = ([(token.text, token.is_special) for token in tokens] for tokens in (one, other))
    begins = [place == 0 or token.word != one[place - 1].word for place, token in enumerate(one)]
    match = len(one) + 1  # beginnings of words decide only between subsequences of one length
    longest = np.zeros((len(names) + 1, len(others) + 1), np.int64)
    for a in range(len(names) - 1, -1, -1):
        for b in range(len(others) - 1, -1, -1):
            longest[a, b] = max(longest[a + 1, b], longest[a, b + 1])
            if names[a] == others[b]:
                longest[a, b] = max(longest[a, b], match + begins[a] + longest[a + 1, b + 1])
    matches, a, b = [], 0, 0
    while a < len(names) and b < len(others):
        if names[a] == others[b] and longest[a, b] == match + begins[a] + longest[a + 1, b + 1]:
            matches.append((a, b))
            a, b = a + 1, b + 1
        elif longest[a + 1, b] >= longest[a, b + 1]:
            a += 1
        else:
            b += 1
    return matches


def spread_weights(weights: Array, rows: Sequence[int | None], columns: Sequence[int | None]) -> Array:
    """Lay weights out on other rows and columns, NaN where there is none."""
    spread = np.full((len(rows), len(columns)), np.nan, np.float32)
    row_at, column_at = (
        [(new, old) for new, old in enumerate(places) if old is not None] for places in (rows, columns)
    )
    to = np.ix_([new for new, _ in row_at], [new for new, _ in column_at])
    spread[to] = weights[np.ix_([old for _, old in row_at], [old for _, old in column_at])]
    return spread
