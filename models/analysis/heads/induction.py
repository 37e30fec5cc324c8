"""How much of its attention a piece gives to what follows its other occurrences: "prefix matching", in both directions.

A causal model looks at what followed the piece before; an encoder also at what will follow it later.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import HeadMeasure, is_piece
from models.analysis.heads.elsewhere import occurrences
from models.values.record import Array, Token
from models.values.wording import to_say


def beside_others(tokens: Sequence[Token], step: int) -> NDArray[np.bool_]:
    """Whether a token [.., n_key] stands `step` places after another occurrence of a token [n_query, ..]."""
    beside = np.zeros((len(tokens), len(tokens)), np.bool_)
    same, piece = occurrences(tokens), is_piece(tokens)
    if step > 0:
        beside[:, step:] = same[:, :-step]
    else:
        beside[:, :step] = same[:, -step:]
    beside &= piece  # a special token follows everything
    np.fill_diagonal(beside, val=False)
    return beside


def to_what_follows(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that pieces give to the pieces after their other occurrences, summed [n_heads]."""
    given: Array = weights[:, beside_others(tokens, 1)].sum(axis=1)
    return given


def count_with_successor(tokens: Sequence[Token]) -> int:
    """How many pieces have another occurrence that a piece follows."""
    return int(beside_others(tokens, 1).any(axis=1).sum())


def count_with_earlier_successor(tokens: Sequence[Token]) -> int:
    """How many of them see that piece without looking ahead."""
    return int(np.tril(beside_others(tokens, 1)).any(axis=1).sum())


ANALYSIS = HeadMeasure(
    name="induction",
    title=to_say("what follows the same token elsewhere"),
    paper=to_say(
        'Olsson et al. 2022, "In-context Learning and Induction Heads": prefix matching; here in both directions'
    ),
    order=80,
    needs="a corpus",
    compute=to_what_follows,
    counted=count_with_successor,
    counted_causal=count_with_earlier_successor,
    counted_as=to_say("word pieces with another occurrence that a piece follows"),
)
