"""A content in English: fixed word order, "do" in questions and negations, "a" or "an"."""

from __future__ import annotations

from recipes.sentences.parallel.content import (
    Both,
    Clause,
    Content,
    Description,
    Existence,
    Modal,
    Phrase,
    Pronoun,
    Question,
    Subject,
    Tense,
    is_plural,
)
from recipes.sentences.parallel.entries import Noun, Verb

IRREGULAR_PLURALS = {
    "man": "men",
    "woman": "women",
    "mouse": "mice",
    "wolf": "wolves",
    "scarf": "scarves",
    "knife": "knives",
}
MANY = {"this": "these", "that": "those"}
THIRDS = {"have": "has", "go": "goes"}
DOUBLED = {"cut": "cutting", "run": "running", "travel": "traveling"}


def english(content: Content) -> str:
    """The sentence in English."""
    if isinstance(content, Clause):
        words = _clause(content)
    elif isinstance(content, Description):
        words = _description(content)
    else:
        words = _existence(content)
    text = " ".join(word for word in words if word)
    return text[0].upper() + text[1:] + ("?" if content.question else ".")


def plural(word: str) -> str:
    """boxes, strawberries, men."""
    if word in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[word]
    if word.endswith(("s", "x", "ch", "sh")) or word in {"potato", "tomato"}:
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def phrase(said: Phrase) -> str:
    """The red books, an old house, this cat."""
    noun = plural(said.noun.english) if said.is_plural else said.noun.english
    words = ([said.adjective.english] if said.adjective else []) + [noun]
    determiner = MANY.get(said.determiner, said.determiner) if said.is_plural else said.determiner
    if determiner == "a" and words[0][0] in "aeiou" and words[0] != "useful":
        determiner = "an"
    return " ".join([determiner, *words] if determiner else words)


def subject(said: Subject) -> str:
    if isinstance(said, Pronoun):
        return said.value
    if isinstance(said, Both):
        return f"{phrase(said.first)} and {phrase(said.second)}"
    return phrase(said)


def third(verb: str) -> str:
    """He reads, he looks for, he washes, he studies."""
    first, *rest = verb.split()
    return " ".join([THIRDS.get(first) or plural(first), *rest])


def lasting(verb: str) -> str:
    """reading, making, running."""
    first, *rest = verb.split()
    if first in DOUBLED:
        first = DOUBLED[first]
    elif first.endswith("e") and not first.endswith("ee"):
        first = first[:-1] + "ing"
    else:
        first += "ing"
    return " ".join([first, *rest])


def be(said: Subject | None, tense: Tense) -> str:
    """am, is, are, was, were, will."""
    if tense is Tense.FUTURE:
        return "will"
    is_past = tense is Tense.PAST
    if said is Pronoun.ME:
        return "was" if is_past else "am"
    if is_plural(said) or said is Pronoun.YOU:
        return "were" if is_past else "are"
    return "was" if is_past else "is"


def _verb(verb: Verb, said: Subject | None, clause: Clause) -> tuple[str, str]:
    """The auxiliary, "" for none, and the rest of the verb."""
    is_single = not (is_plural(said) or said in {Pronoun.ME, Pronoun.YOU})
    helps = clause.is_negative or clause.question not in {None, Question.WHO}
    base = verb.english
    if clause.modal is Modal.CAN or clause.tense is Tense.FUTURE:
        return "can" if clause.modal else "will", base
    if clause.modal is not None:
        base, past = ("want to " if clause.modal is Modal.WANT else "have to ") + base, ""
    elif base == "be":
        return be(said, clause.tense), ""
    else:
        past = verb.past
    if clause.tense is Tense.PROGRESSIVE:
        return be(said, clause.tense), lasting(base)
    if clause.tense is Tense.PAST:
        helper, form = "did", past
    else:
        helper, form = ("does", third(base)) if is_single else ("do", base)
    return (helper, base) if helps else ("", form)


def in_place(place: Noun, verb: Verb | None = None) -> str:
    return f"{'to' if verb and verb.place == 'to' else 'in'} the {place.english}"


def _clause(clause: Clause) -> list[str]:
    auxiliary, verb = _verb(clause.verb, clause.subject, clause)
    who = subject(clause.subject) if clause.subject else ""
    negation = "not" if clause.is_negative else ""
    if auxiliary == "can" and negation:
        auxiliary, negation = "cannot", ""
    tail = [
        phrase(clause.object) if clause.object else "",
        f"to {phrase(clause.recipient)}" if clause.recipient else "",
        f"with {phrase(clause.companion)}" if clause.companion else "",
        _with(clause.tool) if clause.tool else "",
        in_place(clause.place, clause.verb) if clause.place else "",
        clause.time.english if clause.time else "",
    ]
    if clause.question is None:
        return [who, auxiliary, negation, verb, *tail]
    if clause.question is Question.WHO:
        return ["who", auxiliary, verb, *tail]
    asked = "" if clause.question is Question.WHETHER else clause.question.value
    return [asked, auxiliary, who, negation, verb, *tail]


def _with(tool: Noun) -> str:
    return f"by {tool.english}" if tool.kind in {"vehicle", "carrier"} else f"with a {tool.english}"


def _description(content: Description) -> list[str]:
    verb = be(content.subject, content.tense)
    negation = "not" if content.is_negative else ""
    rest = [negation, "be" if content.tense is Tense.FUTURE else "", content.adjective.english]
    who = subject(content.subject)
    return [verb, who, *rest] if content.question else [who, verb, *rest]


def _existence(content: Existence) -> list[str]:
    verb = be(content.thing, content.tense)
    rest = ["be" if content.tense is Tense.FUTURE else "", phrase(content.thing), in_place(content.place)]
    return [verb, "there", *rest] if content.question else ["there", verb, *rest]
