"""A clause in both languages: who, what is done or how somebody is, with what stands around it, before its ending."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from recipes.sentences.korean import words as known
from recipes.sentences.korean.adjectives import BEFORE_NOUNS, DEGREES
from recipes.sentences.korean.endings import (
    Level,
    Predicate,
    When,
    before_noun,
    ending,
    lasting,
    negative,
    object_of,
)
from recipes.sentences.korean.english import EnglishSubject, Forms, being
from recipes.sentences.korean.words import Deed, NounWord
from recipes.sentences.parallel.korean import nominative, topic

Drawn = TypeVar("Drawn")
MadeSentence = tuple[str, str, str]
"""An English sentence without its capital, the Korean one, and the mark at the end of both."""
SPEAKERS = (known.ME, known.ME, known.ME, known.ME, known.YOU, known.WE)
PEOPLE = (
    known.TOM,
    known.TOM,
    known.TOM,
    known.TOM,
    known.TOM,
    known.HE,
    known.HE,
    known.SHE,
    known.MARY,
    known.THEY,
    known.BOTH,
)
LEVELS: dict[str, float] = {"I": 0.7, "you": 0.75, "we": 0.65, "they": 0.65, "he": 0.15, "she": 0.15, "Tom": 0.65}
"""How often a statement about each is in 해체; the others are in 해라체. About all others half are."""
REFERRED = {"Tom": "he", "Mary": "she", "Tom and Mary": "they"}
"""Who is named is a pronoun when he comes again."""
CASES = {"나": "내가", "너": "네가"}
OWN = {"나": "내", "너": "네", "우리": "우리"}
DETERMINERS = {
    "a": "",
    "the": "",
    "my": "내",
    "your": "네",
    "his": "그의",
    "her": "그녀의",
    "our": "우리",
    "this": "이",
    "that": "그",
    "Tom's": "톰의",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KoreanClause:
    """`english` are the forms of the verb with all that follows it, `korean` the predicate with all that stands before
    it, but the subject; `early` stands even before those words, and behind all in English: a time."""

    who: EnglishSubject
    english: Forms
    korean: Predicate
    is_lasting: bool = False
    early: tuple[str, str] = ("", "")

    def with_time(self, time: tuple[str, str]) -> KoreanClause:
        """The same at a time."""
        return replace(self, early=time)

    @property
    def behind(self) -> str:
        """The time in English, with the space before it."""
        return f" {self.early[0]}" if self.early[0] else ""

    def said(self, predicate: str, *, marked: str = "topic") -> str:
        """The Korean clause with this form of its predicate; the subject is the topic, or has 이/가, or is left out."""
        who = {"topic": topic(self.who.korean), "subject": as_subject(self.who.korean), "none": ""}[marked]
        return " ".join(part for part in (who, self.early[1], predicate) if part)


def as_subject(noun: str) -> str:
    """A noun with 이/가: 내가, 네가, 톰이."""
    return CASES.get(noun) or nominative(noun)


def with_particle(noun: str, particle: str) -> str:
    """A noun with a particle; "나" and "너" change before 가."""
    return as_subject(noun) if particle == "이" else object_of(noun, particle)


class ClauseDrawer:
    """Draws clauses that make sense from a random stream."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random

    def one(self, items: Sequence[Drawn]) -> Drawn:
        """One of some."""
        return items[int(self.random.integers(len(items)))]

    def chance(self, probability: float) -> bool:
        """True so often."""
        return bool(self.random.random() < probability)

    def who(self) -> EnglishSubject:
        """Who is spoken of: oneself, Tom and Mary, relatives, others."""
        number = self.random.random()
        if number < 0.42:
            return self.one(SPEAKERS)
        if number < 0.82:
            return self.one(PEOPLE)
        return self.one(known.RELATIVES if number < 0.92 else known.OTHERS)

    def level(self, who: EnglishSubject) -> Level:
        """How a statement about somebody ends."""
        return "intimate" if self.chance(LEVELS.get(who.english, 0.5)) else "plain"

    # -- nouns --------------------------------------------------------------------------------------------------------

    def noun(self, kinds: Sequence[str], *, not_of: EnglishSubject | None = None) -> tuple[str, str]:
        """A noun of one of these kinds with its determiner; a person may be a pronoun."""
        kind = self.one(kinds)
        if kind == "person" and self.chance(0.6):
            people = (known.ME, known.YOU, known.HE, known.SHE, known.TOM, known.MARY, known.TOM, known.THEY, known.WE)
            other = self.one([one for one in people if one is not not_of])
            return other.object, other.korean
        word = self.one(known.NOUNS[kind])
        if not word.has_article:
            return word.english, word.korean
        return self._determined(word, adjective=kind not in {"person", "job"} and self.chance(0.12))

    def _determined(self, word: NounWord, *, adjective: bool) -> tuple[str, str]:
        determiner = self.one(("a", "a", "the", "the", "the", "my", "your", "this", "that", "his", "Tom's"))
        english, korean = word.english, word.korean
        if adjective:
            what = self.one([deed for deed in known.NEUTRAL if deed.forms.tail in BEFORE_NOUNS.split()])
            english, korean = f"{what.forms.tail} {english}", f"{_attributive(what.korean)} {korean}"
        if determiner == "a" and english[0] in "aeiou" and not english.startswith("use"):
            determiner = "an"
        return f"{determiner} {english}", f"{DETERMINERS.get(determiner, '')} {korean}".strip()

    # -- what is done -------------------------------------------------------------------------------------------------

    def deed(self, who: EnglishSubject, *, lasting_too: bool = True) -> KoreanClause:
        """Somebody does something."""
        if self.chance(0.06):
            return self._given(who)
        while True:
            deed = self.one(known.DEEDS)
            if (lasting_too or not deed.is_lasting) and not _is_about(deed.forms.tail, who):
                return self._filled(deed, who)

    def _filled(self, deed: Deed, who: EnglishSubject) -> KoreanClause:
        english, korean = deed.forms, deed.korean
        if deed.takes:
            what, other = self.noun(deed.takes, not_of=who)
            english, korean = english.after(what), korean.after(with_particle(other, deed.particle))
        else:
            english, korean = self._somewhere(english, korean, who)
        return KoreanClause(who=who, english=english.by(who), korean=korean, is_lasting=deed.is_lasting)

    def _given(self, who: EnglishSubject) -> KoreanClause:
        """gave Mary a book; gave a book to Mary"""
        deed = self.one(known.GIVING)
        what, other = self.noun(deed.takes)
        others = (known.ME, known.YOU, known.TOM, known.MARY, known.HE, known.SHE, known.WE, known.THEY)
        to = self.one([one for one in others if one is not who])
        is_first = deed.forms.base in {"teach", "tell", "buy"} or self.chance(0.6)
        english = deed.forms.after(to.object, what) if is_first else deed.forms.after(what, "to", to.object)
        korean = deed.korean.after(with_particle(other, "을")).after(f"{to.korean}에게")
        return KoreanClause(who=who, english=english, korean=korean)

    def _somewhere(self, english: Forms, korean: Predicate, who: EnglishSubject) -> tuple[Forms, Predicate]:
        """Where, or with whom, sometimes."""
        if english.tail or not self.chance(0.35):
            return english, korean
        if self.chance(0.35):
            company, other = self.one(known.COMPANY)
            return (english, korean) if _is_about(company, who) else (english.after(company), korean.after(other))
        where, place = self.one(known.WHERE)
        is_goal = english.base in {"go", "come", "return", "arrive"}
        if is_goal and where not in {"here", "there", "outside"}:
            return english, korean
        return english.after(where), korean.after(f"{place}{'에' if is_goal or english.base == 'stay' else '에서'}")

    # -- how somebody is ----------------------------------------------------------------------------------------------

    def state(self, who: EnglishSubject) -> KoreanClause:
        """Somebody is happy, very tired, a teacher, in the garden."""
        number = self.random.random()
        if number < 0.62:
            return self.described(who, known.PERSONAL)
        if number < 0.85:
            return self._of_a_kind(who)
        where, place = self.one(known.PLACED)
        return KoreanClause(
            who=who, english=being(where), korean=Predicate(text=f"{place}에 있", kind="being"), is_lasting=True
        )

    def described(self, who: EnglishSubject, deeds: Sequence[Deed]) -> KoreanClause:
        """An adjective, with a degree in front of it or not."""
        deed = self.one(deeds)
        degree = self.one(tuple(DEGREES)) if self.chance(0.5) and deed.korean.kind == "adjective" else ""
        english = being(f"{degree} {deed.forms.tail}".strip())
        return KoreanClause(who=who, english=english, korean=deed.korean.after(DEGREES[degree]), is_lasting=True)

    def _of_a_kind(self, who: EnglishSubject) -> KoreanClause:
        word = self.one(known.NOUNS["job"])
        what = self.one([deed for deed in known.PERSONAL if deed.korean.kind == "adjective"])
        english, korean = word.english, word.korean
        if self.chance(0.25):
            english, korean = f"{what.forms.tail} {english}", f"{_attributive(what.korean)} {korean}"
        article = "an" if english[0] in "aeiou" else "a"
        named = f"{english}s" if who.is_bare and who.english not in {"I", "you"} else f"{article} {english}"
        return KoreanClause(
            who=who, english=being(named), korean=Predicate(text=korean, kind="copula"), is_lasting=True
        )

    def of_a_thing(self) -> KoreanClause:
        """A thing is big, true, delicious."""
        if self.chance(0.15):
            return self.described(self.one(known.TASTED), known.TASTY)
        return self.described(self.one(known.THINGS), known.NEUTRAL)

    def clause(self) -> KoreanClause:
        """Any of them, without a time."""
        number = self.random.random()
        if number < 0.6:
            return self.deed(self.who())
        return self.state(self.who()) if number < 0.85 else self.of_a_thing()

    def timed(self, clause: KoreanClause, when: str) -> KoreanClause:
        """The clause with a time that fits, sometimes."""
        if clause.is_lasting and when == "present":
            return clause
        return clause.with_time(self.one(known.TIMES[when])) if self.chance(0.3) else clause


def lasted(clause: KoreanClause) -> KoreanClause:
    """is reading a book."""
    return replace(clause, english=being(clause.english.doing), korean=lasting(clause.korean))


def denied(of: Predicate, *, is_negative: bool) -> Predicate:
    """The predicate, or its negation."""
    return negative(of) if is_negative else of


def about(draw: ClauseDrawer, clause: KoreanClause, predicate: Predicate, when: When) -> str:
    """A statement in Korean, in a level that fits its subject."""
    return clause.said(ending(predicate, when, draw.level(clause.who)))


def question(draw: ClauseDrawer, clause: KoreanClause, predicate: str) -> str:
    """A question in Korean: whoever is asked mostly goes without being named."""
    is_named = clause.who is not known.YOU or draw.chance(0.3)
    return clause.said(predicate, marked="topic" if is_named else "none")


def _attributive(of: Predicate) -> str:
    return before_noun(of, "present")


def _is_about(words: str, who: EnglishSubject) -> bool:
    """Whether English words name whoever does it: Tom does not go with Tom."""
    return bool({who.object, who.possessive} & set(words.split()))
