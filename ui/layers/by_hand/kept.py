"""The matrices of the reader as one text, as they stand in the address, and the way back from each change.

A number is a digit, a negative one a letter from a to i; a head is its W_Q, W_K and W_V row by row, without the zeros
at its end; between heads stands a full stop.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from models.inspection.by_hand.goals import GOALS, N_LAYERS, Goal
from models.inspection.by_hand.heads import D_HEAD, HandHead, rows_of_layer
from ui.state.choices import Selection
from ui.state.selection import choose, selection

_DIGITS = "abcdefghi"
_PAST = "headlight_matrices_before"
MOST_STEPS = 100
"""The number of changes that can be undone."""


def write_head(head: HandHead) -> str:
    """Return the numbers of a head as text."""
    numbers = np.concatenate([matrix.ravel() for matrix in (head.query, head.key, head.value)])
    return "".join(_DIGITS[-number - 1] if number < 0 else str(number) for number in map(int, numbers)).rstrip("0")


def read_head(text: str, layer: int) -> HandHead:
    """Return the head of a layer that a text holds; what is missing is zero."""
    shape = (3, rows_of_layer(layer), D_HEAD)
    signed = [-_DIGITS.index(sign) - 1 if sign in _DIGITS else int(sign) for sign in text[: np.prod(shape)]]
    numbers = np.zeros(shape, np.float32)
    numbers.flat[: len(signed)] = signed
    return HandHead(query=numbers[0], key=numbers[1], value=numbers[2])


def heads_of(chosen: Selection) -> tuple[HandHead, ...]:
    """Return the reader's heads for the chosen goal, one a layer."""
    parts, first = _parts(chosen.matrices), _first(chosen.goal)
    return tuple(read_head(parts[first + layer], layer) for layer in range(N_LAYERS[chosen.goal]))


def keep_heads(heads: dict[int, HandHead]) -> None:
    """Put heads in the place of the reader's, by layer, in one step that can be undone."""
    chosen = selection()
    parts = _parts(chosen.matrices)
    for layer, head in heads.items():
        parts[_first(chosen.goal) + layer] = write_head(head)
    _remember(chosen.matrices)
    choose(matrices=_as_text(parts))


def can_undo() -> bool:
    """Return whether a change can be undone."""
    return bool(st.session_state.get(_PAST))


def undo() -> None:
    """Take the last change back."""
    past = st.session_state.get(_PAST)
    if past:
        choose(matrices=past.pop())


def _remember(matrices: str) -> None:
    past = st.session_state.setdefault(_PAST, [])
    past.append(matrices)
    del past[:-MOST_STEPS]


def _first(goal: Goal) -> int:
    """Return the number of the part that holds the first head of a goal."""
    return sum(N_LAYERS[other] for other in GOALS[: GOALS.index(goal)])


def _parts(matrices: str) -> list[str]:
    parts = matrices.split(".")
    return parts + [""] * (sum(N_LAYERS.values()) - len(parts))


def _as_text(parts: Sequence[str]) -> str:
    return ".".join(parts).rstrip(".")
