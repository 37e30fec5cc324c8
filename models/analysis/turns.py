"""The moments at which a head turns to a habit, or away from it, over the snapshots of a run.

A head *ignores* a habit at a snapshot where it gives it less than a quarter of its attention, and *has* it where it
gives it half or more. A *turn* leads from the one to the other: from the last snapshot at which the head still ignored
the habit to the first at which it has it, or, away from it, the reverse. Between the two marks nothing is decided, so
that a share that trembles around one of them makes no turn, and every turn is a change of more than a quarter. What a
head has from the first snapshot on, it has not turned to. The marks are ours; where nothing passes both, nothing is
named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from models.values.history import Habit, History, Turn
from models.values.record import Array, Kind

IGNORED, HAS = 0.25, 0.5
"""Shares of attention: below the first a head ignores a habit, from the second on it has it."""

NEIGHBOURS: tuple[Habit, ...] = ("previous", "next")


class _Change(NamedTuple):
    start: int
    end: int
    is_towards: bool


def find_turns(history: History, kind: Kind, *, unseen: bool = False) -> tuple[Turn, ...]:
    """All turns of all heads, in this sentence or on unseen text: first those towards a neighbour, then by size."""
    found = [
        turn
        for habit in history.habits(kind, unseen=unseen)
        for turn in _turns(history, kind, habit, history.shares(kind, habit, unseen=unseen))
    ]
    return tuple(sorted(found, key=_importance))


def changes(shares: Array) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is_towards) of every turn of one head, from its shares [n_snapshots]; NaN is no answer."""
    has: bool | None = None
    ignored_at = has_at = 0
    for at, share in enumerate(shares.tolist()):
        if share < IGNORED:
            if has:
                yield _Change(has_at, at, is_towards=False)
            has, ignored_at = False, at
        elif share >= HAS:
            if has is False:
                yield _Change(ignored_at, at, is_towards=True)
            has, has_at = True, at


def _turns(history: History, kind: Kind, habit: Habit, shares: Array) -> Iterator[Turn]:
    steps = history.steps
    _, n_layers, n_heads = shares.shape
    for layer in range(n_layers):
        for head in range(n_heads):
            of_head = shares[:, layer, head]
            for start, end, is_towards in changes(of_head):
                yield Turn(
                    kind=kind, layer=layer, head=head, habit=habit, is_towards=is_towards, start=start, end=end,
                    start_step=steps[start], end_step=steps[end], start_share=float(of_head[start]),
                    end_share=float(of_head[end]),
                )  # fmt: skip


def _importance(turn: Turn) -> tuple[bool, int, float]:
    """Turns to a neighbour come first, the one before above all: they are what a model needs to read order."""
    rank = NEIGHBOURS.index(turn.habit) if turn.habit in NEIGHBOURS else len(NEIGHBOURS)
    return (not turn.is_towards, rank, -abs(turn.end_share - turn.start_share))
