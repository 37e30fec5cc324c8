"""Two nouns, and a word that decides which of them "it" is: the animal didn't cross the street because it was too
tired, or too wide (Levesque et al. 2012, "The Winograd Schema Challenge").

A schema is such a sentence with two lists of nouns and two of deciding words. Some nouns, and some whole schemas, are
held out: a pair that is asked has two nouns that no passage of its schema was ever learned with. Half of what is
learned has two nouns of any list, in either place: what a noun does in the sentence must decide, not what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from models.values.answers import MASK
from recipes.sentences.classroom.passages import Passage, fill
from recipes.sentences.which_noun.learned import LEARNED, MORE_NOUNS
from recipes.sentences.which_noun.schemas import SCHEMAS, Schema

FAMILY = "which noun"
_FORMS = (
    "{whole}",
    "{replaced}",
    "{replaced}",
    "{whole}|{told}",
    "{whole}|What {asked}?|The <{noun}>.",
)
"""How a passage says which noun is meant; twice the form in which the noun stands where "it" stood."""
_ANY = 0.5
"""Of the passages, those with two nouns of any list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NounPair:
    """Two sentences that one word tells apart; in the first `nouns[0]` is meant, in the second `nouns[1]`."""

    nouns: tuple[str, str]
    words: tuple[str, str]
    sentences: tuple[str, str]
    """With "it"."""
    masked: tuple[str, str]
    """With "the [MASK]" where "it" stood."""
    is_new_schema: bool


def passages(n: int, *, seed: int) -> Iterator[Passage]:
    """`n` passages to learn from, of the nouns that are not held out, all different."""
    random = np.random.default_rng(seed)
    learned = [*(schema for schema in SCHEMAS if not schema.is_held_out), *LEARNED]
    anything = any_nouns()
    seen: set[tuple[str, ...]] = set()
    while len(seen) < n:
        schema = learned[int(random.integers(len(learned)))]
        sides = [[noun for noun in side.learned if noun != "it"] for side in (schema.a, schema.b)]
        if random.random() < _ANY:
            sides = [anything, anything]
        a, b = (side[int(random.integers(len(side)))] for side in sides)
        meant = int(random.integers(2))
        words = (schema.a, schema.b)[meant].words
        form = _FORMS[int(random.integers(len(_FORMS)))]
        passage = _passage(schema, form, nouns=(a, b), meant=meant, word=words[int(random.integers(len(words)))])
        if a != b and passage.sentences not in seen:
            seen.add(passage.sentences)
            yield passage


def any_nouns() -> list[str]:
    """Every noun that is learned somewhere and held out nowhere, in the order of the alphabet."""
    schemas = (*SCHEMAS, *LEARNED)
    asked = {
        noun
        for schema in SCHEMAS
        for side in (schema.a, schema.b)
        for noun in (*side.held_out, *(side.learned if schema.is_held_out else ()))
    }
    learned = {noun for schema in schemas for side in (schema.a, schema.b) for noun in side.learned}
    return sorted((learned | set(MORE_NOUNS)) - asked - {"it"})


def pairs(n: int, *, seed: int = 0) -> list[NounPair]:
    """`n` pairs to ask, as many of each schema as can be, of nouns, or of schemas, that are held out."""
    random = np.random.default_rng(seed)
    of_each = [_pairs_of(schema) for schema in SCHEMAS]
    orders = [random.permutation(len(found)).tolist() for found in of_each]
    turns = ((at, turn) for turn in range(max(map(len, of_each))) for at in range(len(of_each)))
    chosen = [of_each[at][orders[at][turn]] for at, turn in turns if turn < len(of_each[at])]
    return chosen[:n]


def _pairs_of(schema: Schema) -> list[NounPair]:
    found = []
    for a, b, of_a, of_b in product(schema.a.held_out, schema.b.held_out, schema.a.words, schema.b.words):
        if a == b:
            continue
        told = [_told(schema, (a, b), word) for word in (of_a, of_b)]
        found.append(
            NounPair(
                nouns=(a, b),
                words=(of_a, of_b),
                sentences=(told[0]["whole"], told[1]["whole"]),
                masked=(told[0]["masked"], told[1]["masked"]),
                is_new_schema=schema.is_held_out,
            )
        )
    return found


def _told(schema: Schema, nouns: tuple[str, str], word: str, noun: str = "") -> dict[str, str]:
    """The sentence with "it", with the `noun`, marked as an answer, and with a mask; and the clause alone."""

    def said(it: str) -> str:
        return schema.sentence.format(a=nouns[0], b=nouns[1], clause=schema.clause.format(it=it, word=word))

    return {
        "whole": said("it"),
        "replaced": said(f"the <{noun}>"),
        "masked": said(f"the {MASK}"),
        "told": schema.clause.format(it=f"The <{noun}>", word=word) + ".",
        "asked": schema.clause.format(it="", word=word).strip(),
        "noun": noun,
    }


def _passage(schema: Schema, form: str, *, nouns: tuple[str, str], meant: int, word: str) -> Passage:
    return fill(FAMILY, form.format(**_told(schema, nouns, word, nouns[meant])), {})
