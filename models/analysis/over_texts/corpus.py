"""The texts of a corpus, one after the other: lines, a column of a CSV, a treebank in CoNLL-U, or a folder of them.

A sentence of a treebank that says what governs what is a `ParsedSentence`; everything else is a string. What cannot be
read raises TextError, which says what was given, what was expected and what to do.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, islice
from pathlib import Path

from models.analysis.dependencies import ParsedSentence
from models.analysis.over_texts.conllu import parsed, read_treebank
from models.values.errors import TextError

SUFFIXES = (".txt", ".csv", ".conllu")
SEPARATORS = (",", ";", "\t")
SAMPLE = Path(__file__).parent / "sample" / "sentences.txt"
"""A thousand sentences of books in the public domain, one a line; `LICENCE.md` beside them says where they are from."""
CorpusText = str | ParsedSentence
"""What a model reads: a text, or a sentence whose grammar is known."""
TextColumn = str | int
"""A column of a table by the name in its first row; or by its number, from 1, where the first row is a text already."""

BINARY = (
    "{}: line {:,} holds characters that no text has. Save the file as plain text in UTF-8, or paste the sentences."
)
NOT_UTF8 = "{} is not text in UTF-8. Save it as UTF-8, or paste the sentences."
HOLDS = {
    ".txt": "{} holds no text. Expected a sentence a line.",
    ".csv": "{}: the column holds no text. Expected a sentence in each row: choose another column.",
    ".conllu": "{} holds no sentence. Expected ten columns a word with tabs between, and an empty line after each "
    "sentence (universaldependencies.org/format).",
}
EMPTY_TABLE = "{} is empty. Expected a table with a text in each row."
NO_COLUMN = (
    "{} has no column {}. Its first row says: {}. Choose one of these columns; or, where the first row is a text "
    "already, a column by its number, 1 to {}."
)
TOO_MANY_CELLS = (
    "{}, row {:,}, has {} cells, the first row has {}. Put a text that holds the separator into quotation marks."
)
BROKEN_TABLE = "{}, row {:,}, cannot be read as a table: {}. Write a text a row, with quotation marks around it."


@cache
def sample_texts() -> tuple[str, ...]:
    """The sample that comes with the app."""
    return tuple(reading for reading in texts_of(SAMPLE) if isinstance(reading, str))


def text_of(reading: CorpusText) -> str:
    """What a model is handed."""
    return reading if isinstance(reading, str) else reading.text


def texts_of(path: Path, *, column: TextColumn = "") -> Iterator[CorpusText]:
    """The texts of a file, by how it is called, or of all such files of a folder. Raises TextError."""
    if path.is_dir():
        files = sorted(each for each in path.iterdir() if each.suffix in SUFFIXES)
        if not files:
            raise TextError(
                f"The folder {path.name} has no file that ends in {', '.join(SUFFIXES)}. Give one that has."
            )
        for file in files:
            yield from texts_of(file, column=column)
        return
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            yield from texts_in(lines, path.name, column=column)
    except UnicodeDecodeError as error:
        raise TextError(NOT_UTF8.format(path.name)) from error


def texts_in(lines: Iterable[str], name: str, *, column: TextColumn = "") -> Iterator[CorpusText]:
    """The texts of the lines of a file, whose `name` says how they are written; empty ones are passed over. Raises
    TextError where there is none, too."""
    suffix, checked = suffix_of(name), _checked(lines, name)
    found: Iterator[CorpusText] = (
        _of_treebank(checked, name)
        if suffix == ".conllu"
        else (text.strip() for text in (_cells(checked, name, column) if suffix == ".csv" else checked))
    )
    n_texts = 0
    for reading in found:
        if reading:
            n_texts += 1
            yield reading
    if not n_texts:
        raise TextError(HOLDS[suffix].format(name))


def suffix_of(name: str) -> str:
    """How a file is written, by its name: one of SUFFIXES, the first for every other."""
    return next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), SUFFIXES[0])


def columns_of(lines: Iterable[str], name: str) -> tuple[str, ...]:
    """The cells of the first row of a CSV. Raises TextError for one that has none."""
    first = next((row for _, row in _rows(_checked(lines, name), name) if any(cell.strip() for cell in row)), None)
    if first is None:
        raise TextError(EMPTY_TABLE.format(name))
    return tuple(cell.strip() for cell in first)


def names_columns(first: Iterable[str]) -> bool:
    """Whether a first row looks like the names of columns: short ones, all different, without an end of a sentence."""
    cells = list(first)
    short = all(cell and len(cell.split()) <= 3 and cell[-1] not in ".!?" for cell in cells)
    return short and len(set(cells)) == len(cells)


def _checked(lines: Iterable[str], name: str) -> Iterator[str]:
    """The lines as they are. Raises TextError for what is no text at all."""
    for number, line in enumerate(lines, start=1):
        if "\0" in line:
            raise TextError(BINARY.format(name, number))
        yield line


def _of_treebank(lines: Iterable[str], name: str) -> Iterator[CorpusText]:
    """Sentences with their grammar where it is known, else their texts."""
    try:
        for sentence in read_treebank(lines):
            known = parsed(sentence)
            yield known or sentence.text or " ".join(word.form for word in sentence.words)
    except TextError as error:
        raise TextError(
            f"{name} is no whole treebank in CoNLL-U: {error} Mend that sentence, or leave it out."
        ) from error


def _cells(lines: Iterable[str], name: str, column: TextColumn) -> Iterator[str]:
    """The cells of one column of a table."""
    rows = _rows(lines, name)
    number, first = next(rows, (0, []))
    if not first:
        raise TextError(EMPTY_TABLE.format(name))
    names = [cell.strip() for cell in first]
    if column in names:
        at = names.index(str(column))
    elif str(column).isdigit() and 1 <= int(column) <= len(names):
        at, rows = int(column) - 1, chain([(number, first)], rows)
    else:
        raise TextError(NO_COLUMN.format(name, repr(column), ", ".join(map(_short, names)), len(names)))
    for number, row in rows:
        if len(row) > len(names):
            raise TextError(TOO_MANY_CELLS.format(name, number, len(row), len(names)))
        yield row[at] if at < len(row) else ""


def _rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table that are not empty, with their numbers from 1."""
    rest = iter(lines)
    first = list(islice(rest, 2))
    number = 0
    try:
        for number, row in enumerate(csv.reader(chain(first, rest), delimiter=_separator(first)), start=1):
            if row:
                yield number, row
    except csv.Error as error:
        raise TextError(BROKEN_TABLE.format(name, number + 1, error)) from error


def _separator(first: list[str]) -> str:
    """What stands between the cells: what makes the first two lines of a table equally many, if anything does."""
    for separator in SEPARATORS:
        with suppress(csv.Error):  # it is said of the row, by whoever reads it
            lengths = {len(row) for row in csv.reader(first, delimiter=separator)}
            if len(lengths) == 1 and max(lengths) > 1:
                return separator
    return SEPARATORS[0]


def _short(cell: str) -> str:
    return cell if len(cell) <= 30 else f"{cell[:29]}…"
