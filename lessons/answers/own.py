"""Steps that ask no model: a question with answers of the author's own, and a step without a question."""

from __future__ import annotations

from dataclasses import replace

from lessons.answers.attention import look, record_text
from lessons.kinds import LessonQuestion
from lessons.parameters import HEAD, QUERY, TEXT, TEXT_B, Parameter, a_text
from lessons.values import Ask, Outcome, count, word
from models.model import Model
from models.values.errors import SelectionError
from models.values.wording import to_say, worded

MOST_ANSWERS = 8


def written(_model: Model, ask: Ask) -> Outcome:
    """Return the answers that the author has written, and which of them are right. Raises SelectionError."""
    options, right = ask.words("options"), ask.words("right")
    foreign = [answer for answer in right if answer not in options]
    if foreign:
        raise SelectionError(
            worded(
                "“{answer}” is none of the answers to choose from: {answers}.",
                answer=foreign[0],
                answers=", ".join(options),
            )
        )
    facts = (("answer", word(", ".join(right))), ("right", count(len(set(right)))), ("answers", count(len(options))))
    return Outcome(facts=facts, options=options, right=frozenset(options.index(answer) for answer in right))


def nothing(model: Model, ask: Ask) -> Outcome:
    """Return no answer, but the head and the token whose picture a step shows, if it names any."""
    if not (ask.text("text") and ask.text("query") and ask.text("head")):
        return Outcome(facts=())
    place, position, _, _ = look(record_text(model, ask), ask)
    return Outcome(facts=(), kind=place.record.kind, layer=place.layer, head=place.head, position=position)


KINDS = (
    LessonQuestion(
        name="written",
        tap="choice",
        compute=written,
        is_of_text=False,
        about=to_say("A question whose answers you write, with one right answer or several"),
        parameters=(
            Parameter(name="options", about=to_say("what the reader may choose from"), read=a_text, is_list=True),
            Parameter(name="right", about=to_say("those of them that are right"), read=a_text, is_list=True),
        ),
        facts={
            "answer": to_say("the right answers"),
            "right": to_say("how many are right"),
            "answers": to_say("how many there are to choose from"),
        },
        says=to_say("Right: {answer}."),
    ),
    LessonQuestion(
        name="nothing",
        tap="nothing",
        compute=nothing,
        is_of_text=False,
        about=to_say("No question: words, and a picture of the model if you like"),
        parameters=tuple(replace(parameter, is_required=False) for parameter in (TEXT, TEXT_B, QUERY, HEAD)),
        facts={},
        says="",
    ),
)
