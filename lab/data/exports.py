"""Read what data sets are exported as: JSON in its several forms, tables of Markdown, labels of fastText, pairs of
Moses, and words with their labels between spaces (CoNLL-2003)."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from models.values.errors import LabError
from models.values.wording import worded

DOCUMENT = "-DOCSTART-"
"""A line between two documents in the files of CoNLL."""
_SENTENCE = ("sentence", "sent")
"""How the name of a column begins that numbers the sentences."""


def table_of_json(text: str, is_header: Callable[[list[str]], bool]) -> str:
    """Return rows of JSON, one a line or all in a list, as a table with commas; any other text as it is.

    Tables inside a row are laid open: {"translation": {"en": …, "ko": …}} has the columns en and ko. The names of the
    columns stand in front if they are a header of what is wanted. Raises LabError for a line that is not JSON among
    others that are.
    """
    rows = list(map(_laid_open, _json_rows(text)))
    if not rows:
        return text
    names = list(dict.fromkeys(name for row in rows for name in row))
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    written.write("sep=,\n")
    if is_header(names):
        writer.writerow(names)
    writer.writerows([row.get(name, "") for name in names] for row in rows)
    return written.getvalue()


def _json_rows(text: str) -> list[dict[str, Any]]:
    """The objects of a list or of the lines; none if the text does not begin as such."""
    begins = text.lstrip()
    if not begins.startswith(("[", "{")):
        return []
    whole = _rows_of(_parsed(text))
    if whole:
        return whole
    first = _parsed(begins.partition("\n")[0])
    if not isinstance(first, (dict, list)):
        return []
    lines = [(number, _parsed(line)) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    odd = next((number for number, row in lines if type(row) is not type(first)), None)
    if odd is not None:
        raise LabError(
            worded(
                "Line {line} is not a row of JSON, as the first one is. Correct it, or leave it out.",
                line=f"{odd:,}",
            )
        )
    return [row if isinstance(row, dict) else _numbered(row) for _, row in lines]


def _rows_of(value: Any) -> list[dict[str, Any]]:
    """The rows of JSON that is one value: a list of rows, columns by their names, or a table with either inside."""
    if isinstance(value, list) and len(value) > 1:
        rows = [row if isinstance(row, dict) else _numbered(row) for row in value if isinstance(row, (dict, list))]
        return rows if len(rows) == len(value) and len(set(map(type, value))) == 1 else []
    if not isinstance(value, dict):
        return []
    names = value.get("columns")
    if isinstance(names, list) and isinstance(value.get("data"), list):
        return [dict(zip(map(str, names), row, strict=False)) for row in value["data"] if isinstance(row, list)]
    lists = (_rows_of(part) for part in value.values() if isinstance(part, list))
    return next(filter(None, lists), []) or _rows_by_names(value)


def _rows_by_names(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a table of columns, which are lists or numbered, or those of a table of rows."""
    parts = [part for part in table.values() if isinstance(part, (list, dict)) and part]
    if len(parts) < 2 or len(parts) < len(table):
        return []
    rows = [part for part in parts if isinstance(part, dict)]
    if len(rows) == len(parts) and not all(key.isdigit() for row in rows for key in row):
        return rows
    columns = [list(part.values() if isinstance(part, dict) else part) for part in parts]
    return [dict(zip(table, cells, strict=True)) for cells in zip(*columns, strict=False)]


def _numbered(cells: Sequence[Any]) -> dict[str, Any]:
    """A row without names."""
    return {str(place): cell for place, cell in enumerate(cells)}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _laid_open(row: Mapping[str, Any]) -> dict[str, str]:
    """The cells of a row by the names of their columns, those of tables inside it among them; lists are left out."""
    cells: dict[str, str] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            cells |= {inner: _cell(one) for inner, one in value.items() if not isinstance(one, (dict, list))}
        elif isinstance(value, list):
            cells |= {name: _cell(value[0])} if len(value) == 1 and not isinstance(value[0], (dict, list)) else {}
        else:
            cells[name] = _cell(value)
    return cells


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


_RULE = re.compile(r"[\s|:-]+")
_FASTTEXT = re.compile(r"__label__(?P<label>\S+)\s+(?P<text>.+)")
_MARKED = re.compile(r"\|(.+)\|")
_MOSES = "|||"
_SINGLE_QUOTES = re.compile(r"'(.*)'\s*[,;]\s*'([^',;]*)'")
_SPACED_QUOTES = re.compile(r"""(\"(?:[^\"]|\"\")*\"|[^\",;]*)([,;])\s+(\"(?:[^\"]|\"\")*\")""")


def as_table(text: str) -> str:
    """Return text whose every line is written in another way than a table, with its delimiter named in front."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        return text
    if found := _all_match(_FASTTEXT, lines):
        return "sep=\t\n" + "\n".join(f"{line['text']}\t{line['label']}" for line in found)
    if all(line.count(_MOSES) == 1 and "\t" not in line for line in lines):
        return "sep=\t\n" + "\n".join(line.replace(_MOSES, "\t") for line in lines)
    if found := _all_match(_MARKED, lines):
        return "sep=|\n" + "\n".join(line[1] for line in found if not _RULE.fullmatch(line[0]))
    return _with_other_quotes(lines) or text


def _with_other_quotes(lines: Sequence[str]) -> str:
    """Rows of two cells in single quotes, or in double ones with a space before them; else nothing."""
    if found := _all_match(_SINGLE_QUOTES, lines):
        return "sep=\t\n" + "\n".join("\t".join(line.groups()) for line in found)
    if found := _all_match(_SPACED_QUOTES, lines):
        return f"sep={found[0][2]}\n" + "\n".join(f"{line[1]}{found[0][2]}{line[3]}" for line in found)
    return ""


def _all_match(pattern: re.Pattern[str], lines: Sequence[str]) -> list[re.Match[str]]:
    """The matches of all lines; none if one does not match."""
    found = [match for line in lines if (match := pattern.fullmatch(line))] if pattern.fullmatch(lines[0]) else []
    return found if len(found) == len(lines) else []


def words_between_tabs(text: str) -> str:
    """Return rows of words between spaces, as CoNLL-2003 has them, with tabs in their place; any other text as it is.
    Lines between documents are empty then."""
    lines = ["" if line.startswith(DOCUMENT) else line for line in text.split("\n")]
    lengths = {len(line.split()) for line in lines if line.strip()}
    if "\t" in text or len(lengths) != 1 or max(lengths) < 2:
        return text
    return "\n".join("\t".join(line.split()) for line in lines)


def apart_by_number(rows: Sequence[list[str]], header: Sequence[str]) -> Iterator[list[str]]:
    """Yield rows with an empty one before each new number of a sentence, where a column of the header has these."""
    column = next((place for place, name in enumerate(header) if name.strip().lower().startswith(_SENTENCE)), None)
    before = ""
    for row in rows:
        number = row[column] if column is not None and column < len(row) else ""
        if number and number != before:
            before = number
            yield []
        yield row
