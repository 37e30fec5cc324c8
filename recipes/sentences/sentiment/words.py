"""The words of the sentiment sentences: things that are judged, what may be said of them, and who says it.

A table is written as lines of words, "_" stands for a space, and "* -person" for all kinds but that. Read by
`recipes.sentences.sentiment.reviews`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from recipes.sentences.sentiment.tables import ACT_LINES, NEGATIVE, NOUNS, OF_KIND_LINES, POSITIVE

GrammaticalNumber = Literal["one", "many", "mass"]
"""A thing that is counted, several of them, or a mass: "a film", "actors", "music"."""
How = Literal["mild", "plain", "graded", "strong"]
"""What may stand before an adjective: "very" and "not" (mild), "not" (plain), "very" (graded), neither (strong).

"Not" is left away where it leaves open what is meant: "not perfect" may be good, "not unpleasant" may be both.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedNoun:
    """Something that is judged. `kind` says which adjectives go with it, `act` what one does with it ("" for nothing
    that can be done again), `is_whole` whether "this" and "our" go with it, as they do not with a part of something."""

    word: str
    number: GrammaticalNumber
    kind: str
    act: str
    is_whole: bool
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingAdjective:
    """A word that judges; `sign` is 1 or -1, `kinds` are the kinds of nouns that it goes with."""

    word: str
    sign: int
    how: How
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A verb for what one does: "watch", "watching", and "seen" in "I have never seen a better film"."""

    do: str
    doing: str
    done: str


def _words(line: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in line.split())


_WHOLE = frozenset({"event", "lesson", "person", "vehicle", "weather", "worker"})
"""Kinds of nouns of which all take "this", also those that nobody does again."""
ENJOYED = frozenset({"story", "music", "event", "lesson", "game", "dish", "baked", "drink", "weather", "look"})
"""Kinds of nouns that people enjoy; the others they like."""
OURS = {"worker": "our", "person": "my", "event": "our", "lesson": "our", "vehicle": "our"}
"""What stands instead of "the" before a whole of some kinds."""
GLAD = _words("happy glad pleased satisfied proud relaxed cheerful content")
"""Moods that "not" turns into bad ones; DELIGHTED are moods that it does not."""
DELIGHTED = _words("delighted thrilled overjoyed")
SAD = _words("sad angry upset disappointed bored worried lonely annoyed frustrated afraid")
UNHAPPY = _words("unhappy miserable furious")
PLEASED, DISPLEASED = _words("happy pleased satisfied"), _words("unhappy dissatisfied disappointed")
"""Those that somebody is "with" something."""

SOMEBODY = (
    *(
        "I",
        "he",
        "she",
        "we",
        "they",
        "my sister",
        "my brother",
        "my mother",
        "my father",
        "my parents",
        "my grandmother",
    ),
    *("my grandfather", "my friends", "my best friend", "our class", "the children", "the boys", "the girls"),
    *("the students", "the guests", "the whole family", "most people"),
    *("Anna", "Ben", "Clara", "Daniel", "Emma", "Leo", "Lily", "Mina", "Noah", "Omar", "Sofia", "Tom", "Yuna"),
)
PLURAL = frozenset(
    {"we", "they", "my parents", "my friends", "the children", "the boys", "the girls", "the students", "the guests"}
    | {"most people"}
)
"""Those of SOMEBODY that take "were"."""
OTHERS = tuple(name for name in SOMEBODY if name in PLURAL and name != "we")
"""Several people, the speaker not among them."""
PRONOUNS = frozenset({"I", "he", "she", "we", "they"})
NEUTRAL = (
    *(
        "I was there with {who}",
        "we went there on Sunday",
        "{who} came with us",
        "it was in March",
        "it was in October",
    ),
    *("we talked about it at school", "{who} asked me about it", "this happened last week", "{who} told me about it"),
    *("I want to tell you about it", "it took two hours", "we arrived at six o'clock", "there were ten of us"),
    *("{who} paid for it", "I am writing this on the train", "{who} gave me the address", "I thought about it today"),
    *("we saw {who} there", "{who} was there, too", "it was our second time there", "I had some time on Friday"),
)
"""Sentences beside the one that judges, which say nothing good or bad; {who} is one of SOMEBODY, but no pronoun."""
TIMES = ("yesterday", "last week", "last year", "on Sunday", "on Monday", "last night", "this time", "this year")
ASIDES = ("to be honest", "all in all", "honestly", "overall", "once again", "in short")
OPINIONS = (*ASIDES, "in my opinion", "for me")
"""What stands before a clause; ASIDES also before one that begins with "I"."""
REPORTS = (
    *("I think that", "I must say that", "we all agreed that", "I am sure that", "my sister said that"),
    *("my friends say that", "Tom told me that", "Anna wrote that", "you could say that", "it is true that"),
)


def _nouns() -> dict[str, tuple[JudgedNoun, ...]]:
    return {
        topic: tuple(
            JudgedNoun(
                word=word,
                number=next(name for name in get_args(GrammaticalNumber) if name == number),
                kind=kind,
                act="" if act == "-" else act,
                is_whole=act != "-" or kind in _WHOLE,
                topic=topic,
            )
            for number, kind, act, *words in map(str.split, lines.strip().splitlines())
            for word in _words(" ".join(words))
        )
        for topic, lines in NOUNS.items()
    }


def _adjectives(lines: str, sign: int) -> tuple[JudgingAdjective, ...]:
    return tuple(
        JudgingAdjective(
            word=word.replace("_", " "),
            sign=sign,
            how=next(name for name in get_args(How) if name == how),
            kinds=_named(kinds),
        )
        for how, word, *kinds in map(str.split, lines.strip().splitlines())
    )


def _named(kinds: Sequence[str]) -> frozenset[str]:
    if kinds[0] != "*":
        return frozenset(kinds)
    return frozenset(OF_KIND_LINES) - {kind.removeprefix("-") for kind in kinds}


def _of_kinds() -> dict[str, dict[str, tuple[str, ...]]]:
    tables: dict[str, dict[str, tuple[str, ...]]] = {}
    for kind, lines in OF_KIND_LINES.items():
        for line in lines.strip().splitlines():
            name, said = line.split(":")
            tables.setdefault(name.strip(), {})[kind] = _words(said)
    return tables


def _acts() -> dict[str, Act]:
    rows = (_words(line) for line in ACT_LINES.strip().splitlines())
    return {name: Act(do=do.strip("-"), doing=doing.strip("-"), done=done) for name, do, doing, done in rows}


TOPICS: Mapping[str, tuple[JudgedNoun, ...]] = _nouns()
"""What a sentence may be about -> the nouns of it."""
ADJECTIVES: tuple[JudgingAdjective, ...] = (*_adjectives(POSITIVE, 1), *_adjectives(NEGATIVE, -1))
KINDS = tuple(OF_KIND_LINES)
OF_KINDS: Mapping[str, Mapping[str, tuple[str, ...]]] = _of_kinds()
"""What else is said of nouns of a kind: what stands after "too" (much) and before "enough" (fit), what there is much or
nothing of (quality, flaw), what spoils it and what saves it."""
ACTS: Mapping[str, Act] = _acts()
