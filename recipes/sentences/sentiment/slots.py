"""Which words may stand in the slots of a sentiment pattern, for a thing that is judged."""

from __future__ import annotations

from functools import cache
from string import Formatter

from recipes.sentences.sentiment import words
from recipes.sentences.sentiment.patterns import FAMILIES, PatternFamily
from recipes.sentences.sentiment.words import How, JudgedNoun

PEOPLE = frozenset({"artist", "person", "worker"})
_ANY: frozenset[How] = frozenset({"mild", "plain", "graded", "strong"})
_NEGATABLE: frozenset[How] = frozenset({"mild", "plain"})
_ADJECTIVES = {"good": (1, _ANY), "bad": (-1, _ANY), "fair": (1, _NEGATABLE), "weak": (-1, _NEGATABLE)}
_MOODS = {
    "glad": words.GLAD,
    "happy": words.GLAD + words.DELIGHTED,
    "sad": words.SAD,
    "unhappy": words.SAD + words.UNHAPPY,
    "pleased": words.PLEASED,
    "displeased": words.DISPLEASED,
}


def go_together(one: JudgedNoun, other: JudgedNoun) -> bool:
    """Whether a sentence may judge both: a film and its music, a hotel and its staff, but not two films."""
    return one.kind != other.kind or one.is_whole != other.is_whole


@cache
def possible_patterns(
    noun: JudgedNoun, sign: int, families: frozenset[str]
) -> tuple[tuple[PatternFamily, tuple[str, ...]], ...]:
    """The families that have patterns for a noun, with those patterns; of all families if none are named."""
    found = (
        (family, tuple(pattern for pattern in family.patterns(sign) if _fits(pattern, noun)))
        for family in FAMILIES
        if noun.kind in family.kinds and (not families or family.name in families)
    )
    return tuple((family, patterns) for family, patterns in found if patterns)


def _fits(pattern: str, noun: JudgedNoun) -> bool:
    """Whether there are words for every slot of a pattern, and its grammar goes with the noun."""
    slots = judging_slots(pattern)
    if any(len(words_for(slot, noun)) < len(slots) for slot in slots):
        return False
    act = words.ACTS.get(noun.act)
    is_done_again = "{do" in pattern or "recommend" in pattern
    if is_done_again and "{done}" not in pattern and (act is None or not act.do):
        return False
    if "{done}" in pattern and act is None:
        return False
    if "{it}" in pattern and noun.kind in PEOPLE and noun.number == "one":
        return False
    return "{noun} of all" not in pattern or noun.is_whole


@cache
def judging_slots(pattern: str) -> tuple[str, ...]:
    names = (name for _, name, _, _ in Formatter().parse(pattern) if name)
    return tuple(name for name in names if _table(name) is not None)


def _table(slot: str) -> str | None:
    """What a slot that judges draws from, None for one that changes nothing."""
    name = slot.rstrip("0123456789").removeprefix("a_")
    return name if name in {*_ADJECTIVES, *_MOODS, *words.OF_KINDS} else None


@cache
def words_for(slot: str, noun: JudgedNoun) -> tuple[str, ...]:
    """The words that may stand in a slot that judges a noun."""
    table = _table(slot)
    if table in _ADJECTIVES:
        sign, how = _ADJECTIVES[table]
        return tuple(
            word.word for word in words.ADJECTIVES if word.sign == sign and word.how in how and noun.kind in word.kinds
        )
    if table in _MOODS:
        return _MOODS[table]
    return words.OF_KINDS[table].get(noun.kind, ()) if table else ()
