"""Two heads, two layers, two texts or two models of one tokenizer side by side: the signed difference of their weights,
and the distance of Jensen and Shannon between their rows.

What a row gives to a token that the other text does not have counts as given to something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.analysis.alignment import aligned_tokens, spread_weights
from models.analysis.analysis import Analysis
from models.analysis.jensen_shannon import distances
from models.analysis.shifts import key_words, largest_shift, shared_words
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.positions import ShuffledPair
from models.values.record import Array, AttentionRecord, Token
from models.values.results.comparison import AttentionComparison, TokenPair
from models.values.wording import to_say, worded

_Side = tuple[AttentionRecord, int, int | None]
"""A record, a layer, and a head or None for the mean of the layer."""


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
    sides = (one, one_layer, one_head), (other, other_layer, other_head)
    compared = _compare_on(rows, columns, *sides)
    words = shared_words(rows, one.query_tokens, other.query_tokens)
    keys = key_words(columns, one.key_tokens, other.key_tokens)
    return replace(compared, shift=largest_shift(compared.one, compared.other, words, keys))


@check_arguments
def compare_orders(
    pair: ShuffledPair, *, layer: int, head: int | None, token: int | None = None
) -> AttentionComparison:
    """A head, or the mean of a layer where `head` is None, on a text and on its tokens in another order.

    Rows and columns are the tokens as written, each at both its positions; each counts as a word, since tokens are what
    is shuffled. The shift is that of a `token`, by its position as written, or else of the one whose attention moves
    most, of the beginnings of words that keep their position if there are any. Raises SelectionError for a layer or
    head that is not there.
    """
    one, other = pair.written.attention[0], pair.shuffled.attention[0]
    position_of = np.argsort(pair.order).tolist()
    pairs = tuple(TokenPair(one=place, other=moved_to, is_equal=True) for place, moved_to in enumerate(position_of))
    compared = _compare_on(pairs, pairs, (one, layer, head), (other, layer, head))
    written, shuffled = _single_tokens(one.query_tokens), _single_tokens(other.query_tokens)
    in_place = [TokenPair(one=place, other=place, is_equal=True) for place in range(len(pairs))]
    keys = key_words(in_place, written, written)
    kept = [key for key in keys if position_of[key[0]] == key[0] and _begins_word(one.query_tokens, key[0])]
    return replace(
        compared,
        one_queries=written,
        one_keys=written,
        other_queries=shuffled,
        other_keys=shuffled,
        shift=largest_shift(compared.one, compared.other, [(token,)] if token is not None else kept or keys, keys),
    )


def _single_tokens(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return tokens of which each is a word: in another order pieces do not spell the words that they were cut from."""
    return tuple(replace(token, word=None if token.word is None else position) for position, token in enumerate(tokens))


def _begins_word(tokens: Sequence[Token], position: int) -> bool:
    return position == 0 or tokens[position].word != tokens[position - 1].word


def _compare_on(
    rows: tuple[TokenPair, ...], columns: tuple[TokenPair, ...], one_side: _Side, other_side: _Side
) -> AttentionComparison:
    """Lay two heads out on the same rows and columns, without a shift."""
    (one, *_), (other, *_) = one_side, other_side
    one_rows, other_rows = [pair.one for pair in rows], [pair.other for pair in rows]
    first = spread_weights(_weights(*one_side), one_rows, [pair.one for pair in columns])
    second = spread_weights(_weights(*other_side), other_rows, [pair.other for pair in columns])
    both = np.array([pair.one is not None and pair.other is not None for pair in rows])
    apart = np.full(len(rows), np.nan, np.float32)
    apart[both] = distances(
        _outcomes(*one_side, one_rows, first)[both], _outcomes(*other_side, other_rows, second)[both]
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
    of_both = [pair for pair in rows if pair.one is not None and pair.other is not None]
    one_rows, other_rows = [pair.one for pair in of_both], [pair.other for pair in of_both]
    apart = np.empty(one.query.shape[:2], np.float32)
    for layer, head in np.ndindex(*apart.shape):
        first = spread_weights(one.weights(layer, head), one_rows, [pair.one for pair in columns])
        second = spread_weights(other.weights(layer, head), other_rows, [pair.other for pair in columns])
        apart[layer, head] = distances(
            _outcomes(one, layer, head, one_rows, first), _outcomes(other, layer, head, other_rows, second)
        ).mean()
    return apart


def _weights(record: AttentionRecord, layer: int, head: int | None) -> Array:
    return record.mean_weights(layer) if head is None else record.weights(layer, head)


def _outcomes(
    record: AttentionRecord, layer: int, head: int | None, rows: Sequence[int | None], spread: Array
) -> Array:
    """Rows as distributions [n_rows, n_columns + 1]: what goes to no token, but to a sink, is the last outcome."""
    shares = record.sink_shares(layer, head)  # [n_query]
    sinks = [0.0 if row is None else float(shares[row]) for row in rows]
    return np.column_stack([np.nan_to_num(spread), np.array(sinks, np.float32)])


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
