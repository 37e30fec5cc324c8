"""Between which snapshots of a run a head changes: begins to attend to something, or stops.

A head *ignores* a measure at a snapshot where its share is below a quarter, and *attends* to it from a half on. A
*change* leads from the one to the other: from the last snapshot at which the head still ignored it to the first at
which it attends to it, or the reverse. Between the two marks nothing is decided, so that a share that trembles around
one of them makes no change, and every change is of more than a quarter. What a head attends to from the first snapshot
on, it has not begun. The marks are ours (IGNORES, ATTENDS); where nothing passes both, nothing is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from models.analysis.analysis import Analysis
from models.values.arguments.check import check_arguments
from models.values.history import ATTENDS, IGNORES, HeadChange, History, Measure
from models.values.record import Array, Kind
from models.values.wording import to_say

NEIGHBOURS = ("previous", "next")
"""The measures whose changes are named first, in this order."""


class Stretch(NamedTuple):
    """From which snapshot to which a share crosses both marks, and in which direction."""

    start: int
    end: int
    is_towards: bool


@check_arguments
def find_changes(history: History, kind: Kind, *, unseen: bool = False) -> tuple[HeadChange, ...]:
    """All changes of all heads, in this sentence or on unseen text: those towards a neighbour first, then by size."""
    changes = [
        change
        for measure in history.measures(kind, unseen=unseen)
        for change in _changes(history, kind, measure, history.shares(kind, measure.name, unseen=unseen))
    ]
    return tuple(sorted(changes, key=_importance))


def stretches(shares: Array) -> Iterator[Stretch]:
    """Every change of one head, from its shares [n_snapshots]; NaN is no answer."""
    attends: bool | None = None
    ignored_at = attends_at = 0
    for snapshot, share in enumerate(shares.tolist()):
        if share < IGNORES:
            if attends:
                yield Stretch(attends_at, snapshot, is_towards=False)
            attends, ignored_at = False, snapshot
        elif share >= ATTENDS:
            if attends is False:
                yield Stretch(ignored_at, snapshot, is_towards=True)
            attends, attends_at = True, snapshot


def _changes(history: History, kind: Kind, measure: Measure, shares: Array) -> Iterator[HeadChange]:
    iterations = history.iterations
    _, n_layers, n_heads = shares.shape
    for layer in range(n_layers):
        for head in range(n_heads):
            of_head = shares[:, layer, head]
            for start, end, is_towards in stretches(of_head):
                yield HeadChange(
                    kind=kind,
                    layer=layer,
                    head=head,
                    measure=measure,
                    is_towards=is_towards,
                    start=start,
                    end=end,
                    start_iteration=iterations[start],
                    end_iteration=iterations[end],
                    start_share=float(of_head[start]),
                    end_share=float(of_head[end]),
                )


def _importance(change: HeadChange) -> tuple[bool, int, float]:
    """Towards a neighbour comes first, the one before above all: that is what a model needs to read order."""
    name = change.measure.name
    rank = NEIGHBOURS.index(name) if name in NEIGHBOURS else len(NEIGHBOURS)
    return (not change.is_towards, rank, -abs(change.end_share - change.start_share))


ANALYSIS = Analysis(
    name="changes",
    title="between which snapshots heads begin to attend to something, or stop",
    paper=to_say('Olsson et al. 2022, "In-context Learning and Induction Heads": heads that form during training'),
    needs="a history",
    returns="HeadChange, one for every change of a head between two snapshots",
    cost=to_say("time n_snapshots · n_layers · n_heads for every measure"),
    compute=find_changes,
)
