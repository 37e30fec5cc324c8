"""Two heads, two layers, two texts or two models of one tokenizer side by side: the signed difference of their weights,
and the distance of Jensen and Shannon between their rows.

What a row gives to a token that the other text does not have counts as given to something else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.alignment import aligned_tokens, spread_weights
from models.analysis.analysis import Analysis
from models.analysis.jensen_shannon import distances
from models.analysis.shifts import key_words, largest_shift, shared_words
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord
from models.values.results.comparison import AttentionComparison, TokenPair, WordShift
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
    first = spread_weights(
        _weights(one, one_layer, one_head), [pair.one for pair in rows], [pair.one for pair in columns]
    )
    second = spread_weights(
        _weights(other, other_layer, other_head), [pair.other for pair in rows], [pair.other for pair in columns]
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
        shift=_shift(first, second, rows, columns, (one, other)),
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


def _shift(
    first: Array,
    second: Array,
    rows: Sequence[TokenPair],
    columns: Sequence[TokenPair],
    records: tuple[AttentionRecord, AttentionRecord],
) -> WordShift | None:
    """Return the shift of the word whose attention moves most between both sides."""
    one, other = records
    words = shared_words(rows, one.query_tokens, other.query_tokens)
    return largest_shift(first, second, words, key_words(columns, one.key_tokens, other.key_tokens))


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
