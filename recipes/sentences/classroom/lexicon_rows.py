"""How the tables of the classroom sentences are read: lines of words become rows with columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_HE = {"he": "he", "him": "him", "his": "his", "himself": "himself", "man": "man", "boy": "boy"}
_SHE = {"he": "she", "him": "her", "his": "her", "himself": "herself", "man": "woman", "boy": "girl"}
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)


@dataclass(frozen=True, slots=True)
class LexiconRow:
    """One line of a table: `row.capital` is its word in the column "capital", and the row as text its first word."""

    number: int
    columns: Mapping[str, str]

    def __getattr__(self, column: str) -> str:
        try:
            return self.columns[column]
        except KeyError:
            raise AttributeError(f"no column {column!r}, only {', '.join(self.columns)}.") from None

    def __str__(self) -> str:
        return next(iter(self.columns.values()))


def table_of_lines(lines: str) -> tuple[LexiconRow, ...]:
    header, *rows = (line.split() for line in lines.strip().splitlines())
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"the line {' '.join(row)!r} has {len(row)} words, expected {len(header)}.")
    return tuple(
        LexiconRow(number, dict(zip(header, (word.replace("_", " ") for word in row), strict=True)))
        for number, row in enumerate(rows)
    )


def one_column(words: str) -> tuple[LexiconRow, ...]:
    return tuple(LexiconRow(number, {"word": word.replace("_", " ")}) for number, word in enumerate(words.split()))


def people(male: str, female: str) -> tuple[LexiconRow, ...]:
    spelled = [(word, _HE) for word in male.split()] + [(word, _SHE) for word in female.split()]
    return tuple(LexiconRow(number, {"word": word} | pronouns) for number, (word, pronouns) in enumerate(spelled))


def numbers() -> tuple[LexiconRow, ...]:
    words = _NUMBERS.split()
    following = zip(words, words[1:], words[2:], strict=False)
    return tuple(
        LexiconRow(number, {"word": word, "before": before, "after": after})
        for number, (before, word, after) in enumerate(following)
    )


def sums() -> tuple[LexiconRow, ...]:
    words = _NUMBERS.split()
    pairs = [(a, b) for a in range(1, 11) for b in range(1, 11)]
    return tuple(
        LexiconRow(number, {"left": words[a], "right": words[b], "sum": words[a + b]})
        for number, (a, b) in enumerate(pairs)
    )


def cycle(words: str, name: str) -> tuple[LexiconRow, ...]:
    listed = words.split()
    return tuple(
        LexiconRow(number, {name: word, "before": listed[number - 1], "after": listed[(number + 1) % len(listed)]})
        for number, word in enumerate(listed)
    )
