"""The rows of a table that can be learned from: each once, with something in both cells."""

from __future__ import annotations

from collections.abc import Iterator

from lab.data.cleaning import TableRow
from lab.data.tables import TwoColumns
from models.values.errors import LabError
from models.values.wording import Message, worded_n

LEAST_ROWS = 20
MOST_ODD = 0.2
"""Above this share of rows that cannot be read, the table is not what it was taken for."""


def whole_rows(table: TwoColumns, notes: list[str], *, wanted: str) -> tuple[TableRow, ...]:
    """Return the distinct rows with both cells filled; notes state what was left out. Raises LabError if too little is
    left."""
    n_odd, first_odd = table.n_odd, table.first_odd
    filled = [row for row in table.rows if all(row)]
    kept = tuple(dict.fromkeys(filled))
    total = len(table.rows) + n_odd
    if n_odd > MOST_ODD * max(total, 1):
        if table.separator != ",":
            raise LabError(_not_two(n_odd, total, first_odd, wanted))
        raise LabError(
            worded_n(
                "{odd} of {rows} row do not have two columns (the first is line {line}), expected {wanted} in each. "
                "Put double quotes around a text with a comma in it.",
                "{odd} of {rows} rows do not have two columns (the first is line {line}), expected {wanted} in each. "
                "Put double quotes around a text with a comma in it.",
                total,
                odd=f"{n_odd:,}",
                rows=f"{total:,}",
                line=f"{first_odd:,}",
                wanted=wanted,
            )
        )
    if len(kept) < LEAST_ROWS:
        raise LabError(
            worded_n(
                "{n} different row could be read, expected at least {least} with {wanted}. Add more, or use the "
                "sample.",
                "{n} different rows could be read, expected at least {least} with {wanted}. Add more, or use the "
                "sample.",
                len(kept),
                least=LEAST_ROWS,
                wanted=wanted,
            )
        )
    notes += _left_out(n_odd, first_odd, len(table.rows) - len(filled), len(filled) - len(kept))
    return kept


def _not_two(n_odd: int, total: int, first_odd: int, wanted: str) -> Message:
    return worded_n(
        "{odd} of {rows} row do not have two columns (the first is line {line}), expected {wanted} in each, with one "
        "and the same sign between them, a tab or a semicolon.",
        "{odd} of {rows} rows do not have two columns (the first is line {line}), expected {wanted} in each, with one "
        "and the same sign between them, a tab or a semicolon.",
        total,
        odd=f"{n_odd:,}",
        rows=f"{total:,}",
        line=f"{first_odd:,}",
        wanted=wanted,
    )


def _left_out(n_odd: int, first_odd: int, n_empty: int, n_twice: int) -> Iterator[str]:
    """Yield a sentence for each reason for which rows were left out, with their number."""
    if n_odd:
        yield worded_n(
            "{count} row without two columns was left out (the first in line {line}).",
            "{count} rows without two columns were left out (the first in line {line}).",
            n_odd,
            count=f"{n_odd:,}",
            line=f"{first_odd:,}",
        )
    if n_empty:
        yield worded_n(
            "{count} row with an empty cell was left out.",
            "{count} rows with an empty cell were left out.",
            n_empty,
            count=f"{n_empty:,}",
        )
    if n_twice:
        yield worded_n(
            "{count} row appeared twice and counted once.",
            "{count} rows appeared twice and counted once.",
            n_twice,
            count=f"{n_twice:,}",
        )
