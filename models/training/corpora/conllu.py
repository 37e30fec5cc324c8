"""Treebanks in CoNLL-U (Nivre et al. 2020, "Universal Dependencies v2"): ten columns a word, an empty line between
sentences. What is no word of its own, an empty node (8.1), is passed over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

COLUMNS = 10
_NO_SPACE = "SpaceAfter=No"


@dataclass(frozen=True, slots=True, kw_only=True)
class TreebankWord:
    """A row: the word as it is written, its universal part of speech, its head (0 for the root), its relation."""

    form: str
    part_of_speech: str
    head: int
    relation: str
    before_space: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Contraction:
    """Words `first` to `last` (from 1) that are written as one: "don't", "del"."""

    form: str
    first: int
    last: int
    before_space: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TreebankSentence:
    """The words of a sentence in their order, and which of them are written as one."""

    words: tuple[TreebankWord, ...]
    contractions: tuple[Contraction, ...] = ()


def is_conllu(text: str) -> bool:
    """Whether the first line that is no comment has the columns of a treebank."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    cells = next(lines, "").split("\t")
    return len(cells) == COLUMNS and cells[0].partition("-")[0].isdigit()


def read_treebank(text: str) -> Iterator[TreebankSentence]:
    """The sentences of a treebank. Raises ValueError, naming the line, for what is no CoNLL-U."""
    rows: list[list[str]] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.strip() and not line.startswith("#"):
            rows.append(_cells(line, number))
        elif not line.strip() and rows:
            yield _sentence(rows)
            rows = []


def _cells(line: str, number: int) -> list[str]:
    cells = line.split("\t")
    if len(cells) != COLUMNS or not cells[0].replace("-", "", 1).replace(".", "", 1).isdigit():
        raise ValueError(f"line {number:,} has {len(cells)} columns, expected a number first and {COLUMNS} with tabs.")
    return cells


def _sentence(rows: list[list[str]]) -> TreebankSentence:
    spaced = [(row, _NO_SPACE not in row[9].split("|")) for row in rows]
    return TreebankSentence(
        words=tuple(
            TreebankWord(
                form=row[1], part_of_speech=row[3], head=int(row[6]) if row[6].isdigit() else 0, relation=row[7],
                before_space=before_space,
            )
            for row, before_space in spaced
            if row[0].isdigit()
        ),
        contractions=tuple(
            Contraction(
                form=row[1], first=int(row[0].partition("-")[0]), last=int(row[0].partition("-")[2]),
                before_space=before_space,
            )
            for row, before_space in spaced
            if "-" in row[0]
        ),
    )  # fmt: skip
