"""Read what data sets are exported as: JSON in its several forms, tables of Markdown, labels of fastText, pairs of
Moses, and words with their labels between spaces (CoNLL-2003)."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import isnan
from typing import Any

from models.analysis.over_texts.delimited import DELIMITERS
from models.values.errors import LabError
from models.values.wording import worded

DOCUMENT = "-DOCSTART-"
"""A line between two documents in the files of CoNLL."""
LONGEST_PYTHON = 1_000_000
"""Longer literals of Python are not read: they take a hundred times their size."""
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


def texts_of_json(text: str) -> str:
    """Return the longest texts of rows of JSON, or a list of texts, with an empty line between two; any other text as
    it is. Raises LabError as `table_of_json` does."""
    begins = text.lstrip()
    values = _parsed(text) if begins.startswith("[") else None
    if isinstance(values, list) and len(values) > 1 and all(isinstance(value, str) for value in values):
        return "\n\n".join(values)
    rows = list(map(_laid_open, _json_rows(text)))
    lengths = Counter[str]()
    for row in rows:
        lengths.update({name: len(cell) for name, cell in row.items()})
    return "\n\n".join(row.get(max(lengths, key=lengths.__getitem__), "") for row in rows) if lengths else text


def words_of_json(text: str) -> str:
    """Return rows of JSON that hold a list of words and one of labels, as data sets for named entities do, as a table
    with tabs and an empty line between sentences; any other text as it is. Raises LabError as `table_of_json` does."""
    sentences = [_words_with_labels(row) for row in _json_rows(text)]
    if not sentences or not all(sentences):
        return text
    return "\n\n".join("\n".join(f"{word}\t{label}" for word, label in words) for words in sentences)


def _words_with_labels(row: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """The words and labels of the first list of texts and the last list of as many; none if there are not two."""
    lists = [value for value in row.values() if isinstance(value, list) and value]
    words = next((value for value in lists if all(isinstance(word, str) for word in value)), [])
    labels = [value for value in lists if value is not words and len(value) == len(words)]
    return list(zip(words, labels[-1], strict=True)) if labels else []


def _json_rows(text: str) -> list[dict[str, Any]]:
    """The objects of a list or of the lines; none if the text does not begin as such."""
    begins = text.lstrip()
    if not begins.startswith(("[", "{")):
        return []
    whole = _rows_of(_parsed(text))
    if whole:
        return whole
    if begins.partition("\n")[0].strip() == "[":  # a part of a longer list
        text = begins = begins.removeprefix("[").strip().removesuffix("]").strip()
    first = _parsed(begins.partition("\n")[0])
    if not isinstance(first, (dict, list, tuple)):
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
        rows = [
            row if isinstance(row, dict) else _numbered(row) for row in value if isinstance(row, (dict, list, tuple))
        ]
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
    """The value of JSON, or of a row as Python writes it; the comma behind a row is left out."""
    text = text.strip().removesuffix(",")
    for parse in (json.loads, ast.literal_eval if len(text) < LONGEST_PYTHON else json.loads):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return parse(text)
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
    return "" if value is None or (isinstance(value, float) and isnan(value)) else str(value)


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
    written = [line for line in lines if line.strip()]
    lengths = {len(line.split()) for line in written}
    has_sign = any(all(sign in line for line in written) for sign in DELIMITERS)
    if has_sign or len(lengths) != 1 or max(lengths) < 2:
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
