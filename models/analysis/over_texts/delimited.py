"""Tables as spreadsheets and collections of sentences write them: the delimiter, and the lines that are no rows.

Excel reads its delimiter from a first line such as "sep=;"; Anki writes comments in front ("#separator:tab"). The rows
of a table with tabs have no quotes, as those of Tatoeba: a quote is a letter there, unless a spreadsheet doubled it, or
all cells have them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

DELIMITERS = ("\t", "|", ";", ",")
"""The rarest in texts first: where several would do, it is meant."""
LONGEST_CELL = 131_072
LOOKED_AT = 200
"""Lines that decide which delimiter is meant."""
MOST_TITLES, ALMOST_ALL = 3, 0.9
_HINT = re.compile(r'\ufeff?\s*"?sep=(?P<sign>[^\r\n]|\\t)"?[;,\t ]*', re.IGNORECASE)
_NAMED = re.compile(r"#separator:(?P<sign>\w+|[^\w\s])", re.IGNORECASE)
_COMMENT = re.compile(r"#(\s|!|[a-z ]+:)", re.IGNORECASE)
_SIGNS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}


NumberedRow = tuple[int, list[str]]
"""The number of a line or a row, and its cells."""
TOTAL = r"((grand |sub)?totals?|sum|summe|gesamt|insgesamt|suma|count|average|mean|합계|총계|총합|소계|평균|총)"
_TOTAL = re.compile(rf"\W*{TOTAL}\W*", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d[\d.,]*\s*[%건개명]?")
_TYPE = re.compile(
    r"\(.*\)|\[.*\]|<.*>|str|string|text|varchar|int|integer|float|number|numeric|bool|boolean|object|categor(y|ical)|"
    r"discrete|continuous|class|meta|문자열|문자|정수|범주",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preamble:
    """Lines in front of the first row: how many, the `delimiter` that they name, how many are comments, and how many
    hold a title of the table in one cell."""

    n_lines: int
    delimiter: str = ""
    n_comments: int = 0
    n_titles: int = 0


def read_preamble(lines: Sequence[str]) -> Preamble:
    """Return what stands in front of the first row of a table, from its first lines."""
    n_lines = n_comments = 0
    delimiter = ""
    for number, line in enumerate(lines, start=1):
        hint = _HINT.fullmatch(line.rstrip("\r\n")) if not delimiter else None
        if hint is None and not _COMMENT.match(line.removeprefix("\ufeff")):
            if line.strip():
                break
            continue
        named = hint or _NAMED.match(line.removeprefix("\ufeff"))
        delimiter = _SIGNS.get(named["sign"].lower(), named["sign"][:1]) if named else delimiter
        n_comments += hint is None
        n_lines = number
    n_blank, n_titles = _count_titles(lines[n_lines:], delimiter)
    return Preamble(n_lines=n_lines + n_blank, delimiter=delimiter, n_comments=n_comments, n_titles=n_titles)


def names_columns(first: Iterable[str]) -> bool:
    """Whether a first row looks like the names of columns: short ones, all different, without an end of a sentence."""
    cells = list(first)
    short = all(cell and len(cell.split()) <= 3 and cell[-1] not in ".!?" for cell in cells)
    return short and len(set(cells)) == len(cells)


def numbers_of_total(row: Iterable[str]) -> list[str] | None:
    """Return the numbers of a row that has nothing else but the word “total”, or one like it; None for another row."""
    written = [cell.strip() for cell in row if cell.strip()]
    numbers = [cell for cell in written if not _TOTAL.fullmatch(cell)]
    return numbers if len(numbers) < len(written) and all(map(_NUMBER.fullmatch, numbers)) else None


def tells_types(row: Sequence[str]) -> bool:
    """Whether the cells of a row below a header tell types or units of their columns."""
    return len(row) > 1 and all(_TYPE.fullmatch(cell.strip()) for cell in row)


def _count_titles(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """Count the lines up to the names of the columns, where those in front hold one cell each, or stand apart by the
    only empty line: all, and those titles.

    0 where no row of names follows, with as many cells as nearly all rows have.
    """
    written = [number for number, line in enumerate(lines) if line.strip()]
    for n_titles in range(1, min(MOST_TITLES, len(written) - 2) + 1):
        titles, rest = [lines[number] for number in written[:n_titles]], lines[written[n_titles] :]
        sign = delimiter or likely_delimiter(rest)
        rows = _rows_of(rest, sign) if sign else []
        if any(title.count('"') % 2 for title in titles):
            return 0, 0  # a cell that goes on in the next line
        have_cells = any(sum(map(bool, map(str.strip, row))) > 1 for row in _rows_of(titles, sign or "\t"))
        if not rows or (have_cells and not _stands_alone(lines, written[n_titles])):
            continue
        names, *others = [[cell.strip() for cell in row] for row in rows]
        alike = sum(len(row) == len(names) for row in others)
        if len(names) > 1 and names_columns(names) and alike >= ALMOST_ALL * len(others) > 0:
            return written[n_titles], n_titles
    return 0, 0


def _stands_alone(lines: Sequence[str], begins: int) -> bool:
    """Whether the lines before `begins` are parted by an empty one from the others, between which there is none."""
    ends = max(number for number, line in enumerate(lines) if line.strip())
    return not lines[begins - 1].strip() and all(line.strip() for line in lines[begins:ends])


def _rows_of(lines: Sequence[str], sign: str) -> list[list[str]]:
    """The rows of lines that are not empty, as far as they can be read."""
    rows: list[list[str]] = []
    with suppress(csv.Error):  # whoever reads the row says so
        rows += filter(None, TableReader(lines[:LOOKED_AT], sign))
    return rows


def likely_delimiter(lines: Sequence[str]) -> str:
    """Return the sign that gives the most rows as many columns as the first, two or more; empty if none does."""
    looked_at = [line for line in lines[: 5 * LOOKED_AT] if line.strip()][:LOOKED_AT]
    counts = {sign: _n_alike(looked_at, sign) for sign in DELIMITERS}
    best = max(DELIMITERS, key=lambda sign: counts[sign])
    return best if counts[best] else ""


class TableReader:
    """The cells of every row, none for an empty line; empty cells behind the second one are cut off at its end.

    `line` is the line at which it is, from 1. A `strict` one raises csv.Error for quotes that do not fit.
    """

    def __init__(
        self, lines: Iterable[str], delimiter: str, *, strict: bool = False, longest: int = LONGEST_CELL
    ) -> None:
        lines = iter(lines)
        head = list(islice(lines, LOOKED_AT))
        self._has_tabs = delimiter == "\t" and not _are_quoted(head)
        dialect: dict[str, Any] = {"quoting": csv.QUOTE_NONE if self._has_tabs else csv.QUOTE_MINIMAL}
        self._rows = csv.reader(chain(head, lines), delimiter=delimiter, strict=strict, **dialect)
        self._longest = longest

    @property
    def line(self) -> int:
        """The line at which it is."""
        return self._rows.line_num

    def __iter__(self) -> Iterator[list[str]]:
        csv.field_size_limit(self._longest)  # of the process, which others may have set
        for row in self._rows:
            while len(row) > 2 and not row[-1].strip():
                row.pop()
            cells = [_unquote(cell) for cell in row] if self._has_tabs else row
            yield cells if any(cell.strip() for cell in cells) else []


def _are_quoted(lines: Sequence[str]) -> bool:
    """Whether every cell beside a tab is in quotes, as in a table whose writer quotes all."""
    with_tab = [line.strip() for line in lines if "\t" in line]
    return bool(with_tab) and all(line.count("\t") == line.count('"\t"') for line in with_tab)


def _unquote(cell: str) -> str:
    """A cell of a table with tabs; what a spreadsheet quoted, since it has quotes inside, all doubled, as it was."""
    inside = cell[1:-1]
    is_quoted = cell[:1] == cell[-1:] == '"' and '""' in inside and '"' not in inside.replace('""', "")
    return inside.replace('""', '"') if is_quoted else cell


def rows_of_table(rows: Iterable[NumberedRow], names: Sequence[str]) -> Iterator[NumberedRow]:
    """Yield the rows of a table, of one of several columns without the header once more, types below it, and a total at
    the end."""
    total: list[NumberedRow] = []
    for place, (number, row) in enumerate(rows):
        is_type = place == 0 and tells_types(row)
        if len(names) > 1 and (is_type or (place and [cell.strip() for cell in row] == list(names))):
            continue
        yield from total
        total = []
        if len(names) > 1 and numbers_of_total(row) is not None:
            total = [(number, row)]
        else:
            yield number, row


def table_lines(lines: Iterator[str]) -> tuple[Iterator[str], str, int]:
    """The lines of a table from its first row on, its delimiter, a comma if none is likely, and how many lines stand
    in front."""
    head = list(islice(lines, LOOKED_AT))
    preamble = read_preamble(head)
    delimiter = preamble.delimiter or likely_delimiter(head[preamble.n_lines :]) or ","
    return chain(head[preamble.n_lines :], lines), delimiter, preamble.n_lines


def _n_alike(lines: Sequence[str], sign: str) -> int:
    """How many rows have as many columns as the first one, if that has two or more."""
    n_columns = [len(row) for row in _rows_of(lines, sign)]
    return n_columns.count(n_columns[0]) if n_columns and n_columns[0] > 1 else 0
