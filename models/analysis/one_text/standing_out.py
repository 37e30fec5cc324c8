"""The weight that stands out most in a text: the most surprising one, given the average behaviour of its head.

    stands_out(record, atlas)

How far a weight w stands out is w · log₂(w / e), one term of the divergence of Kullback and Leibler, in bits: e is what
the head would give if it did here what it does on average (`usual`), and never less than LEAST_EXPECTED. A head that
does what it always does stands out by 0 bits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.heads.punctuation import is_punctuation
from models.analysis.one_text.usual import Mask, by_distance_in_text, by_distance_over_texts, by_key, pieces_seen
from models.values.record import AttentionRecord, Token
from models.values.results.atlas import HeadAtlas
from models.values.results.finding import Against, Finding
from models.values.text.unknown import UNKNOWN_TOKENS
from models.values.wording import to_say

LEAST_EXPECTED = 0.01
"""Smaller expectations are not told apart: how much less than a hundredth says nothing."""
LEAST_WEIGHT = 0.3
LEAST_BITS = 1.0
"""A weight that is smaller, or that stands out less, is no finding."""
NEAREST = 2
"""Neighbours are what heads look at by habit; a finding is farther away. In cross-attention there are none."""
MOST_WEIGHTS = 1_500_000
"""A record with more weights (72 heads of 144 tokens) is not searched: nobody is to wait."""


def stands_out(record: AttentionRecord, atlas: HeadAtlas | None = None) -> Finding | None:
    """The weight that stands out most, from a word to another word; None if none does, or if the record is too large.

    `atlas` is that of the model for this kind of attention; without one the text is held against itself.
    """
    if not is_small_enough(record):
        return None
    between = _between_words(record)
    best = max(
        (_of_layer(record, atlas, layer, between) for layer in range(record.n_layers)), key=lambda finding: finding.bits
    )
    return best if best.bits >= LEAST_BITS else None


def is_small_enough(record: AttentionRecord) -> bool:
    """Whether a record is small enough."""
    return record.n_weights <= MOST_WEIGHTS


def _of_layer(record: AttentionRecord, atlas: HeadAtlas | None, layer: int, between: Mask) -> Finding:
    """Return the weight that stands out most in a layer; by 0 bits, if none does."""
    weights, seen = record.layer_weights(layer), pieces_seen(record, layer)
    distance = (
        by_distance_in_text(weights, seen) if atlas is None else by_distance_over_texts(atlas.offsets[layer], seen)
    )
    key = by_key(weights, seen)
    expected = np.maximum(np.maximum(distance, key), np.float32(LEAST_EXPECTED))
    possible = between & seen & (weights >= LEAST_WEIGHT) & (weights >= weights.max(axis=2, keepdims=True))
    ratio = np.divide(weights, expected, out=np.ones_like(weights), where=possible)
    bits = weights * np.log2(ratio)  # [n_heads, n_query, n_key]
    place = np.unravel_index(int(np.argmax(bits)), bits.shape)
    against: Against = "key" if key[place] > distance[place] else "distance" if atlas is None else "texts"
    head, query, column = map(int, place)
    return Finding(
        kind=record.kind,
        layer=layer,
        head=head,
        query=query,
        key=column,
        weight=float(weights[place]),
        expected=float(expected[place]),
        against=against,
        bits=float(bits[place]),
        n_texts=0 if atlas is None else atlas.n_texts,
    )


def _between_words(record: AttentionRecord) -> Mask:
    """From which token to which a finding may go [n_query, n_key]: from the beginning of a word to that of another one,
    of another spelling, no punctuation mark, and no neighbour."""
    query, key = record.query_tokens, record.key_tokens
    spelled = np.array([token.text for token in query])[:, None] != np.array([token.text for token in key])
    between: Mask = spelled & _begins_word(query)[:, None] & _begins_word(key)
    if record.kind != "cross":
        words = np.array([-1 if token.word is None else token.word for token in query])
        apart = np.abs(np.arange(len(key)) - np.arange(len(query))[:, None])
        between &= (words[:, None] != words) & (apart >= NEAREST)
    return between


def _begins_word(tokens: Sequence[Token]) -> Mask:
    """Which tokens are the first of a word that the model knows, and no punctuation marks [n_tokens]."""
    before = [None, *(token.word for token in tokens[:-1])]
    first = [
        token.text not in UNKNOWN_TOKENS and (token.word is None or token.word != word)
        for token, word in zip(tokens, before, strict=True)
    ]
    return np.array(first, dtype=np.bool_) & ~is_punctuation(tokens)


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
    formula=to_say("w · log₂(w / e), e the larger of what is usual at that distance and for that key, at least 0.01"),
)
