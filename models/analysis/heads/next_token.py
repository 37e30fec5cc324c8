"""How much of its attention a head gives to the token after: the neighbour in the text.

A neighbour that is a special token counts as special alone. A decoder may not look there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.analysis import HeadMeasure, is_piece
from models.values.record import Array, AttentionRecord, Token
from models.values.wording import to_say


def to_next(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that word pieces give to the word piece after them, summed [n_heads]."""
    piece = is_piece(tokens)  # [n_tokens]
    queries = np.flatnonzero(piece[:-1] & piece[1:])
    given: Array = weights[:, queries, queries + 1].sum(axis=1)
    return given


def may_look_ahead(record: AttentionRecord) -> bool:
    """Whether a token sees the one after it."""
    return record.kind != "decoder"


ANALYSIS = HeadMeasure(
    name="next",
    title=to_say("the next token"),
    paper=to_say('Clark et al. 2019, "What Does BERT Look At?", section 3.1'),
    order=20,
    compute=to_next,
    applies=may_look_ahead,
)
