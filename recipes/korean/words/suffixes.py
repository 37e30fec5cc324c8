"""The particles and endings of reviews and of talk, beside those that stand in the treebanks.

Verb endings are put together from what stands before the end (시, 었, 겠) and ends; endings of nouns from the copula or
a verb such as 하다 and what verbs end in. The tables, suffixes.toml, also say what fits behind which letter: 은 follows
a consonant, 는 a vowel.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from recipes.korean.words.hangul import final_letter
from recipes.korean.words.treebanks import PartKind

TABLES = {
    name: tuple(words.split())
    for name, words in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
WHOLE_WORDS = frozenset(TABLES["whole_words"])
_AFTER_CONSONANTS = frozenset(TABLES["particles_after_consonants"])
_AFTER_VOWELS = {
    "particle": frozenset(TABLES["particles_after_vowels"]),
    "noun ending": frozenset(TABLES["noun_endings_after_vowels"]),
}
_VERB_ENDINGS_AFTER_CONSONANTS = frozenset("은을으음습슴")
"""The first syllables of verb endings that follow a consonant."""
_DIRECTIONS = frozenset(("로", "로서", "로써", "론"))
"""Particles that follow a vowel or ㄹ."""
_R = 8
"""The index of ㄹ among the final letters."""


def written_suffixes() -> Iterator[tuple[str, PartKind]]:
    """Yield the suffixes of the tables, some of which nobody writes: the text decides."""
    ends, tenses = TABLES["ends"], TABLES["tenses"]
    yield from ((text, "particle") for text in TABLES["particles"])
    for text in ends:
        yield text, "verb ending"
        yield from ((tense + text, "verb ending") for tense in tenses)
    yield from ((text, "noun ending") for text in TABLES["whole"])
    for before in (*TABLES["before_ends"], *TABLES["copula"]):
        yield from ((before + text, "noun ending") for text in ends if text[0] not in "은음슴")
        if before in ("하", "되"):
            yield from ((before + tense + text, "noun ending") for tense in tenses for text in ends)
    yield from ((text, "auxiliary") for text in (*TABLES["auxiliaries"], *TABLES["bound_nouns"]))
    yield "들", "plural"


def fits(text: str, kind: PartKind, syllable: str) -> bool:
    """Tell whether a suffix can follow a syllable, by the final letter of that."""
    final = final_letter(syllable)
    if kind == "particle" and text in _DIRECTIONS:
        return final in (0, _R)
    if kind == "particle" and text.startswith("으"):
        return final not in (0, _R)
    if final == 0:
        starts_after_consonant = kind == "verb ending" and text[0] in _VERB_ENDINGS_AFTER_CONSONANTS
        return not starts_after_consonant and not (kind == "particle" and text in _AFTER_CONSONANTS)
    return text not in _AFTER_VOWELS.get(kind, ())
