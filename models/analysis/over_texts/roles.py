"""Roles of heads: a share over many texts that passes a threshold and a baseline.

A measure of heads is held against attention that is spread evenly over all tokens, a relation of grammar against the
best fixed offset (Clark et al. 2019, section 4.2).
"""

from __future__ import annotations

from collections.abc import Container, Iterator

import numpy as np

from models.analysis.grammar.dependencies import RelationCounts
from models.analysis.grammar.relations import relation_title
from models.analysis.heads.measuring import HeadSums
from models.values.head_roles import HeadRole
from models.values.record import Array
from models.values.results.grammar import DIRECTIONS, FEWEST_WORDS, Direction
from models.values.wording import Message, to_say, worded

LEAST_SHARE = 0.4
LEAST_GAIN = 0.1
"""A head has a role if its share is LEAST_SHARE or more, and LEAST_GAIN above the baseline or more."""


def is_role(share: float, baseline: float) -> bool:
    """Whether a share is large enough to be said."""
    return share >= LEAST_SHARE and share >= baseline + LEAST_GAIN


def measured_roles(measured: HeadSums, spread_evenly: HeadSums) -> Iterator[HeadRole]:
    """The roles of the measures of heads, from their sums over some texts, and from those of attention that is spread
    evenly over the same texts."""
    return (role for role in _candidate_roles(measured, spread_evenly) if is_role(role.share, role.baseline))


def nearest_roles(measured: HeadSums, spread_evenly: HeadSums, named: Container[tuple[int, int]]) -> Iterator[HeadRole]:
    """For each head that is not among the `named` (layer, head), the measure by which it lies farthest above attention
    that is spread evenly. It names nothing: the share passes no threshold."""
    nearest: dict[tuple[int, int], HeadRole] = {}
    for role in _candidate_roles(measured, spread_evenly):
        place = role.layer, role.head
        if place not in named and (place not in nearest or role.gain > nearest[place].gain):
            nearest[place] = role
    return (role for _, role in sorted(nearest.items()))


def _candidate_roles(measured: HeadSums, spread_evenly: HeadSums) -> Iterator[HeadRole]:
    """Every measure of every head, whatever its share."""
    for row, measure in enumerate(measured.measures):
        count = int(measured.counts[row])
        shares = measured.totals[row] / max(count, 1)  # [n_layers, n_heads]
        baseline = float(spread_evenly.totals[row].mean() / max(count, 1))
        for (layer, head), share in np.ndenumerate(shares):
            yield HeadRole(
                layer=layer,
                head=head,
                name=measure.name,
                title=measure.title,
                unit="weight",
                share=float(share),
                baseline=baseline,
                baseline_of=to_say("attention spread evenly"),
                n=count,
                counted_as=measure.counted_as,
            )


def relation_roles(dev: dict[str, RelationCounts], test: dict[str, RelationCounts]) -> Iterator[HeadRole]:
    """The roles in grammar: every head that passes on `dev`, with what it gets right on `test`, if it passes there."""
    for relation, judged in sorted(test.items()):
        given = dev.get(relation)
        if given is None or min(given.n, judged.n) < FEWEST_WORDS:
            continue
        offset = usual_offset(given)
        baseline, baseline_dev = (counts.offsets.get(offset, 0) / counts.n for counts in (judged, given))
        for way, direction in enumerate(DIRECTIONS):
            right = judged.right[way] / judged.n  # [n_layers, n_heads]
            passes = is_role_of(right, baseline) & is_role_of(given.right[way] / given.n, baseline_dev)
            for layer, head in np.argwhere(passes).tolist():
                yield HeadRole(
                    layer=layer,
                    head=head,
                    name=_name(relation, direction),
                    title=relation_title(relation, direction),
                    unit="words",
                    share=float(right[layer, head]),
                    baseline=baseline,
                    baseline_of=_always(offset, direction),
                    n=judged.n,
                    counted_as=to_say("words"),
                )


def usual_offset(counts: RelationCounts) -> int:
    """Return the distance from a dependent at which its governor stands most often."""
    return max(counts.offsets, key=lambda distance: counts.offsets[distance])


def is_role_of(shares: Array, baseline: float) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """`is_role` for the shares of all heads [n_layers, n_heads]."""
    return (shares >= LEAST_SHARE) & (shares >= baseline + LEAST_GAIN)


def _name(relation: str, direction: Direction) -> str:
    return f"{relation} {direction}"


def _always(offset: int, direction: Direction) -> Message:
    """Return the share of a baseline that knows only where the other word usually stands."""
    from_here = offset if direction == DIRECTIONS[0] else -offset
    n = abs(from_here)
    if from_here > 0:
        return worded("always the word {n} after", n=n) if n > 1 else to_say("always the word after")
    return worded("always the word {n} before", n=n) if n > 1 else to_say("always the word before")
