"""Questions about what was measured of a head over many texts, beside a guess without knowledge."""

from __future__ import annotations

from lessons.answers.attention import record_text
from lessons.kinds import LessonQuestion
from lessons.parameters import HEAD, TEXT, TEXT_B
from lessons.places import head_by_name
from lessons.values import Ask, Outcome, count, phrase, share
from models.model import Model
from models.values.errors import SelectionError
from models.values.wording import to_say, worded


def measured_head(model: Model, ask: Ask) -> Outcome:
    """Look up how often a head was right over many texts. Raises SelectionError where no head has it."""
    recording = record_text(model, ask)
    place = head_by_name(recording, ask.text("head"))
    asked = (ask.text("head"), place.layer, place.head, place.record.kind)
    roles = [role for role in recording.info.head_roles if (role.name, role.layer, role.head, role.kind) == asked]
    if not roles:
        raise SelectionError(
            worded(
                "“{given}” was not measured over many texts of {model}. Choose a head by what its card says that it "
                "does.",
                given=ask.text("head"),
                model=recording.info.name,
            )
        )
    (role,) = roles
    facts = (
        ("head", phrase(place.name)),
        ("does", phrase(role.title)),
        ("share", share(role.share)),
        ("baseline", share(role.baseline)),
        ("baseline_of", phrase(role.baseline_of)),
        ("gain", share(role.gain)),
        ("n", count(role.n)),
    )
    return Outcome(facts=facts, number=role.share, kind=place.record.kind, layer=place.layer, head=place.head)


KINDS = (
    LessonQuestion(
        name="measured-head",
        tap="number",
        compute=measured_head,
        about=to_say("How often does a head do over many texts what it is known for?"),
        parameters=(TEXT, TEXT_B, HEAD),
        facts={
            "head": to_say("the head"),
            "does": to_say("what it does"),
            "share": to_say("how much of its attention, or of the words, it gets right"),
            "baseline": to_say("the same of a guess without knowledge"),
            "baseline_of": to_say("that guess"),
            "gain": to_say("how far it is above the guess"),
            "n": to_say("how many words or pieces were counted"),
        },
        says=to_say("{head}, known for {does}: {share} over {n} words or pieces; {baseline_of} has {baseline}."),
        is_of_text=False,
    ),
)
