"""Questions about what an answer loses: without a head, without a word; and which words matter, by which method."""

from __future__ import annotations

import numpy as np

from lessons.answers.attention import record_text
from lessons.answers.words import fact_of_answer
from lessons.kinds import LessonQuestion
from lessons.parameters import TEXT, Parameter, a_head, a_word
from lessons.places import head_by_name, head_name
from lessons.values import Ask, Fact, Outcome, count, phrase, share
from models.analysis import ablate, contrast_of
from models.model import Model
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit, HeadPlace
from models.values.probing.contrast import AnswerLogits, Contrast
from models.values.record import Recording
from models.values.results.effects import Ablation
from models.values.wording import Message, to_say

FALLS, HARDLY, RISES = CHANGES = (to_say("falls"), to_say("hardly changes"), to_say("rises"))
A_CHANGE = 0.05
"""A probability that moves by less hardly changes."""
MOST = "most"
"""The head whose absence changes the answer most."""
WORD = Parameter(
    name="word", about=to_say("the answer that is watched; without it the model's own"), read=a_word, is_required=False
)
OFF = Parameter(
    name="head",
    about=to_say("the head that is switched off: 3.1, what it does, or “most”: the one that matters most"),
    read=a_head,
)


def contrast_asked_for(model: Model, ask: Ask) -> Contrast:
    """Return the answer that a question is about, held against the best other one."""
    return contrast_of(model, ask.text("text"), answer=ask.text("word") or None)


def head_off(model: Model, ask: Ask) -> Outcome:
    """Measure the change in the probability of an answer when a head is switched off."""
    contrast, recording = contrast_asked_for(model, ask), record_text(model, ask)
    kind, layer, head = _place(model, recording, ask, contrast)
    edit = HeadEdit(kind=kind, layer=layer, head=head, by="zero")
    without = answer_with_changes(model, ask, contrast, Changes(heads=(edit,)))
    whole = answer_with_changes(model, ask, contrast, NO_CHANGES)
    before, after = (float(answer.probabilities[contrast.answer]) for answer in (whole, without))
    best = without.best(1)[0]
    facts = (
        *facts_of_change(contrast, before, after),
        ("head", phrase(head_name(layer, head))),
        ("best", fact_of_answer(without.choices[best], without.of)),
        ("best_probability", share(float(without.probabilities[best]))),
        ("heads", count(sum(record.n_layers * record.n_heads for record in recording.attention))),
    )
    return Outcome(
        facts=facts,
        options=CHANGES,
        right=frozenset({CHANGES.index(describe_change(before, after))}),
        kind=kind,
        layer=layer,
        head=head,
        position=contrast.position,
    )


def each_head_off(model: Model, ask: Ask) -> Ablation:
    """Return the answer of a question without each head by itself."""
    return ablate(model, ask.text("text"), contrast=contrast_asked_for(model, ask))


def heads_that_matter(model: Model, ask: Ask) -> Outcome:
    """Count the heads that change the probability of an answer by more than a little, each switched off by itself."""
    ablation = each_head_off(model, ask)
    before, changes = np.exp(ablation.whole_log_probability), ablation.probability_changes  # [n_heads]
    matter = int((np.abs(changes) >= A_CHANGE).sum())
    kind, layer, head = ablation.groups[int(np.abs(changes).argmax())][0]
    facts = (
        ("number", count(matter)),
        ("heads", count(len(ablation.groups))),
        ("word", fact_of_answer(ablation.contrast.answer_text, ablation.contrast.of)),
        ("before", share(float(before))),
        ("lowest", share(float(before + changes.min()))),
        ("highest", share(float(before + changes.max()))),
        ("head", phrase(head_name(layer, head))),
        ("share", share(matter / len(ablation.groups))),
    )
    return Outcome(facts=facts, number=matter, low=0, high=len(ablation.groups), kind=kind, layer=layer, head=head)


def _place(model: Model, recording: Recording, ask: Ask, contrast: Contrast) -> HeadPlace:
    if ask.text("head") != MOST:
        place = head_by_name(recording, ask.text("head"))
        return place.record.kind, place.layer, place.head
    ablation = ablate(model, ask.text("text"), contrast=contrast)
    return ablation.groups[int(np.abs(ablation.effects).argmax())][0]


def answer_with_changes(model: Model, ask: Ask, contrast: Contrast, changes: Changes) -> AnswerLogits:
    return model.answer_logits(ask.text("text"), of=contrast.of, position=contrast.position, changes=changes)


def describe_change(before: float, after: float) -> Message:
    return HARDLY if abs(after - before) < A_CHANGE else RISES if after > before else FALLS


def facts_of_change(contrast: Contrast, before: float, after: float) -> tuple[tuple[str, Fact], ...]:
    return (
        ("word", fact_of_answer(contrast.answer_text, contrast.of)),
        ("rival", fact_of_answer(contrast.rival_text, contrast.of)),
        ("before", share(before)),
        ("after", share(after)),
        ("answer", phrase(describe_change(before, after))),
    )


MOVED = {
    "word": to_say("the answer that is watched"),
    "rival": to_say("the best other answer"),
    "before": to_say("its probability before"),
    "after": to_say("its probability after"),
    "answer": to_say("falls, hardly changes (by less than 5 percentage points) or rises"),
    "best": to_say("the likeliest word afterwards"),
    "best_probability": to_say("its probability"),
}
KINDS = (
    LessonQuestion(
        name="head-off",
        tap="choice",
        compute=head_off,
        about=to_say("What happens to an answer when a head is switched off?"),
        asks=to_say("What happens to the probability of “{word}” without {head}?"),
        parameters=(TEXT, OFF, WORD),
        facts={**MOVED, "head": to_say("the head that is off"), "heads": to_say("how many heads the model has")},
        says=to_say(
            "Without {head} the probability of “{word}” goes from {before} to {after}: it {answer}. The likeliest word "
            "is then “{best}”."
        ),
    ),
    LessonQuestion(
        name="heads-that-matter",
        tap="number",
        compute=heads_that_matter,
        about=to_say("How many heads change an answer by 5 percentage points or more, each switched off by itself?"),
        asks=to_say(
            "How many of the {heads} heads move “{word}” by 5 percentage points or more, each switched off by itself?"
        ),
        parameters=(TEXT, WORD),
        facts={
            "number": to_say("how many heads do"),
            "heads": to_say("how many heads the model has"),
            "word": to_say("the answer"),
            "before": to_say("its probability with all heads"),
            "lowest": to_say("the lowest without one head"),
            "highest": to_say("the highest without one head"),
            "head": to_say("the head that changes it most"),
            "share": to_say("the share of heads that do"),
        },
        says=to_say(
            "{number} of {heads} heads move “{word}” by 5 percentage points or more from its {before}; {head} moves it "
            "most."
        ),
    ),
)
