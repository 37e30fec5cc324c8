"""Which tokens the label of a text is made of, as far as attention shows it: the rows that the classifier reads.

A classifier that reads [CLS] (Devlin et al. 2018, section 4.1) hears of a word in the last layer only what [CLS] takes
from it. One that takes the mean over the words reads all their rows alike, and every word besides by itself, through
the residual connection. Deeper layers mix words before: there, the rows of the last layer are the last stretch alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.analysis import Analysis, is_piece
from models.values.errors import RecordError
from models.values.record import Array, AttentionRecord
from models.values.results.answer_rows import AnswerRows, Look
from models.values.wording import to_say


def answer_rows(record: AttentionRecord, read_from: Sequence[int]) -> AnswerRows:
    """Return the weights of the rows at `read_from` in the last layer, the mean over its heads and over the rows.

    Raises RecordError if there are none: a text without a word has no mean.
    """
    if not read_from:
        raise RecordError(to_say("There is no word in this text to read a label from. Type a sentence."))
    weights = record.mean_weights(record.n_layers - 1)  # [n_query, n_key]
    shares: Array = weights[list(read_from)].mean(axis=0)  # [n_key]
    return AnswerRows(
        tokens=record.key_tokens,
        read_from=tuple(read_from),
        shares=shares,
        n_layers=record.n_layers,
        strongest=_strongest(record, weights, read_from),
    )


def _strongest(record: AttentionRecord, weights: Array, read_from: Sequence[int]) -> Look | None:
    """The largest weight that a row which is read gives to a word other than its own."""
    others = np.where(is_piece(record.key_tokens), weights, -1.0)  # [n_query, n_key]
    np.fill_diagonal(others, -1.0)
    rows = others[list(read_from)]
    row, key = np.unravel_index(int(rows.argmax()), rows.shape)
    if rows[row, key] < 0:
        return None
    return Look(query=read_from[int(row)], key=int(key), weight=float(rows[row, key]))


ANALYSIS = Analysis(
    name="answer-rows",
    title="the words that the label of a text is made of",
    paper=to_say('Devlin et al. 2018, "BERT", section 4.1; Reimers & Gurevych 2019, "Sentence-BERT", section 3'),
    needs="texts",
    returns="AnswerRows, shares [n_tokens]",
    cost=to_say("the weights of the last layer once: time n_heads · n_tokens²"),
    compute=answer_rows,
)
