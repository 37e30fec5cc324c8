"""All kinds of answer that a lesson may ask for. The list is closed: what is not on it, no lesson can ask."""

from __future__ import annotations

from lessons.answers import (
    attention,
    by_hand,
    choosing,
    costs,
    effects,
    explanations,
    measured,
    order,
    own,
    states,
    training,
    vectors,
    words,
)
from lessons.kinds import LessonQuestion
from lessons.values import Ask, Outcome
from models.model import Model
from models.values.arguments.check import check_arguments

KINDS: dict[str, LessonQuestion] = {
    kind.name: kind
    for room in (
        attention,
        measured,
        vectors,
        states,
        words,
        choosing,
        costs,
        effects,
        explanations,
        order,
        training,
        by_hand,
        own,
    )
    for kind in room.KINDS
}


@check_arguments
def answer_ask(model: Model, ask: Ask) -> Outcome:
    """Return the answer that a model's numbers give to a question. Raises HeadlightError where there is none."""
    return KINDS[ask.what].compute(model, ask)
