"""Sentences written by hand with their relations of grammar: names of heads that a treebank gave are held to these."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from models.analysis.grammar.dependencies import ROOT, ParsedSentence

SENTENCES = Path(__file__).with_name("grammar_by_hand.txt")
KOREAN_SENTENCES = Path(__file__).with_name("korean_grammar_by_hand.txt")
_MARKED = re.compile(r"(?P<word>.+)/(?P<governor>[^/:]+):(?P<relation>[a-z]+)")
_UNMARKED = ""


@cache
def grammar_by_hand(path: Path = SENTENCES) -> tuple[ParsedSentence, ...]:
    """Read all sentences, in the order of the file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(parse_marked(line) for line in lines if not line.startswith("#"))


def parse_marked(line: str) -> ParsedSentence:
    """Parse "The/dog:det dog/barked:nsubj barked ./barked:punct"; a word that is not marked depends on nothing.

    Raises ValueError for a governor that is not in the sentence, or is there more than once.
    """
    cells = line.split()
    marks = [_MARKED.fullmatch(cell) for cell in cells]
    words = tuple(mark["word"] if mark else cell for mark, cell in zip(marks, cells, strict=True))
    return ParsedSentence(
        words=words,
        heads=tuple(_place(mark["governor"], words) if mark else ROOT for mark in marks),
        relations=tuple(mark["relation"] if mark else _UNMARKED for mark in marks),
    )


def _place(governor: str, words: tuple[str, ...]) -> int:
    if words.count(governor) != 1:
        raise ValueError(
            f"{governor!r} governs a word, but stands {words.count(governor)} times in {' '.join(words)!r}."
        )
    return words.index(governor)
