"""What a sentence says, before any language says it: words of the lexicon and how they belong together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from recipes.sentences.parallel.entries import Adjective, Noun, Time, Verb


class Tense(Enum):
    """When. PROGRESSIVE is a present that lasts: "is reading", "está leyendo", "읽고 있어요"."""

    PRESENT = "present"
    PROGRESSIVE = "progressive"
    PAST = "past"
    FUTURE = "future"


class Modal(Enum):
    """What is added to the verb, in the present."""

    CAN = "can"
    WANT = "want"
    MUST = "must"


class Question(Enum):
    """What is asked: whether, or for one part of the sentence, which is then left out."""

    WHETHER = "whether"
    WHO = "who"
    WHAT = "what"
    WHERE = "where"
    WHEN = "when"
    WHY = "why"


class Pronoun(Enum):
    """A subject without a noun. "you" is one person, and only asked."""

    ME = "I"
    YOU = "you"
    HE = "he"
    SHE = "she"
    WE = "we"
    THEY = "they"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A noun with what stands around it. `determiner` is one of DETERMINERS, "" for a noun on its own."""

    noun: Noun
    determiner: str = "the"
    is_plural: bool = False
    adjective: Adjective | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Both:
    """Two subjects of one verb."""

    first: Phrase
    second: Phrase


Subject = Phrase | Both | Pronoun


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Somebody does something. The part that a question asks for is None; so is `subject` if it asks who."""

    subject: Subject | None
    verb: Verb
    tense: Tense = Tense.PRESENT
    modal: Modal | None = None
    object: Phrase | None = None
    recipient: Phrase | None = None
    companion: Phrase | None = None
    tool: Noun | None = None
    place: Noun | None = None
    time: Time | None = None
    is_negative: bool = False
    question: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Somebody or something is as an adjective says."""

    subject: Subject
    adjective: Adjective
    tense: Tense = Tense.PRESENT
    is_negative: bool = False
    question: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Existence:
    """There is something in a place."""

    thing: Phrase
    place: Noun
    tense: Tense = Tense.PRESENT
    question: Question | None = None


Content = Clause | Description | Existence
NUMERALS = ("two", "three", "four", "five")
DETERMINERS = ("the", "a", "this", "that", "my", "our", "", *NUMERALS)


def is_plural(subject: Subject | None) -> bool:
    """Whether the verb is in the plural; who asks is singular."""
    if isinstance(subject, Phrase):
        return subject.is_plural
    return isinstance(subject, Both) or subject in {Pronoun.WE, Pronoun.THEY}
