"""Cut the words of the treebanks where a particle or an ending begins.

A word of UD_Korean-GSD or UD_Korean-Kaist is an 어절; its XPOS names the morphemes and its lemma spells them, so that
"갔다" is "가+았+다". The cut follows the letters as written: what is fused with the stem stays with it, "갔" and "다".
"""

from __future__ import annotations

import lzma
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal

from recipes.korean.words.hangul import final_letter, is_hangul, letters

PartKind = Literal["noun", "verb", "plural", "particle", "noun ending", "verb ending", "auxiliary"]
"""What a part of a word is. A "noun ending" makes a noun a predicate: 이다, 하다, 되다 with what they end in."""
STEMS: tuple[PartKind, ...] = ("noun", "verb")
ENDINGS: tuple[PartKind, ...] = ("noun ending", "verb ending")
PLURAL = "들"
_KINDS: dict[str, PartKind] = {"VCP": "noun ending", "JP": "noun ending", "VX": "auxiliary", "PX": "auxiliary"}
_KINDS |= dict.fromkeys(("XSV", "XSA", "XSM"), "noun ending")
"""Those tags, in capitals, that do not go by their first letter; GSD writes capitals, Kaist small letters."""
_ADVERB_SUFFIX = "xsa"
"""Of Kaist; in GSD XSA makes adjectives."""
_CONTRACTED_VOWELS = "ㅘㅜㅝㅟ"
"""What ㅂ and a vowel become: 도와, 가까운, 고마웠, 가까위."""


@dataclass(frozen=True, slots=True)
class WordPart:
    """A piece of a word as written, and what it is."""

    text: str
    kind: PartKind


MorphemeGroup = tuple[str, PartKind]
"""Morphemes that make one part, joined as the lemma spells them."""


def read_words(path: Path) -> Iterator[tuple[str, str, str]]:
    """Read (word, lemma, XPOS) of every word of a CoNLL-U file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if len(columns) == 10 and columns[0].isdigit():
                word, lemma = (unicodedata.normalize("NFC", column) for column in columns[1:3])
                yield word, lemma, columns[4]


def count_parts(paths: Sequence[Path]) -> Iterator[tuple[tuple[WordPart, ...], int]]:
    """Yield each cut word of the treebanks with how often it stands there."""
    words = sorted(word for path in paths for word in read_words(path))
    for word, same in groupby(words):
        parts = cut_word(*word)
        if parts is not None:
            yield parts, sum(1 for _ in same)


def cut_word(word: str, lemma: str, tags: str) -> tuple[WordPart, ...] | None:
    """Cut a word of Hangul into its parts; None where lemma and word do not fit."""
    morphemes, names = lemma.split("+"), tags.split("+")
    if len(morphemes) != len(names) or not is_hangul(word):
        return None
    groups = _group(zip(morphemes, names, strict=True))
    borders = None if groups is None else _align(word, groups)
    if groups is None or borders is None:
        return None
    places = zip(borders, borders[1:], groups, strict=False)
    return tuple(WordPart(word[begin:end], kind) for begin, end, (_, kind) in places if end > begin)


def _kind(morpheme: str, tag: str) -> PartKind:
    """Return the kind of part that a morpheme begins."""
    name = tag.upper()
    if tag == _ADVERB_SUFFIX:
        return "noun"
    if name == "XSN" and morpheme == PLURAL:
        return "plural"
    by_letter: dict[str, PartKind] = {"J": "particle", "E": "verb ending", "V": "verb", "P": "verb"}
    return _KINDS.get(name) or ("noun" if name == "VCN" else by_letter.get(name[0], "noun"))


def _group(morphemes: Iterator[tuple[str, str]]) -> list[MorphemeGroup] | None:
    """Join morphemes to a stem, then particles one by one and endings together; None where a stem stands inside."""
    groups: list[MorphemeGroup] = []
    for morpheme, tag in morphemes:
        kind, last = _kind(morpheme, tag), groups[-1][1] if groups else None
        if kind == "verb ending" and last in ENDINGS:
            groups[-1] = (groups[-1][0] + morpheme, groups[-1][1])
        elif kind in STEMS and last in STEMS:
            groups[-1] = (groups[-1][0] + morpheme, kind)
        elif kind in STEMS and groups:
            return None
        else:
            groups.append((morpheme, kind))
    return groups if groups and groups[0][1] in STEMS else None


def _align(word: str, groups: Sequence[MorphemeGroup]) -> list[int] | None:
    """Return where each group begins in the word, and its end; None where the letters do not fit."""
    best: dict[int, tuple[float, list[int]]] = {0: (0.0, [0])}
    for number, group in enumerate(groups):
        reached: dict[int, tuple[float, list[int]]] = {}
        is_last = number == len(groups) - 1
        for begin, (cost, borders) in best.items():
            for end in (len(word),) if is_last else range(begin, len(word) + 1):
                added = _mismatch(word[begin:end], group)
                if added is not None and (end not in reached or cost + added < reached[end][0]):
                    reached[end] = (cost + added, [*borders, end])
        best = reached
    cost, borders = best.get(len(word), (float("inf"), []))
    return _with_lost_b(word, groups, borders) if cost <= 2 + 3 * (len(groups) - 1) else None


def _mismatch(span: str, group: MorphemeGroup) -> float | None:
    """Return how many letters differ between a part as written and its morphemes; None where that cannot be it."""
    spelling, kind = group
    spelled, written = letters(spelling), letters(span)
    if not span:
        return None if kind in STEMS else float(len(spelled))
    begins_alike = written[0] == spelled[0]
    is_rest = kind not in (*STEMS, "auxiliary") and spelling.endswith(span)  # 갔+다 of 가+았다
    is_bridged = spelling[0] in "ㄴㄹㅁㅂ" and written.startswith("ㅇㅡ")  # 좋+ㄴ is written 좋은
    return float(_distance(written, spelled)) if begins_alike or is_rest or is_bridged else None


def _with_lost_b(word: str, groups: Sequence[MorphemeGroup], borders: list[int]) -> list[int]:
    """Move the border behind 우 and 와 where a stem has lost its ㅂ: 도와, 가까운, 고마웠."""
    for number, (spelling, _) in enumerate(groups[:-1]):
        end = borders[number + 1]
        loses_b = letters(spelling).endswith("ㅂ") and 0 < end < borders[number + 2] and not _ends_in_b(word[end - 1])
        if loses_b and letters(word[end])[0] == "ㅇ" and letters(word[end])[1] in _CONTRACTED_VOWELS:
            borders[number + 1] = end + 1
    return borders


def _ends_in_b(syllable: str) -> bool:
    return bool(final_letter(syllable)) and letters(syllable).endswith("ㅂ")


@lru_cache(maxsize=100_000)
def _distance(first: str, second: str) -> int:
    """Return the edit distance of two strings (Levenshtein 1966)."""
    row = list(range(len(second) + 1))
    for number, letter in enumerate(first, start=1):
        previous, row[0] = row[0], number
        for place, other in enumerate(second, start=1):
            cost = min(row[place] + 1, row[place - 1] + 1, previous + (letter != other))
            previous, row[place] = row[place], cost
    return row[-1]
