"""Contents at random, such that each makes sense: people read books, animals sleep, soup is eaten with a spoon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from recipes.sentences.parallel.content import (
    NUMERALS,
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
from recipes.sentences.parallel.entries import LIVING, PEOPLE, PLACES, Adjective, Noun, Time, Verb
from recipes.sentences.parallel.lexicon import ADJECTIVES, TIMES, VERBS, nouns_of

Option = TypeVar("Option")

STATES = {"like", "have", "be", "see", "love", "lose", "break", "find"}
"""Verbs that neither last ("is seeing") nor follow "can", "want to" or "have to"."""
TIMELESS = {"like", "have", "be", "love"}
MOVES = {"go", "come", "return"}
CREATIONS = {"write", "draw", "make", "build"}
OWNED = {"read", "open", "close", "wash", "push", "play", "use", "lose", "look for", "hide", "show", "send", "paint"}
"""Verbs whose object may be "my" or "our"."""
SHARED = {"dormir", "jugar", "caminar", "bailar", "viajar", "trabajar", "correr"}
"""The Spanish names of what is done with somebody."""
OUTDOORS = {"build", "plant"}
ONLY = {"write": {"book", "novel", "letter", "poem"}, "cook": {"meat", "soup", "fish"}}
"""The objects of verbs for which their kind says too little."""
CHILDREN = {"son", "daughter"}
COUNTED = frozenset({"person", "animal", "thing", "glass", "furniture"})
MASSES = frozenset({"dish", "drink", "subject"})


class Drawer:
    """Draws contents from a random stream that `seed` starts."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def content(self) -> Content:
        """A clause in seven of ten, else a description, else an existence."""
        number = self.random.random()
        if number < 0.7:
            return self.clause()
        return self.description() if number < 0.9 else self.existence()

    def one(self, items: Sequence[Option]) -> Option:
        return items[int(self.random.integers(len(items)))]

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def phrase(self, noun: Noun, determiners: Sequence[str], *, plural: float = 0.3, adjective: float = 0.35) -> Phrase:
        """A noun with a determiner of these; names and masses have fewer."""
        if noun.kind == "name":
            return Phrase(noun=noun, determiner="")
        if noun.kind == "subject":
            return Phrase(noun=noun, determiner="")
        said = self._adjective(noun) if self.chance(adjective) else None
        if noun.kind in MASSES:
            return Phrase(noun=noun, determiner=self.one(("", "the")), adjective=said)
        determiner = self.one([name for name in determiners if noun.counter or name not in NUMERALS])
        many = determiner in NUMERALS or (determiner != "a" and self.chance(plural))
        return Phrase(noun=noun, determiner=determiner, is_plural=many, adjective=said)

    def _adjective(self, noun: Noun) -> Adjective | None:
        fitting = [word for word in ADJECTIVES if noun.kind in word.kinds]
        return self.one(fitting) if fitting else None

    def subject(self, kinds: frozenset[str], question: Question | None) -> Subject:
        """Pronouns, pairs and phrases of these kinds."""
        if kinds >= PEOPLE and self.chance(0.35):
            return self.one([who for who in Pronoun if who is not Pronoun.YOU or question])
        first = self._subject_phrase(kinds)
        second = self._subject_phrase(PEOPLE)
        is_pair = first.noun.kind in PEOPLE and second.noun != first.noun and self.chance(0.15)
        if is_pair and not (first.is_plural or second.is_plural):
            return Both(first=replace(first, adjective=None), second=replace(second, adjective=None))
        return first

    def _subject_phrase(self, kinds: frozenset[str]) -> Phrase:
        noun = self.one(nouns_of(*sorted(kinds)))
        return self.phrase(noun, _known(noun), adjective=0.2)

    def clause(self) -> Clause:
        """A clause that makes sense, and whose English text is said by no other content."""
        while True:
            made = self._clause(self.one(VERBS))
            if made is not None and not _is_ambiguous(made):
                return made

    def _clause(self, verb: Verb) -> Clause | None:
        question = self._question(verb)
        subject = None if question is Question.WHO else self.subject(verb.subjects, question)
        if verb.objects and question in {Question.WHERE, Question.WHEN, Question.WHY}:
            subject = self.one([who for who in Pronoun if who is not Pronoun.ME])
        is_negative = question is None and verb.english != "have" and self.chance(0.25)
        modal = self._modal(verb, is_negative=is_negative)
        tense = Tense.PRESENT if modal else self._tense(verb, question)
        said = None if question is Question.WHAT or not verb.objects else self._object(verb, subject, is_negative)
        if said is None and verb.objects and question is not Question.WHAT:
            return None
        recipient = self._recipient(subject) if verb.english in {"give", "show", "send"} else None
        if verb.english in {"give", "show", "send"} and (recipient is None or question not in {None, Question.WHETHER}):
            return None
        return Clause(
            subject=subject,
            verb=verb,
            tense=tense,
            modal=modal,
            object=said,
            recipient=recipient,
            companion=self._recipient(subject) if verb.spanish in SHARED and self.chance(0.25) else None,
            tool=self._tool(verb, said),
            place=self._place(verb, question),
            time=self._time(tense, said, is_negative=is_negative)
            if not modal and question in {None, Question.WHETHER} and verb.english not in TIMELESS
            else None,
            is_negative=is_negative,
            question=question,
        )

    def _question(self, verb: Verb) -> Question | None:
        if not self.chance(0.3):
            return None
        possible = [Question.WHETHER]
        if verb.english != "have":
            possible.append(Question.WHO)
        if verb.english not in {"have", "like"}:
            possible.append(Question.WHY)
        if verb.english not in STATES:
            possible.append(Question.WHEN)
        if verb.place:
            possible.append(Question.WHERE)
        if verb.objects and not verb.objects & LIVING and verb.english not in {"have", "play"}:
            possible.append(Question.WHAT)
        return self.one(possible)

    def _modal(self, verb: Verb, *, is_negative: bool) -> Modal | None:
        if verb.english in STATES or not self.chance(0.2):
            return None
        return self.one([modal for modal in Modal if modal is not Modal.MUST or not is_negative])

    def _tense(self, verb: Verb, question: Question | None) -> Tense:
        tenses = [Tense.PRESENT, Tense.PAST, Tense.FUTURE]
        if verb.english in {"like", "love"}:
            tenses = [Tense.PRESENT]
        elif verb.english == "have":
            tenses = [Tense.PRESENT, Tense.PAST]
        elif verb.english not in STATES | MOVES and question is not Question.WHEN:
            tenses.append(Tense.PROGRESSIVE)
        return self.one(tenses)

    def _object(self, verb: Verb, subject: Subject | None, is_negative: bool) -> Phrase | None:
        noun = self.one(nouns_of(*sorted(verb.objects)))
        if noun in _nouns(subject) or noun.english not in ONLY.get(verb.english, {noun.english}):
            return None
        if verb.english == "like":
            return Phrase(noun=noun, determiner="", is_plural=noun.kind not in MASSES)
        determiners = _known(noun) if noun.kind in PEOPLE else ("the", "a", "this", "that", "the", "a", *NUMERALS[:2])
        if verb.english == "have":
            determiners = ("a", "a", *NUMERALS)
        elif verb.english in CREATIONS:
            determiners = ("a", "the", *NUMERALS)
        elif verb.english in OWNED and noun.kind not in PEOPLE:
            determiners = ("the", "a", "my", "our", "this", "that")
        if is_negative:
            determiners = tuple(name for name in determiners if name not in {"a", *NUMERALS})
        return self.phrase(noun, determiners, plural=0.2)

    def _recipient(self, subject: Subject | None) -> Phrase | None:
        """Somebody else."""
        noun = self.one(nouns_of(*sorted(PEOPLE)))
        return None if noun in _nouns(subject) else self.phrase(noun, _known(noun), adjective=0)

    def _tool(self, verb: Verb, said: Phrase | None) -> Noun | None:
        if not verb.tools or not self.chance(0.35):
            return None
        if verb.tools == {"vehicle"}:
            return self.one([noun for noun in nouns_of("vehicle", "carrier") if noun.english != "truck"])
        fitting = {"spoon": {"soup", "rice"}, "key": {"door"}}.get(min(verb.tools))
        if fitting and (said is None or said.noun.english not in fitting):
            return None
        return self.one([noun for noun in nouns_of("thing") if noun.english in verb.tools])

    def _place(self, verb: Verb, question: Question | None) -> Noun | None:
        if question is Question.WHERE or not verb.place:
            return None
        if verb.place == "in" and not self.chance(0.25 if verb.objects else 0.75):
            return None
        kinds = {"outside"} if verb.english in OUTDOORS else PLACES
        return self.one(nouns_of(*sorted(kinds)))

    def _time(self, tense: Tense, said: Phrase | None, *, is_negative: bool) -> Time | None:
        if not self.chance(0.35):
            return None
        is_general = said is None or said.determiner in {"", "a"}
        is_open = not is_negative and is_general
        times = [
            time for time in TIMES if tense.value in time.tenses and (is_open or not time.english.startswith("every"))
        ]
        return self.one(times) if times else None

    def description(self) -> Description:
        """Whom a pronoun names must not matter to the Spanish adjective, unless it is "he" or "she"."""
        adjective = self.one(ADJECTIVES)
        is_question = self.chance(0.25)
        question = Question.WHETHER if is_question else None
        tense = self.one([Tense.PRESENT, Tense.PAST] + ([Tense.FUTURE] if adjective.is_state else []))
        subject = self.subject(adjective.kinds, question)
        if isinstance(subject, Phrase):
            subject = replace(subject, adjective=None)
            if subject.noun.kind in MASSES:
                subject = replace(subject, determiner="the")
        if isinstance(subject, Pronoun) and adjective.spanish.endswith(("o", "r")):
            subject = self.one((Pronoun.HE, Pronoun.SHE))
        return Description(
            subject=subject,
            adjective=adjective,
            tense=tense,
            is_negative=not is_question and self.chance(0.25),
            question=question,
        )

    def existence(self) -> Existence:
        noun = self.one(nouns_of(*sorted(COUNTED), "plant"))
        kinds = {"plant": {"outside"}, "person": PLACES, "animal": PLACES}.get(noun.kind, {"room", "building"})
        return Existence(
            thing=self.phrase(noun, ("a", "a", *NUMERALS)),
            place=self.one(nouns_of(*sorted(kinds))),
            tense=self.one((Tense.PRESENT, Tense.PAST, Tense.FUTURE)),
            question=Question.WHETHER if self.chance(0.25) else None,
        )


def _known(noun: Noun) -> tuple[str, ...]:
    """Determiners of somebody or something that is known."""
    return ("the", "my", "our") if noun.english in CHILDREN else ("the", "the", "this", "that")


def _nouns(subject: Subject | None) -> set[Noun]:
    if isinstance(subject, Both):
        return {subject.first.noun, subject.second.noun}
    return {subject.noun} if isinstance(subject, Phrase) else set()


def _is_ambiguous(clause: Clause) -> bool:
    """ "I read", "they cut": now, or in the past?"""
    if clause.verb.past != clause.verb.english or clause.is_negative or clause.modal:
        return False
    is_bare = clause.question in {None, Question.WHO} and clause.tense in {Tense.PRESENT, Tense.PAST}
    return is_bare and (is_plural(clause.subject) or clause.subject is Pronoun.ME)
