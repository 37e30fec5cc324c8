"""Answers to the questions of lessons, computed in the background once for all readers."""

from __future__ import annotations

from lessons import Ask, LessonStep, Outcome, answer_ask
from models.analysis import attribute_by, contrast_of
from models.opening.registry import Model
from models.values.probing.changes import Changes, HeadEdit, HeadPlace
from models.values.probing.contrast import AnswerLogits
from models.values.results.attribution import Attribution
from models.values.wording import to_say
from ui.desk.ask import taking_turns
from ui.desk.long_answers import long_question
from ui.desk.long_work import WorkProgress


@long_question(to_say("Asking the model"))
def lesson_answer(model: Model, progress: WorkProgress, ask: Ask) -> Outcome:
    """Answer the question of a lesson. Raises HeadlightError if there is no answer."""
    progress.tell(0, 0)
    return answer_ask(taking_turns(model), ask)


@long_question(to_say("Asking the methods"))
def attribute_by_methods(
    model: Model, progress: WorkProgress, text: str, word: str, methods: tuple[str, ...]
) -> tuple[Attribution, ...]:
    """Attribute an answer to the words of a text by some methods. `word` is the answer; empty for the model's best."""
    progress.tell(0, 0)
    free = taking_turns(model)
    return attribute_by(free, text, methods, contrast=contrast_of(free, text, answer=word or None))


def answer_with(model: Model, text: str, off: tuple[HeadPlace, ...]) -> AnswerLogits:
    """Return the answer of a model with some heads switched off."""
    edits = tuple(HeadEdit(kind=kind, layer=layer, head=head, by="zero") for kind, layer, head in off)
    return model.answer_logits(text, changes=Changes(heads=edits))


def outcomes_of(step: LessonStep, model: str, device: str) -> dict[str, Outcome] | None:
    """Answer all questions of a step, by name; None if the reader has stopped one."""
    outcomes = {}
    for name, ask in step.asks.items():
        outcome = lesson_answer(ask.model or model, device, ask)
        if outcome is None:
            return None
        outcomes[name] = outcome
    return outcomes
