"""How much of its attention a piece gives to what stands before its other occurrences: induction from right to left,
which an encoder can do as well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.analysis.analysis import HeadMeasure
from models.analysis.heads.induction import beside_others
from models.values.record import Array, Token
from models.values.wording import to_say


def to_what_precedes(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that pieces give to the pieces before their other occurrences, summed [n_heads]."""
    given: Array = weights[:, beside_others(tokens, -1)].sum(axis=1)
    return given


def count_with_predecessor(tokens: Sequence[Token]) -> int:
    """How many pieces have another occurrence with a piece before it."""
    return int(beside_others(tokens, -1).any(axis=1).sum())


def count_with_earlier_predecessor(tokens: Sequence[Token]) -> int:
    """How many of them see that piece without looking ahead."""
    return int(np.tril(beside_others(tokens, -1)).any(axis=1).sum())


ANALYSIS = HeadMeasure(
    name="induction_backwards",
    title=to_say("what stands before the same token elsewhere"),
    paper=to_say('Olsson et al. 2022, "In-context Learning and Induction Heads", turned around'),
    order=90,
    needs="a corpus",
    compute=to_what_precedes,
    counted=count_with_predecessor,
    counted_causal=count_with_earlier_predecessor,
    counted_as=to_say("word pieces with another occurrence that a piece precedes"),
)
