"""Sentences of two languages with the pairs of words that mean something, marked by hand in the files beside."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from models.values.record import Token, word_ranges

FILE = Path(__file__).with_suffix(".txt")
KOREAN = FILE.with_stem("marked_korean")
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedSentence:
    """A sentence, and which word looking at which other one means something to a student."""

    text: str
    pairs: frozenset[Pair]


def read_marked_sentences(file: Path = FILE) -> dict[str, list[MarkedSentence]]:
    """Return the sentences of each part of a file, by its name."""
    parts: dict[str, list[MarkedSentence]] = {}
    part, text = "", ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            parts[part].append(MarkedSentence(text=text, pairs=_read_pairs(line.strip())))
        elif line.startswith("["):
            part = line.strip("[]")
            parts[part] = []
        elif line and not line.startswith("#"):
            text = line
    return parts


def _read_pairs(line: str) -> frozenset[Pair]:
    pairs = set()
    for marked in line.split(", "):
        query, sign, key = marked.split(" ")
        pairs |= {(query, key)} if sign == ">" else {(query, key), (key, query)}
    return frozenset(pairs)


def words_at(text: str, tokens: tuple[Token, ...]) -> dict[int, str]:
    """Return the word that begins at each token, as it is marked: "be/2" for the second "be"."""
    places = [word for word in word_ranges(tokens) if tokens[word.start].word is not None]
    words = [text[tokens[word.start].start : tokens[word.stop - 1].end].lower() for word in places]
    counted, seen = Counter(words), Counter[str]()
    named = {}
    for place, word in zip(places, words, strict=True):
        seen[word] += 1
        named[place.start] = word if counted[word] == 1 else f"{word}/{seen[word]}"
    return named
