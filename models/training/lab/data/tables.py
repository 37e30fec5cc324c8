"""A pasted or uploaded table of two columns: which sign separates them, whether the first row is a header."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from models.values.errors import LabError
from models.values.wording import to_say, worded

DELIMITERS = ("\t", ";", ",")
"""The rarest in texts first: where several would do, it is meant."""
SEPARATOR_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs"}
LOOKED_AT = 200
"""Rows that decide which sign separates the columns."""
LONGEST_CELL = 1_000_000
MOST_LABELS = 50
_KNOWN = {
    "text": {"text", "texts", "sentence", "review", "comment", "message", "content", "document", "tweet", "문장"},
    "word": {"word", "words", "token", "form", "단어", "낱말"},
    "label": {"label", "labels", "class", "category", "sentiment", "target", "tag", "topic", "pos", "upos", "ner",
              "라벨", "레이블", "품사"},
    "source": {"source", "src", "english", "en", "eng", "input", "from", "원문"},
    "target": {"target", "tgt", "trg", "spanish", "korean", "german", "french", "es", "ko", "de", "fr", "output", "to",
               "translation", "español", "한국어", "번역"},
}  # fmt: skip
"""What a header calls a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoColumns:
    """The rows in the wanted order of columns, their cells stripped; how many others there were, the line of the first
    of those, and what a person should know."""

    rows: tuple[tuple[str, str], ...]
    n_odd: int = 0
    first_odd: int = 0
    notes: tuple[str, ...] = ()


def read_table(text: str, *, wanted: tuple[str, str], delimiter: str | None = None) -> TwoColumns:
    """Two columns of a table, by the names of a header, else the first two. Raises LabError if there are not two."""
    separator = delimiter or separator_of(text)
    if delimiter is not None and delimiter not in text:
        raise LabError(
            worded(
                "There is no tab in {lines} lines, expected {first} and {second} with a tab between them on each line. "
                "Spreadsheets call this “tab-separated values (TSV)”.",
                lines=f"{text.count(chr(10)) + 1:,}", first=wanted[0], second=wanted[1],
            )
        )  # fmt: skip
    lines = [(number, row) for number, row in _rows(text, separator) if any(cell.strip() for cell in row)]
    if not lines:
        raise LabError(to_say("The table has no rows. Put a text, and what goes with it, on each line."))
    columns, notes = columns_of(lines[0][1], wanted)
    if columns is not None:
        lines = lines[1:]
    first, second = columns or (0, 1)
    n_columns = max(first, second) + 1
    exact = columns is None
    fitting = [(number, row) for number, row in lines if (len(row) == 2 if exact else len(row) >= n_columns)]
    odd = [number for number, row in lines if not (len(row) == 2 if exact else len(row) >= n_columns)]
    rows = tuple((row[first].strip(), row[second].strip()) for _, row in fitting)
    if columns is None and wanted[1] == "label":
        rows, swapped = _label_last(rows)
        notes += swapped
    return TwoColumns(rows=rows, n_odd=len(odd), first_odd=odd[0] if odd else 0, notes=notes)


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of every row. A TSV has no quotes: there, a quote is a letter. Raises LabError."""
    csv.field_size_limit(LONGEST_CELL)
    lines = io.StringIO(text)
    if separator == "\t":
        reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE, strict=True)
    else:
        reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise LabError(
            worded(
                "The table cannot be read at line {line}: {why}. A quoted text needs a double quote at both ends, and "
                "any double quote inside must be written twice.",
                line=f"{reader.line_num:,}", why=str(error),
            )
        ) from error  # fmt: skip


def separator_of(text: str) -> str:
    """The sign that gives the most rows as many columns as the first row, two or more."""
    lines = [line for line in text.split("\n", 5 * LOOKED_AT)[: 5 * LOOKED_AT] if line.strip()][:LOOKED_AT]

    def alike(sign: str) -> int:
        n_columns = [len(row) for row in csv.reader(lines, delimiter=sign)]
        return n_columns.count(n_columns[0]) if n_columns and n_columns[0] > 1 else 0

    best = max(DELIMITERS, key=alike)
    if not alike(best):
        raise LabError(
            worded(
                "No line of the table has two columns (the first is “{first}”), expected a text and a label with a "
                "comma, a semicolon or a tab between them.",
                first=lines[0][:60],
            )
        )
    return best


def columns_of(first: list[str], wanted: tuple[str, str]) -> tuple[tuple[int, int] | None, tuple[str, ...]]:
    """Where a header says that the wanted columns are, None if the first row is none."""
    names = [cell.strip().lower() for cell in first]
    found = [next((at for at, name in enumerate(names) if name in _KNOWN[one]), None) for one in wanted]
    if found[0] is None or found[1] is None or found[0] == found[1]:
        return None, ()
    shown = ", ".join(f"“{cell.strip()[:30]}”" for cell in first[:6])
    return (found[0], found[1]), (worded("The first row was read as a header: {cells}.", cells=shown),)


def _label_last(rows: tuple[tuple[str, str], ...]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The rows with the label in the second column: it is the one with few different values."""
    first, second = (Counter(row[at] for row in rows) for at in (0, 1))
    if len(second) > MOST_LABELS >= len(first):
        return tuple((text, label) for label, text in rows), (to_say("The label was found in the first column."),)
    return rows, ()
