"""The weight between two words that stands out most in a text: surprising for its head, and plain to a reader.

    stands_out(record, atlas, labels)

How far a weight w stands out is w · log₂(w / e), one term of the divergence of Kullback and Leibler, in bits: e is what
the head would give if it did here what it does on average (`usual`), and never less than LEAST_EXPECTED. A head that
does what it always does stands out by 0 bits. The bits count as many times as the two words are worth (`word_pairs`): a
pronoun and a noun come before two words that have little to do with each other.

Weights are those of whole words: the sum over the pieces of the key, the mean over those of the query (Clark et al.
2019, section 4.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import Analysis
from models.analysis.one_text.usual import Mask, by_distance_in_text, by_distance_over_texts, by_key, pieces_seen
from models.analysis.one_text.word_pairs import RELATIONS, TaggedWords, read_words, relate_texts, relate_words, worth_of
from models.values.answers import TokenLabels
from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from models.values.results.atlas import HeadAtlas
from models.values.results.finding import Against, Finding
from models.values.text.english import is_english
from models.values.wording import to_say

LEAST_EXPECTED = 0.01
"""Smaller expectations are not told apart: how much less than a hundredth says nothing."""
LEAST_WEIGHT = 0.3
LEAST_SCORE = 1.0
"""A weight that is smaller, or whose bits times the worth of its words are less, is no finding."""
MOST_WEIGHTS = 1_500_000
"""A record with more weights (72 heads of 144 tokens) is not searched: nobody is to wait."""


@check_arguments
def stands_out(
    record: AttentionRecord, atlas: HeadAtlas | None = None, labels: TokenLabels | None = None
) -> Finding | None:
    """Return the weight between two words that stands out most.

    None if none does, if the record is too large, or if there are `labels`, the parts of speech that a tagger of
    English gives to the same text, and the text is not English. Without labels all words are worth the same, except in
    Korean, whose particles and endings tell nouns from predicates. `atlas` is that of the model for this kind of
    attention; without one the text is held against itself. Raises ArgumentError for an argument of another kind.
    """
    if not is_small_enough(record) or not (labels is None or is_english(labels.tokens)):
        return None
    query, key = (read_words(tokens, labels) for tokens in (record.query_tokens, record.key_tokens))
    are_one_text = record.kind != "cross"
    relations = relate_words(query) if are_one_text else relate_texts(query, key)
    worth = worth_of(relations, are_one_text=are_one_text)
    layers = range(record.n_layers)
    strongest = [_strongest_of_layer(record, atlas, layer, (query, key), (relations, worth)) for layer in layers]
    score, finding = max(strongest, key=lambda scored: scored[0])
    return finding if score >= LEAST_SCORE else None


def _strongest_of_layer(
    record: AttentionRecord,
    atlas: HeadAtlas | None,
    layer: int,
    words: tuple[TaggedWords, TaggedWords],
    pairs: tuple[NDArray[np.int8], Array],
) -> tuple[float, Finding | None]:
    """Return the weight of a layer that stands out most, with its score: its bits times the worth of its words.

    `pairs` are the relations of the words, and what they are worth.
    """
    (query, key), (relations, worth) = words, pairs
    weights, expected, is_by_key = compare_words(record, atlas, layer, query, key)
    is_possible = (worth > 0) & (weights >= LEAST_WEIGHT) & (weights >= weights.max(axis=2, keepdims=True))
    heads, rows, columns = np.nonzero(is_possible)
    if not len(heads):
        return 0.0, None
    bits = weights[is_possible] * np.log2(weights[is_possible] / expected[is_possible])  # [n_possible]
    scores = bits * worth[rows, columns]
    best = int(scores.argmax())
    head, row, column = (int(axis[best]) for axis in (heads, rows, columns))
    against: Against = "key" if is_by_key[head, row, column] else "distance" if atlas is None else "texts"
    finding = Finding(
        kind=record.kind,
        layer=layer,
        head=head,
        query=query.starts[row],
        key=key.starts[column],
        weight=float(weights[head, row, column]),
        expected=float(expected[head, row, column]),
        against=against,
        bits=float(bits[best]),
        relation=RELATIONS[relations[row, column]],
        n_texts=0 if atlas is None else atlas.n_texts,
    )
    return float(scores[best]), finding


def is_small_enough(record: AttentionRecord) -> bool:
    """Whether a record is small enough."""
    return record.n_weights <= MOST_WEIGHTS


def compare_words(
    record: AttentionRecord, atlas: HeadAtlas | None, layer: int, query: TaggedWords, key: TaggedWords
) -> tuple[Array, Array, Mask]:
    """Return the weights of a layer between words, what was to be expected, and whether that is by the key, all
    [n_heads, n_query_words, n_key_words]."""
    weights, seen = record.layer_weights(layer), pieces_seen(record, layer)
    distance = (
        by_distance_in_text(weights, seen) if atlas is None else by_distance_over_texts(atlas.offsets[layer], seen)
    )
    weights, distance = (_merge_words(pieces, query, key) for pieces in (weights, distance))
    by_word = by_key(weights, seen[np.ix_(query.starts, key.starts)])
    expected = np.maximum(np.maximum(distance, by_word), np.float32(LEAST_EXPECTED))
    return weights, expected, by_word > distance


def _merge_words(weights: Array, query: TaggedWords, key: TaggedWords) -> Array:
    """Return the weights of pieces [n_heads, n_query, n_key] between words: the sum over the pieces of a key, the mean
    over those of a query [n_heads, n_query_words, n_key_words]."""
    summed = _sum_groups(weights.swapaxes(1, 2), key.starts).swapaxes(1, 2)
    n_pieces = np.diff([*query.starts, weights.shape[1]]).astype(np.float32)
    merged: Array = _sum_groups(summed, query.starts) / n_pieces[:, None]
    return merged


def _sum_groups(rows: Array, starts: Sequence[int]) -> Array:
    """Return the sums [n, n_groups, m] of the rows [n, n_rows, m] from each start to the next. Most have one row."""
    sums: Array = rows[:, starts]
    for group, (start, end) in enumerate(pairwise([*starts, rows.shape[1]])):
        for row in range(start + 1, end):
            sums[:, group] += rows[:, row]
    return sums


ANALYSIS = Analysis(
    name="standing_out",
    title="what stands out in a text",
    paper=to_say(
        'Kullback and Leibler 1951, "On Information and Sufficiency", a term of their sum; what is expected as in '
        'Clark et al. 2019, "What Does BERT Look At?", sections 3.1 and 4.2'
    ),
    needs="texts",
    returns="Finding: a weight of a head, and what was to be expected; None where nothing stands out",
    cost=to_say("the weights of every head once; not asked of records above 1.5 million weights"),
    compute=stands_out,
    formula=to_say(
        "w · log₂(w / e), e the larger of what is usual at that distance and for that key, at least 0.01; times 3 for "
        "a pronoun and a noun, 2 for a verb or an adjective and a noun and for a negation, 1.5 for a word and its "
        "repetition, 1 for other words of content, and half of it for neighbours"
    ),
)
