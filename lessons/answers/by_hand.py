"""Questions about heads whose numbers were written by hand; they are asked without a model."""

from __future__ import annotations

from functools import cache
from typing import get_args

import numpy as np

from lessons.kinds import LessonQuestion
from lessons.parameters import OneOf, Parameter, WholeNumber
from lessons.values import Ask, Outcome, count, share
from models.inspection.by_hand.goals import (
    HIDDEN,
    N_LAYERS,
    Goal,
    check_heads,
    letters_head,
    previous_head,
    solve,
    targets_of,
)
from models.inspection.by_hand.heads import LARGEST, HandHead, letters_of, run_heads, zero_head
from models.inspection.by_hand.least_squares import fit_heads
from models.model import Model
from models.values.wording import to_say

GOALS: dict[str, Goal] = {goal: goal for goal in get_args(Goal)}
MADE = {
    "solution": to_say("the solution"),
    "zeros": to_say("all zeros"),
    "letters": to_say("a column for each letter"),
    "least-squares": to_say("least squares"),
    "one-layer": to_say("least squares, one layer"),
}

WAYS = ("zeros", "least-squares", "solution")
"""The ways that every answer is compared with."""
THESE = to_say("these numbers")


def made_by_hand(_model: Model, ask: Ask) -> Outcome:
    """Return on how many hidden words heads made in a certain way are right."""
    goal, made = GOALS[ask.text("goal")], ask.text("made") or "solution"
    heads = (previous_head(int(ask.text("strength"))),) if ask.text("strength") else _heads(goal, made)
    verdict = check_heads(goal, heads)
    facts = (
        ("right", count(verdict.n_right)),
        ("all", count(verdict.n_words)),
        ("share", share(_mean_share(goal, heads))),
        ("layers", count(len(heads))),
    )
    compared = {MADE[way]: _n_right(goal, way) for way in WAYS}
    compared[THESE if ask.text("strength") else MADE[made]] = verdict.n_right
    bars = tuple((name, count(n_right)) for name, n_right in compared.items())
    return Outcome(facts=facts, number=verdict.n_right, low=0, high=verdict.n_words, bars=bars)


@cache
def _n_right(goal: Goal, made: str) -> int:
    return check_heads(goal, _heads(goal, made)).n_right


@cache
def _heads(goal: Goal, made: str) -> tuple[HandHead, ...]:
    """Return heads made in a way that is named in MADE."""
    if made == "zeros":
        return tuple(zero_head(layer) for layer in range(N_LAYERS[goal]))
    if made == "letters":
        return (letters_head(LARGEST),)
    if made == "one-layer":
        return fit_heads(goal, n_layers=1)
    return fit_heads(goal) if made == "least-squares" else solve(goal)


def _mean_share(goal: Goal, heads: tuple[HandHead, ...]) -> float:
    """Return the mean weight that the letters of the hidden words give to where the goal wants them to look."""
    shares = []
    for letters in map(letters_of, HIDDEN[goal]):
        weights = run_heads(heads, letters).weights[-1]  # [n, n]
        shares += [weights[query, list(keys)].sum() for query, keys in targets_of(goal, letters).items()]
    return float(np.mean(shares))


KINDS = (
    LessonQuestion(
        name="made-by-hand",
        tap="number",
        compute=made_by_hand,
        is_of_text=False,
        about=to_say("On how many of ten hidden words is a head right whose numbers were written by hand?"),
        parameters=(
            Parameter(
                name="goal",
                about=to_say("what the head is to do: previous, same or copy, as on the page “By hand”"),
                read=OneOf(
                    {
                        "previous": to_say("look at the token before"),
                        "same": to_say("look at the same letter again"),
                        "copy": to_say("copy what came after"),
                    }
                ),
            ),
            Parameter(
                name="made",
                about=to_say("how its numbers were made, the solution by default"),
                read=OneOf(MADE),
                is_required=False,
            ),
            Parameter(
                name="strength",
                about=to_say("the largest number in the solution for previous"),
                read=WholeNumber(1, LARGEST),
                is_required=False,
            ),
        ),
        facts={
            "right": to_say("the number of hidden words on which it is right"),
            "all": to_say("how many hidden words there are"),
            "share": to_say("the mean weight at the tokens where it should look"),
            "layers": to_say("how many layers it has"),
        },
        says=to_say(
            "{right} of {all} hidden words are right. The tokens where the head should look get {share} on average."
        ),
    ),
)
