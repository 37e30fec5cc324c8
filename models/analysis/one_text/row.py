"""The word that one word looks at most in one head, held against what was to be expected there."""

from __future__ import annotations

import numpy as np

from models.analysis.one_text.standing_out import LEAST_EXPECTED, compare_words
from models.analysis.one_text.word_pairs import read_words
from models.values.record import AttentionRecord
from models.values.results.atlas import HeadAtlas
from models.values.results.finding import Against, Finding


def strongest_in_row(
    record: AttentionRecord, atlas: HeadAtlas | None, *, layer: int, head: int, query: int
) -> Finding | None:
    """Return the largest weight that the word of a token gives to another word, special tokens and punctuation aside.

    None if the row has no such key. `atlas` is that of the model for this kind of attention; without one the text is
    held against itself. Raises SelectionError for a layer or a head out of range.
    """
    queries, keys = (read_words(tokens, None) for tokens in (record.query_tokens, record.key_tokens))
    row = int(np.searchsorted(queries.starts, query, side="right")) - 1
    weights, expected, is_by_key = compare_words(record, atlas, layer, queries, keys)
    possible = keys.candidates & (weights[head, row] > 0)
    if record.kind != "cross":
        possible[row] = False
    if not possible.any():
        return None
    column = int(np.argmax(np.where(possible, weights[head, row], -1)))
    place = head, row, column
    weight, usual, by_word = float(weights[place]), float(expected[place]), bool(is_by_key[place])
    if record.query_tokens[query].is_special:  # what others give to this word is all that can be compared
        others = [other for other in np.flatnonzero(queries.candidates) if other != column]
        usual, by_word = max(float(weights[head, others, column].mean()), LEAST_EXPECTED), True
    against: Against = "key" if by_word else "distance" if atlas is None else "texts"
    return Finding(
        kind=record.kind,
        layer=layer,
        head=head,
        query=query,
        key=keys.starts[column],
        weight=weight,
        expected=usual,
        against=against,
        bits=weight * float(np.log2(weight / usual)),
        n_texts=0 if atlas is None else atlas.n_texts,
    )
