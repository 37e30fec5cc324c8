"""A pasted or uploaded table of two columns: which sign separates them, whether the first row is a header."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lab.data.columns import found_columns, names_above
from lab.data.exports import as_table, table_of_json
from lab.data.header import KNOWN, named_columns
from lab.data.labels import merge_spellings
from lab.data.no_rows import (
    count_types,
    drop_what_is_no_row,
    find_header,
    notes_on_lines,
    notes_on_titles,
)
from models.analysis.over_texts.delimited import (
    LOOKED_AT,
    NumberedRow,
    Preamble,
    TableReader,
    likely_delimiter,
    read_preamble,
)
from models.values.errors import LabError
from models.values.wording import to_say, worded, worded_n

LONGEST_CELL = 1_000_000
MOST_LABELS = 50
LEAST_A_LABEL = 5
_MISSING = frozenset(
    (
        "#N/A",
        "#NAME?",
        "#VALUE!",
        "#REF!",
        "#DIV/0!",
        "#NUM!",
        "#NULL!",
        "N/A",
        "n/a",
        "NaN",
        "nan",
        "NULL",
        "<NA>",
        "\\N",
    )
)
"""Cells that spreadsheets, databases and pandas write where there is nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoColumns:
    """The rows in the wanted order of columns, their cells stripped, and the sign between them; how many others there
    were, the line of the first of those, and what a person should know."""

    rows: tuple[tuple[str, str], ...]
    separator: str
    n_odd: int = 0
    first_odd: int = 0
    notes: tuple[str, ...] = ()


def read_table(text: str, *, wanted: tuple[str, str], delimiter: str | None = None) -> TwoColumns:
    """Return two columns of a table, by the names of a header, else those that hold them. Raises LabError if there are
    not two."""
    text = table_of_json(text, lambda names: columns_of(names, wanted)[0] is not None)
    text = as_table(text)
    before, separator = front_of(text, delimiter)
    if delimiter is not None and delimiter not in text and not before.delimiter:
        likely = likely_delimiter(text.split("\n", LOOKED_AT)[:LOOKED_AT])
        names = next(_rows(text, likely, before.n_lines), (0, []))[1] if likely else []
        separator = likely if named_columns(names, wanted) else separator
    if delimiter is not None and separator not in text:
        raise LabError(
            worded(
                "There is no tab in {lines} lines, expected {first} and {second} with a tab between them on each line. "
                "Spreadsheets call this “tab-separated values (TSV)”.",
                lines=f"{len(text.splitlines()):,}",
                first=wanted[0],
                second=wanted[1],
            )
        )
    lines = [(number, row) for number, row in _rows(text, separator, before.n_lines) if row]
    if not lines:
        raise LabError(to_say("The table has no rows. Put a text, and what goes with it, on each line."))
    columns, header, lines, notes = _choose_columns(lines, separator, wanted)
    first, second = _behind_row_names(columns, header, lines) if columns else (0, 1)
    least = max(first, second) + 1
    most = max(len(header), least) if header else 2 if columns is None else sys.maxsize
    odd = [number for number, row in lines if not least <= len(row) <= most]
    fitting = [row for _, row in lines if least <= len(row) <= most]
    rows = tuple((_cell(row[first]), _cell(row[second])) for row in fitting)
    if wanted[1] == "label":
        rows, swapped = _label_last(rows) if columns is None else (rows, ())
        rows, merged = merge_spellings(rows)
        notes += (*swapped, *merged)
    notes = (*_of_front(before), *notes)
    return TwoColumns(rows=rows, separator=separator, n_odd=len(odd), first_odd=odd[0] if odd else 0, notes=notes)


def _choose_columns(
    lines: list[NumberedRow], separator: str, wanted: tuple[str, str]
) -> tuple[tuple[int, int] | None, list[str], list[NumberedRow], tuple[str, ...]]:
    """Return the places of the wanted columns, None for the two that there are; the header that names them, empty where
    none does; the rows below it; and notes."""
    has_labels = wanted[1] == "label"
    n_titles = find_header([columns_of(row, wanted)[0] is not None for _, row in lines[:LOOKED_AT]])
    lines = lines[n_titles:]
    header = lines[0][1]
    columns, notes = columns_of(header, wanted)
    if columns is None and _is_named_label([row for _, row in lines], wanted):
        columns, notes = (0, 1), (_read_as_header(header),)
    if columns is not None:
        n_below = 1 + count_subheaders([row for _, row in lines[1:]], columns, wanted)
        kept, n_left_out = drop_what_is_no_row(lines[n_below:], header, has_labels=has_labels)
        n_left_out += n_below - 1
        return columns, header, kept, (*notes_on_titles(n_titles), *notes, *notes_on_lines(n_left_out))
    names = header if names_above([row for _, row in lines], has_labels=has_labels) else []
    kept, n_left_out = drop_what_is_no_row(lines[1:] if names else lines, names, has_labels=has_labels)
    columns, notes = found_columns([row for _, row in kept], separator, has_labels=has_labels)
    return columns, [], kept, (*(_notes_on_header(names, columns) if names else notes), *notes_on_lines(n_left_out))


def count_subheaders(rows: Sequence[list[str]], columns: tuple[int, int], wanted: tuple[str, str]) -> int:
    """Count the rows below a header that name its columns once more, in another language, or tell their types."""
    n_named = int(bool(rows) and columns_of(rows[0], wanted)[0] == columns)
    return n_named + count_types(rows[n_named:], columns, has_labels=wanted[1] == "label")


def front_of(text: str, delimiter: str | None = None) -> tuple[Preamble, str]:
    """Return the preamble before the first row of a table, and the delimiter. Raises LabError."""
    lines = text.split("\n", 5 * LOOKED_AT)[: 5 * LOOKED_AT]
    before = read_preamble(lines)
    return before, before.delimiter or delimiter or separator_of(lines[before.n_lines :])


def _behind_row_names(columns: tuple[int, int], header: Sequence[str], lines: Sequence[NumberedRow]) -> tuple[int, int]:
    """Return the places of the columns, one further where each row begins with its own number, for which the header
    has no name (R's write.table)."""
    names = {row[0] for _, row in lines if len(row) == len(header) + 1 and row[0].strip().isdigit()}
    return (columns[0] + 1, columns[1] + 1) if header and len(names) == len(lines) > 0 else columns


def _of_front(before: Preamble) -> Iterator[str]:
    if before.n_comments:
        yield worded_n(
            "{count} line of comments in front was left out.",
            "{count} lines of comments in front were left out.",
            before.n_comments,
            count=f"{before.n_comments:,}",
        )
    yield from notes_on_titles(before.n_titles)


def _rows(text: str, separator: str, n_before: int) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of every row behind the first lines, none for an empty one. Raises LabError."""
    lines = io.StringIO(text)
    for _ in range(n_before):
        lines.readline()
    reader = TableReader(lines, separator, strict=True, longest=LONGEST_CELL)
    try:
        for row in reader:
            yield n_before + reader.line, row
    except csv.Error as error:
        raise LabError(
            worded(
                "The table cannot be read at line {line}. A quoted text needs a double quote at both ends, any double "
                "quote inside must be written twice, and a cell has at most {most} characters.",
                line=f"{n_before + reader.line:,}",
                most=f"{LONGEST_CELL:,}",
            )
        ) from error


def separator_of(lines: Sequence[str]) -> str:
    """Return the sign that gives the most rows as many columns as the first row, two or more. Raises LabError."""
    best = likely_delimiter(lines)
    if not best:
        raise LabError(
            worded(
                "No line of the table has two columns (the first is “{first}”), expected a text and a label with a "
                "comma, a semicolon or a tab between them.",
                first=next((line for line in lines if line.strip()), "")[:60],
            )
        )
    return best


def columns_of(first: list[str], wanted: tuple[str, str]) -> tuple[tuple[int, int] | None, tuple[str, ...]]:
    """Return the indices of the wanted columns by the header; None if the first row is not a header."""
    columns = named_columns(first, wanted)
    return columns, _notes_on_header(first, columns) if columns is not None else ()


def _notes_on_header(names: Sequence[str], columns: tuple[int, int] | None) -> tuple[str, ...]:
    """Return notes on the first row, and which of its columns are read."""
    read_as = _read_as_header(names)
    if columns is None or len(names) == len(columns):
        return (read_as,)
    return read_as, worded("Of its columns, {cells} were read.", cells=_quoted([names[place] for place in columns]))


def _is_named_label(rows: Sequence[list[str]], wanted: tuple[str, str]) -> bool:
    """Whether the first of rows with two cells has a known name over the labels, which is none of them."""
    first, *others = [[cell.strip().lower() for cell in row] for row in rows if len(row) == len(wanted)] or [[]]
    is_named = rows[0:1] != [] and len(rows[0]) == len(wanted) and wanted[1] == "label" and first[1] in KNOWN["label"]
    return is_named and len(others) > 1 and all(row[1] != first[1] for row in others)


def _read_as_header(first: Sequence[str]) -> str:
    return worded("The first row was read as a header: {cells}.", cells=_quoted(first[:6]))


def _quoted(cells: Sequence[str]) -> str:
    return ", ".join(f"“{cell.strip()[:30]}”" for cell in cells)


def _label_last(rows: tuple[tuple[str, str], ...]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the rows with the label in the second column: it is the one with few different values, each several times
    in a table that has few rows."""
    first, second = (Counter(row[column] for row in rows) for column in (0, 1))
    if min(MOST_LABELS, len(rows) // 2) < len(second) and len(first) <= min(MOST_LABELS, len(rows) // LEAST_A_LABEL):
        return tuple((text, label) for label, text in rows), (to_say("The label was found in the first column."),)
    return rows, ()


def _cell(cell: str) -> str:
    """The text of a cell; of one that says that there is none, nothing."""
    cell = cell.strip()
    return "" if cell in _MISSING else cell
