"""Read what data sets are exported as: rows of JSON, and words with their labels between spaces (CoNLL-2003)."""

from __future__ import annotations

import csv
import io
import json
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
    if begins.startswith("["):
        rows = _parsed(text)
        return rows if isinstance(rows, list) and all(isinstance(row, dict) for row in rows) else []
    if not isinstance(_parsed(begins.partition("\n")[0]), dict):
        return []
    lines = [(number, _parsed(line)) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    odd = next((number for number, row in lines if not isinstance(row, dict)), None)
    if odd is not None:
        raise LabError(
            worded(
                "Line {line} is not a row of JSON, as the first one is. Correct it, or leave it out.",
                line=f"{odd:,}",
            )
        )
    return [row for _, row in lines]


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
        elif not isinstance(value, list):
            cells[name] = _cell(value)
    return cells


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


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
