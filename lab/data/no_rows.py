"""Lines of a table that are none of its rows: titles above its header, the header once more, types and units, rules,
totals below."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from models.analysis.over_texts.delimited import (
    MOST_TITLES,
    TOTAL,
    NumberedRow,
    names_columns,
    numbers_of_total,
    tells_types,
)
from models.values.wording import worded_n

MOST_FOOTERS = 3
_RULE = re.compile(r"[-=_*~:.+|\s]+")
_FOOTER = re.compile(rf"\W*({TOTAL}|sources?|notes?|n\s*=|출처|비고)(\W|\d|$)", re.IGNORECASE)
"""How a row below a table begins."""
MOST_TYPES = 2


def find_header(names_columns: Sequence[bool]) -> int:
    """Return the place of the header among the first rows, by which of them names the columns; 0 where none does."""
    return next((place for place, is_header in enumerate(names_columns[: MOST_TITLES + 1]) if is_header), 0)


def drop_what_is_no_row(
    lines: Sequence[NumberedRow], header: Sequence[str], *, has_labels: bool
) -> tuple[list[NumberedRow], int]:
    """Return the lines without the `header` once more, without rules, without totals at the end, and of a table with
    labels without sources there; and how many lines are left out."""
    names = [cell.strip() for cell in header]
    rows = [(number, row) for number, row in lines if not _is_rule(row) and [cell.strip() for cell in row] != names]
    kept = drop_totals(rows, has_labels=has_labels)
    return kept, len(lines) - len(kept)


def drop_totals(lines: Sequence[NumberedRow], *, has_labels: bool) -> list[NumberedRow]:
    """Return the lines without totals at their end, and of a table with labels without sources there."""
    kept = list(lines)
    for _ in range(MOST_FOOTERS):
        if kept and _is_footer(kept[-1][1], [row for _, row in kept[:-1]], has_labels=has_labels):
            kept.pop()
    return kept


def count_types(rows: Sequence[Sequence[str]], columns: tuple[int, int], *, has_labels: bool) -> int:
    """Count the rows directly below a header that are none of a table: types and units, or names in other words above
    labels that all come twice."""
    label = columns[1]
    labels = Counter(row[label].strip() for row in rows[MOST_TYPES:] if label < len(row))
    are_labels = has_labels and len(labels) > 1 and min(labels.values()) > 1
    for place, row in enumerate(rows[:MOST_TYPES]):
        cells = [row[column].strip() for column in columns if column < len(row)]
        is_other = has_labels and len(cells) > 1 and cells[1] not in labels
        is_name = are_labels and names_columns(cells)
        if not is_other or not (is_name or tells_types(cells)):
            return place
    return min(MOST_TYPES, len(rows))


def notes_on_titles(n_titles: int) -> Iterator[str]:
    """Yield a note on titles above the header, if there are any."""
    if n_titles:
        yield worded_n(
            "{count} line with a title in front was left out.",
            "{count} lines with titles in front were left out.",
            n_titles,
            count=f"{n_titles:,}",
        )


def notes_on_lines(n_left_out: int) -> Iterator[str]:
    """Yield a note on lines that are no rows, if there are any."""
    if n_left_out:
        yield worded_n(
            "{count} line that is no row was left out: a header once more, types, a rule, a total or a source.",
            "{count} lines that are no rows were left out: a header once more, types, rules, totals or sources.",
            n_left_out,
            count=f"{n_left_out:,}",
        )


def _is_rule(row: Sequence[str]) -> bool:
    return len(row) > 1 and all(_RULE.fullmatch(cell) for cell in row)


def _is_footer(row: Sequence[str], others: Sequence[Sequence[str]], *, has_labels: bool) -> bool:
    """Whether a row is a sum with numbers behind it, of which no other row has one; or, below labels, begins as a total
    or a source does. Nothing of it but the first cell stands in another row."""
    written = [cell.strip() for cell in row if cell.strip()]
    numbers = numbers_of_total(written)
    begins = has_labels and written != [] and _FOOTER.match(written[0]) is not None
    if numbers is None and not begins:
        return False
    seen = {cell.strip() for other in others for cell in other}
    return not seen.intersection(written[1:] if numbers is None else numbers)
