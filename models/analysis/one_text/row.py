"""The word that one token looks at most in one head, held against what was to be expected there."""

from __future__ import annotations

import numpy as np

from models.analysis.heads.punctuation import is_punctuation
from models.analysis.one_text.usual import by_distance_in_text, by_distance_over_texts, by_key, pieces_seen
from models.values.record import AttentionRecord
from models.values.results.atlas import HeadAtlas
from models.values.results.finding import Against, Finding

LEAST_EXPECTED = np.float32(0.01)


def strongest_in_row(
    record: AttentionRecord, atlas: HeadAtlas | None, *, layer: int, head: int, query: int
) -> Finding | None:
    """Return the largest weight of a row to another word that is no special token and no punctuation mark.

    None if the row has no such key. `atlas` is that of the model for this kind of attention; without one the text is
    held against itself. Raises SelectionError for a layer, head or query out of range.
    """
    weights = record.layer_weights(layer)
    seen = pieces_seen(record, layer)
    keys = record.key_tokens
    word = record.query_tokens[query].word
    is_other = [
        not token.is_special and (record.kind == "cross" or (place != query and (word is None or token.word != word)))
        for place, token in enumerate(keys)
    ]
    possible = np.array(is_other) & ~is_punctuation(keys) & (weights[head, query] > 0)
    if not possible.any():
        return None
    distance = (
        by_distance_in_text(weights, seen) if atlas is None else by_distance_over_texts(atlas.offsets[layer], seen)
    )
    of_key = by_key(weights, seen)
    key = int(np.argmax(np.where(possible, weights[head, query], -1)))
    place = head, query, key
    if not seen[query, key]:  # a special token looks: only what others give to this key can be compared
        of_key[place] = weights[head, seen[:, key], key].mean()
    expected = max(distance[place], of_key[place], LEAST_EXPECTED)
    against: Against = "key" if of_key[place] > distance[place] else "distance" if atlas is None else "texts"
    weight = float(weights[place])
    return Finding(
        kind=record.kind,
        layer=layer,
        head=head,
        query=query,
        key=key,
        weight=weight,
        expected=float(expected),
        against=against,
        bits=weight * float(np.log2(weight / expected)) if weight > 0 else 0.0,
        n_texts=0 if atlas is None else atlas.n_texts,
    )
