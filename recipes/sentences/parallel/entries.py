"""What is known of a word, and how its row in a table of `lexicon.py` is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StemChange = Literal["", "ㅂ", "ㄷ", "ㅅ", "ㅎ", "르"]
CHANGES: tuple[StemChange, ...] = ("ㅂ", "ㄷ", "ㅅ", "ㅎ", "르")
OBJECTS = frozenset({"thing", "glass", "furniture", "clothes"})
PEOPLE = frozenset({"person", "name"})
LIVING = PEOPLE | {"animal"}
PLACES = frozenset({"building", "room", "outside"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """`kind` is its table; `counter` is the Korean word that follows a number of them."""

    english: str
    spanish: str
    is_feminine: bool
    korean: str
    kind: str
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjective:
    """`kinds` are the kinds of nouns that can be so; `is_state` asks for "estar"; the Korean stem has no "다"."""

    english: str
    spanish: str
    is_state: bool
    korean: str
    change: StemChange
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """`english` and `spanish` are infinitives, `korean` is a stem, and `change` how it changes before a vowel.

    `subjects` and `objects` are kinds of nouns. `place`: "in" for where it is done, "to" for where it leads, "at" for
    where something is, "" for none. `tools` are what it is done with: the name of a noun, or "vehicle" for all of them.
    """

    english: str
    past: str
    spanish: str
    korean: str
    change: StemChange
    subjects: frozenset[str]
    objects: frozenset[str]
    place: str
    tools: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """`tenses` are the values of the tenses that it goes with."""

    english: str
    spanish: str
    korean: str
    tenses: frozenset[str]


def _rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def _stem(text: str) -> tuple[str, StemChange]:
    """The stem of "듣 ㄷ", and how it changes; a stem may hold a space, as in "키가 크"."""
    for change in CHANGES:
        if text.endswith(" " + change):
            return text[:-2], change
    return text, ""


def read_nouns(kind: str, counter: str, table: str) -> tuple[Noun, ...]:
    nouns = []
    for english, spanish, korean, *own in _rows(table):
        word, gender = spanish.rsplit(" ", 1)
        nouns.append(
            Noun(
                english=english,
                spanish=word,
                is_feminine=gender == "f",
                korean=korean,
                kind=kind,
                counter=own[0] if own else counter,
            )
        )
    return tuple(nouns)


def _kinds(names: str) -> frozenset[str]:
    groups = {"LIVING": LIVING, "PEOPLE": PEOPLE, "OBJECTS": OBJECTS, "PLACES": PLACES}
    return frozenset().union(*(groups.get(name, frozenset({name})) for name in names.split()))


def read_adjectives(table: str) -> tuple[Adjective, ...]:
    adjectives = []
    for english, spanish, state, korean, kinds in _rows(table):
        stem, change = _stem(korean)
        adjectives.append(
            Adjective(
                english=english,
                spanish=spanish,
                is_state=state == "estar",
                korean=stem,
                change=change,
                kinds=_kinds(kinds),
            )
        )
    return tuple(adjectives)


def read_verbs(table: str) -> tuple[Verb, ...]:
    verbs = []
    for english, past, spanish, korean, subjects, objects, place, tools in _rows(table):
        stem, change = _stem(korean)
        verbs.append(
            Verb(
                english=english,
                past=past,
                spanish=spanish,
                korean=stem,
                change=change,
                subjects=_kinds(subjects),
                objects=_kinds(objects),
                place=place,
                tools=frozenset(tools.split()),
            )
        )
    return tuple(verbs)


def read_times(table: str) -> tuple[Time, ...]:
    return tuple(
        Time(english=english, spanish=spanish, korean=korean, tenses=frozenset(tenses.split()))
        for english, spanish, korean, tenses in _rows(table)
    )
