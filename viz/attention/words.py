"""Merge the pieces of a matrix into words (Clark et al. 2019, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.values.record import Token, word_ranges, word_starts
from models.values.wording import to_say
from viz.attention.matrix import Matrix
from viz.kit.errors import PictureError
from viz.kit.language import tr
from viz.kit.tokens import merged_pieces, token_texts, unmarked_words_note

WORDS_OF_SCORES = to_say("Scores belong to word pieces. To see whole words, show the weights instead.")


def to_words(matrix: Matrix) -> Matrix:
    """Merge word pieces into words: sum over the key columns of a word, mean over its query rows.

    Rows of weights keep their sums. Raises PictureError for scores, which cannot be added up to the score of a word.
    """
    if matrix.quantity == "scores":
        raise PictureError(WORDS_OF_SCORES)
    query_groups, key_groups = word_starts(matrix.query_tokens), word_starts(matrix.key_tokens)
    query_sizes = np.diff([*query_groups, len(matrix.query_tokens)]).astype(np.float32)
    summed = np.add.reduceat(np.add.reduceat(matrix.values, key_groups, axis=1), query_groups, axis=0)
    masked = np.logical_and.reduceat(np.logical_and.reduceat(matrix.masked, key_groups, axis=1), query_groups, axis=0)
    merged = tr("Whole words: sum over the columns of a word, mean over its rows.")
    words = merged_words(matrix.query_tokens, query_groups), merged_words(matrix.key_tokens, key_groups)
    unmarked = unmarked_words_note(token_texts((*words[0], *words[1])))
    return replace(
        matrix,
        values=(summed / query_sizes[:, None]).astype(np.float32),
        masked=masked,
        query_tokens=words[0],
        key_tokens=words[1],
        query_positions=tuple(matrix.query_positions[start] for start in query_groups),
        key_positions=tuple(matrix.key_positions[start] for start in key_groups),
        note=" ".join(filter(None, (matrix.note, merged, unmarked))),
    )


def merged_words(tokens: Sequence[Token], starts: Sequence[int]) -> tuple[Token, ...]:
    """Return one token for each word, with the joined text of its pieces."""
    words = word_ranges(tokens, starts)
    return tuple(
        replace(tokens[word[0]], text=text, end=tokens[word[-1]].end)
        for word, text in zip(words, merged_pieces(tokens, words), strict=True)
    )
