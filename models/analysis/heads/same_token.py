"""How much of its attention a head gives to the token that asks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.analysis import HeadMeasure, is_piece
from models.values.record import Array, Token
from models.values.wording import to_say


def to_itself(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that word pieces give to themselves, summed [n_heads]."""
    queries = np.flatnonzero(is_piece(tokens))
    given: Array = weights[:, queries, queries].sum(axis=1)
    return given


ANALYSIS = HeadMeasure(
    name="same",
    title=to_say("the token itself"),
    paper=to_say('Clark et al. 2019, "What Does BERT Look At?", section 3.1'),
    order=30,
    compute=to_itself,
)
