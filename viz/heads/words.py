"""What is known of a head, in words made from its numbers."""

from __future__ import annotations

from typing import Any

from models.values.head_roles import HeadRole
from viz.kit import theme as style

OPENINGS = {"weight": "attends to ", "words": "", "pairs": ""}
"""A measure of attention has a place as its title, everything else says by itself from where to where."""
MEANINGS = {
    "weight": "{share} of its attention, on average over {n:,} {things}; {baseline_of}: {baseline}",
    "words": "right for {share} of {n:,} {things}; {baseline_of}: {baseline}",
    "pairs": "both times in {share} of {n:,} {things}; {baseline_of}: {baseline}",
}


def role_name(role: HeadRole) -> str:
    """What a head does, in a few words: "attends to the previous token"."""
    return f"{OPENINGS[role.unit]}{role.title}"


def role_numbers(role: HeadRole) -> str:
    """The numbers behind it: "0.96 of its attention, on average over 12,340 word pieces; ..."."""
    return MEANINGS[role.unit].format(
        share=f"{role.share:{style.SHARE_FORMAT}}", baseline=f"{role.baseline:{style.SHARE_FORMAT}}",
        baseline_of=role.baseline_of, n=role.n, things=role.counted_as,
    )  # fmt: skip


def role_choice(role: HeadRole) -> str:
    """One of a list to pick from: "attends to the previous token · Layer 1 · Head 5 · 96%"."""
    return f"{role_name(role)} · Layer {role.layer} · Head {role.head} · {role.share:{style.SHARE_FORMAT}}"


def role_in_words(role: HeadRole) -> dict[str, Any]:
    """What the viewer is told of it. JSON types only."""
    where = {"kind": role.kind, "layer": role.layer, "head": role.head}
    return {**where, "name": role_name(role), "numbers": role_numbers(role)}
