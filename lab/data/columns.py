"""Find the columns with the texts in a table without a header that has more than two.

Collections of sentences have more: Tatoeba's pairs stand between numbers, or before the names of those who wrote them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from models.analysis.over_texts.delimited import names_columns
from models.values.wording import worded

LEAST_OTHERS = 4
"""The fewest rows by which it is told that another one names the columns."""
_NUMBER = re.compile(r"[-+]?\d[\d.,]*")
ALMOST_ALL = 0.9
"""The share of the rows, or of the cells of a column, that have to be alike."""
_NO_TEXT = re.compile(
    r"\s*|[-+]?[\d.,:/ -]+|[a-z]{2,3}([-_][A-Za-z]{2,4})?|https?://\S+|.*\b(CC[- ]BY|Attribution:|tatoeba\.org).*",
    re.DOTALL,
)
"""A cell that is not text: empty, a number or a date, a language, an address, an author and a licence."""


def found_columns(
    rows: Sequence[Sequence[str]], separator: str, *, has_labels: bool
) -> tuple[tuple[int, int] | None, tuple[str, ...]]:
    """Return the places of both columns, with a note, if nearly all rows have as many columns, three or more; else
    None.

    A comma with a space behind it stands within a text, and between no columns.
    """
    lengths = Counter(map(len, rows))
    n_columns = lengths.most_common(1)[0][0]
    whole = [row for row in rows if len(row) == n_columns]
    if separator == "\t":  # a tab is never part of a text, so behind the first two columns cells may be missing
        n_columns = max(length for length, n_rows in lengths.items() if n_rows > (1 - ALMOST_ALL) * len(rows))
        whole = [[*row, *[""] * (n_columns - len(row))] for row in rows if 1 < len(row) <= n_columns]
    if n_columns < 3 or len(whole) < ALMOST_ALL * len(rows) or (separator == "," and _are_texts_cut(whole)):
        return None, ()
    columns = [[row[column].strip() for row in whole] for column in range(n_columns)]
    chosen = _label(columns) if has_labels else _pair(columns)
    if chosen is None:
        return None, ()
    return chosen, (_note(n_columns, chosen),)


def names_above(rows: Sequence[Sequence[str]], *, has_labels: bool) -> bool:
    """Whether the first row names columns, by words that nobody knows: above numbers alone, or above labels that all
    come twice."""
    first, *others = [[cell.strip() for cell in row] for row in rows]
    others = [row for row in others if len(row) == len(first)]
    if len(others) < LEAST_OTHERS or len(first) < 2 or not names_columns(first):
        return False
    columns = list(zip(*others, strict=True))
    is_above_numbers = any(
        _NUMBER.fullmatch(name) is None and all(map(_NUMBER.fullmatch, column))
        for name, column in zip(first, columns, strict=True)
    )
    labels = [Counter(column) for column in columns if has_labels]
    is_above_labels = any(
        first[place] not in counts and len(counts) > 1 and min(counts.values()) > 1
        for place, counts in enumerate(labels)
    )
    return is_above_numbers or is_above_labels


def outer_columns(rows: Sequence[Sequence[str]]) -> tuple[tuple[int, int] | None, tuple[str, ...]]:
    """Return the places of the first and the last column of words, with a note, if all rows have as many, three or
    more; else None. In the files of CoNLL the last one has the label."""
    lengths = set(map(len, rows))
    if len(lengths) != 1 or max(lengths) < 3:
        return None, ()
    chosen = 0, max(lengths) - 1
    return chosen, (_note(max(lengths), chosen),)


def _note(n_columns: int, chosen: tuple[int, int]) -> str:
    return worded(
        "The table has {n} columns and no header: columns {first} and {second} were read, the others left out.",
        n=n_columns,
        first=chosen[0] + 1,
        second=chosen[1] + 1,
    )


def _are_texts_cut(rows: Sequence[Sequence[str]]) -> bool:
    return sum(any(cell.startswith(" ") for cell in row[1:]) for row in rows) > (1 - ALMOST_ALL) * len(rows)


def _pair(columns: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Return the first two columns of texts."""
    texts = [index for index, column in enumerate(columns) if _holds_texts(column)]
    return (texts[0], texts[1]) if len(texts) > 1 else None


def _label(columns: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Return the column of the longest texts, and of the others the one of the fewest different cells, at least two."""
    kept = [index for index, column in enumerate(columns) if any(column)]
    text = max(kept, key=lambda index: sum(map(len, columns[index])))
    others = [index for index in kept if index != text and 1 < len(set(columns[index])) < len(columns[index])]
    return (text, min(others, key=lambda index: len(set(columns[index])))) if others else None


def _holds_texts(column: Sequence[str]) -> bool:
    return sum(_NO_TEXT.fullmatch(cell) is None for cell in column) > (1 - ALMOST_ALL) * len(column)
