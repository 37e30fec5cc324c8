"""Pairs of sentences written by hand, in which one word or phrase decides which of two nouns "it" is, as `which_noun`
makes them: by these a head earns the name of one that finds the noun, and the model is asked which noun it would take.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from models.values.answers import MASK
from recipes.sentences.which_noun.pairs import NounPair

SENTENCES = Path(__file__).with_name("by_hand.txt")
_NOUN, _CHOICE, _IT = re.compile(r"\[(\w+)\]"), re.compile(r"\{([^/}]+)/([^/}]+)\}"), re.compile(r"\bit\b")


@cache
def pairs_by_hand() -> tuple[NounPair, ...]:
    """Read all pairs, in the order of the file."""
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    return tuple(parse_pair(line) for line in lines if not line.startswith("#"))


def pairs_to_choose_by() -> tuple[NounPair, ...]:
    """Return every other pair, by which heads are chosen."""
    return pairs_by_hand()[::2]


def pairs_to_report() -> tuple[NounPair, ...]:
    """Return the other pairs, by which nothing is chosen."""
    return pairs_by_hand()[1::2]


def parse_pair(line: str) -> NounPair:
    """Parse "The [moth] circled the [candle] until it {got tired/went out}.": the first choice means the first noun.

    Raises ValueError for a line without two nouns, without a choice, or with more than one "it".
    """
    nouns, choices = _NOUN.findall(line), _CHOICE.findall(line)
    plain = _NOUN.sub(r"\1", line)
    one, other = (_CHOICE.sub(rf"\{number}", plain) for number in (1, 2))
    if len(nouns) != len(("one", "other")) or not choices or any(len(_IT.findall(text)) != 1 for text in (one, other)):
        raise ValueError(f"expected two [nouns], a {{choice/other}} and one “it” a sentence, but got {line!r}.")
    return NounPair(
        nouns=(nouns[0], nouns[1]),
        words=choices[0],
        sentences=(one, other),
        masked=(_IT.sub(f"the {MASK}", one), _IT.sub(f"the {MASK}", other)),
        is_new_schema=True,
    )
