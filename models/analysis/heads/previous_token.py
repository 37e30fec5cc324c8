"""How much of its attention a head gives to the token before: the neighbour in the text.

A neighbour that is a special token counts as special alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.analysis import HeadMeasure, is_piece
from models.values.record import Array, Token
from models.values.wording import to_say


def to_previous(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that word pieces give to the word piece before them, summed [n_heads]."""
    piece = is_piece(tokens)  # [n_tokens]
    queries = 1 + np.flatnonzero(piece[1:] & piece[:-1])
    given: Array = weights[:, queries, queries - 1].sum(axis=1)
    return given


ANALYSIS = HeadMeasure(
    name="previous",
    title=to_say("the previous token"),
    paper=to_say('Clark et al. 2019, "What Does BERT Look At?", section 3.1'),
    order=10,
    compute=to_previous,
)
