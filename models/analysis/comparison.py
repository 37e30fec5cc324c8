"""Two heads, two layers, two texts or two models of one tokenizer side by side: the signed difference of their weights,
and the distance of Jensen and Shannon between their rows.

Tokens are aligned where they are equal, by the longest common subsequence (Needleman and Wunsch 1970); between two runs
of equal tokens, as many others on both sides stand in each other's place ("she" and "he"), the rest stands alone. What
a row gives to a token that the other text does not have counts as given to something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.jensen_shannon import distances
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord, Token
from models.values.results.comparison import AttentionComparison, TokenPair
from models.values.wording import to_say, worded


@check_arguments
def compare(
    one: AttentionRecord,
    other: AttentionRecord,
    *,
    one_layer: int,
    other_layer: int,
    one_head: int | None,
    other_head: int | None,
) -> AttentionComparison:
    """A head of one record, or the mean of a layer where `head` is None, beside that of another. Raises SelectionError
    for a layer or head that is not there."""
    rows = aligned_tokens(one.query_tokens, other.query_tokens)
    columns = aligned_tokens(one.key_tokens, other.key_tokens)
    first, second = (
        _spread(
            _weights(record, layer, head),
            [getattr(pair, side) for pair in rows],
            [getattr(pair, side) for pair in columns],
        )
        for side, record, layer, head in (("one", one, one_layer, one_head), ("other", other, other_layer, other_head))
    )
    both = np.array([pair.one is not None and pair.other is not None for pair in rows])
    apart = np.full(len(rows), np.nan, np.float32)
    apart[both] = distances(
        _outcomes(one, one_layer, one_head, [pair.one for pair in rows], first)[both],
        _outcomes(other, other_layer, other_head, [pair.other for pair in rows], second)[both],
    )
    return AttentionComparison(
        rows=rows,
        columns=columns,
        one_queries=one.query_tokens,
        other_queries=other.query_tokens,
        one_keys=one.key_tokens,
        other_keys=other.key_tokens,
        one=first,
        other=second,
        distances=apart,
    )


@check_arguments
def compare_heads(one: AttentionRecord, other: AttentionRecord) -> Array:
    """The mean distance between the rows of every head in two records of models of one shape [n_layers, n_heads]: which
    heads look elsewhere. Raises SelectionError for models of different shapes."""
    if one.query.shape[:2] != other.query.shape[:2]:
        shapes = [record.query.shape[:2] for record in (one, other)]
        raise SelectionError(
            worded("the records have {shapes} layers and heads, expected as many of both.", shapes=shapes)
        )
    rows = aligned_tokens(one.query_tokens, other.query_tokens)
    columns = aligned_tokens(one.key_tokens, other.key_tokens)
    queries = [(pair.one, pair.other) for pair in rows if pair.one is not None and pair.other is not None]
    apart = np.empty(one.query.shape[:2], np.float32)
    for layer, head in np.ndindex(*apart.shape):
        first = _spread(one.weights(layer, head), [query for query, _ in queries], [pair.one for pair in columns])
        second = _spread(other.weights(layer, head), [query for _, query in queries], [pair.other for pair in columns])
        apart[layer, head] = distances(
            _outcomes(one, layer, head, [query for query, _ in queries], first),
            _outcomes(other, layer, head, [query for _, query in queries], second),
        ).mean()
    return apart


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
    longest = np.zeros((len(names) + 1, len(others) + 1), np.int32)
    for a in range(len(names) - 1, -1, -1):
        for b in range(len(others) - 1, -1, -1):
            longest[a, b] = (
                1 + longest[a + 1, b + 1] if names[a] == others[b] else max(longest[a + 1, b], longest[a, b + 1])
            )
    matches, a, b = [], 0, 0
    while a < len(names) and b < len(others):
        if names[a] == others[b]:
            matches.append((a, b))
            a, b = a + 1, b + 1
        elif longest[a + 1, b] >= longest[a, b + 1]:
            a += 1
        else:
            b += 1
    return matches


def _weights(record: AttentionRecord, layer: int, head: int | None) -> Array:
    return record.mean_weights(layer) if head is None else record.weights(layer, head)


def _outcomes(
    record: AttentionRecord, layer: int, head: int | None, rows: Sequence[int | None], spread: Array
) -> Array:
    """Rows as distributions [n_rows, n_columns + 1]: what goes to no token, but to a sink, is the last outcome."""
    shares = record.sink_shares(layer, head)  # [n_query]
    sinks = [0.0 if row is None else float(shares[row]) for row in rows]
    return np.column_stack([np.nan_to_num(spread), np.array(sinks, np.float32)])


def _spread(weights: Array, rows: Sequence[int | None], columns: Sequence[int | None]) -> Array:
    """Weights on other rows and columns, NaN where there is none."""
    spread = np.full((len(rows), len(columns)), np.nan, np.float32)
    row_at, column_at = (
        [(new, old) for new, old in enumerate(places) if old is not None] for places in (rows, columns)
    )
    to = np.ix_([new for new, _ in row_at], [new for new, _ in column_at])
    spread[to] = weights[np.ix_([old for _, old in row_at], [old for _, old in column_at])]
    return spread


ANALYSIS = Analysis(
    name="comparison",
    title="how far two heads, layers, texts or models look elsewhere",
    paper=to_say(
        'Clark et al. 2019, "What Does BERT Look At?", section 6; Endres and Schindelin 2003 for the distance'
    ),
    needs="texts",
    formula=to_say("other - one; square root of H((p + q) / 2) - (H(p) + H(q)) / 2 in bits, row by row"),
    returns="AttentionComparison, difference [n_rows, n_columns], distances [n_rows]",
    cost=to_say("time n_tokens² for the alignment"),
    compute=compare,
)
