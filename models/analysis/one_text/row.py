"""The word that one token looks at most in one head, held against what was to be expected there."""

from __future__ import annotations

import numpy as np

from models.analysis.heads.punctuation import is_punctuation
from models.analysis.one_text.usual import by_distance_in_text, by_distance_over_texts, by_key, pieces_seen
from models.values.record import Array, AttentionRecord
from models.values.results.atlas import HeadAtlas
from models.values.results.finding import Against, Finding

LEAST_EXPECTED = 0.01
"""Smaller expectations are not told apart."""


def strongest_in_row(
    record: AttentionRecord, atlas: HeadAtlas | None, *, layer: int, head: int, query: int
) -> Finding | None:
    """Return the largest weight of a row to another word that is no special token and no punctuation mark.

    None if the row has no such key. `atlas` is that of the model for this kind of attention; without one the text is
    held against itself. Raises SelectionError for a layer, head or query out of range.
    """
    weights = record.layer_weights(layer)
    key = _strongest_word(record, weights[head, query], query)
    if key is None:
        return None
    expected, against = _expect(record, atlas, layer, (head, query, key))
    weight = float(weights[head, query, key])
    return Finding(
        kind=record.kind,
        layer=layer,
        head=head,
        query=query,
        key=key,
        weight=weight,
        expected=expected,
        against=against,
        bits=weight * float(np.log2(weight / expected)),
        n_texts=0 if atlas is None else atlas.n_texts,
    )


def _strongest_word(record: AttentionRecord, row: Array, query: int) -> int | None:
    """Return the key of the largest weight of a row [n_key] that may be named; None if there is none."""
    keys, word = record.key_tokens, record.query_tokens[query].word
    is_other = [
        not token.is_special and (record.kind == "cross" or (place != query and (word is None or token.word != word)))
        for place, token in enumerate(keys)
    ]
    possible = np.array(is_other) & ~is_punctuation(keys) & (row > 0)
    return int(np.argmax(np.where(possible, row, -1))) if possible.any() else None


def _expect(
    record: AttentionRecord, atlas: HeadAtlas | None, layer: int, place: tuple[int, int, int]
) -> tuple[float, Against]:
    """Return what was to be expected of the weight of a head from a query to a key, and by what."""
    weights, seen = record.layer_weights(layer), pieces_seen(record, layer)
    distance = (
        by_distance_in_text(weights, seen) if atlas is None else by_distance_over_texts(atlas.offsets[layer], seen)
    )
    of_key = by_key(weights, seen)[place]
    head, query, key = place
    if not seen[query, key]:  # a special token looks: only what others give to this key can be compared
        of_key = weights[head, seen[:, key], key].mean()
    by: Against = "key" if of_key > distance[place] else "distance" if atlas is None else "texts"
    return max(float(distance[place]), float(of_key), LEAST_EXPECTED), by
