"""Changes in one pass through a model: of heads, states of the residual stream, tokens that are left out.

A layer is counted from 0 within its stack, a position within the tokens of the stack whose queries or states are meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from models.values.arguments.bounds import Called
from models.values.arguments.check import check_fields
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError
from models.values.record import Array, Kind
from models.values.wording import to_say

Stack = Literal["encoder", "decoder"]
"""One of the two halves of a transformer; the cross attention belongs to the decoder."""
HeadPlace = Annotated[
    tuple[Kind, int, int],
    Called(
        to_say("a head as (kind, layer, head), such as ('encoder', 0, 3), of the kind 'encoder', 'decoder' or 'cross'")
    ),
]
"""A head of a model: kind of attention, layer, head."""
TokenPlace = tuple[Stack, int]
"""A token of a stack, by its position."""


def stack_of(kind: Kind) -> Stack:
    """The half of a transformer that a kind of attention belongs to."""
    return "encoder" if kind == "encoder" else "decoder"


def keys_of(kind: Kind) -> Stack:
    """The half whose tokens a kind of attention looks at."""
    return "decoder" if kind == "decoder" else "encoder"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeadEdit:
    """A new output of a head, at all query positions or at some `positions`.

    Exactly one of three: `by` "zero" (nothing) or "uniform" (the mean of all values that a query may see); the head
    `output` [n_query or 1, d_head], before W_O; or the `weights` [n_query, n_key] with which it mixes its own values.
    Raises RecordError for none or several of them.
    """

    kind: Kind
    layer: int
    head: int
    by: Literal["zero", "uniform"] | None = None
    output: Array | None = None
    weights: Array | None = None
    positions: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        given = [name for name in ("by", "output", "weights") if getattr(self, name) is not None]
        if len(given) != 1:
            raise RecordError(f"{' and '.join(given) or 'nothing'} was given, expected one of by, output and weights.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StateEdit:
    """A new input of a layer at some `positions`: `states` [n_positions, d_model]."""

    stack: Stack
    layer: int
    positions: tuple[int, ...]
    states: Array

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        fix_arrays(self, states=(len(self.positions), "d_model"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Changes:
    """All that is changed in one pass; nothing, if nothing is given.

    `hidden` tokens are seen by no other token in any layer: they are left out, and the rest stays where it stands.
    `blank` tokens are read as the tokenizer's mask, or as its unknown token where it has no mask.
    """

    heads: tuple[HeadEdit, ...] = ()
    states: tuple[StateEdit, ...] = ()
    hidden: tuple[TokenPlace, ...] = ()
    blank: tuple[TokenPlace, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, RecordError)


NO_CHANGES = Changes()
