"""Lines of a table that are none of its rows: titles above its header, the header once more, rules, totals below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from models.analysis.over_texts.delimited import MOST_TITLES
from models.values.wording import worded_n

MOST_FOOTERS = 3
_RULE = re.compile(r"[-=_*~:.+|\s]+")
_FOOTER = re.compile(
    r"\W*((grand |sub)?totals?|sum|count|average|mean|sources?|notes?|n\s*=|합계|총계|총합|소계|평균|출처|비고)"
    r"(\W|\d|$)",
    re.IGNORECASE,
)
"""How a row below a table begins."""
NumberedRow = tuple[int, list[str]]
"""The number of a line, and its cells."""


def find_header(names_columns: Sequence[bool]) -> int:
    """Return the place of the header among the first rows, by which of them names the columns; 0 where none does."""
    return next((place for place, is_header in enumerate(names_columns[: MOST_TITLES + 1]) if is_header), 0)


def drop_what_is_no_row(
    lines: Sequence[NumberedRow], header: Sequence[str], *, has_labels: bool
) -> tuple[list[NumberedRow], int]:
    """Return the lines without the `header` once more, without rules, and of a table with labels without totals and
    sources at its end; and how many lines are left out."""
    names = [cell.strip() for cell in header]
    kept = [(number, row) for number, row in lines if not _is_rule(row) and [cell.strip() for cell in row] != names]
    for _ in range(MOST_FOOTERS if has_labels else 0):
        if kept and _is_footer(kept[-1][1], [row for _, row in kept[:-1]]):
            kept.pop()
    return kept, len(lines) - len(kept)


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
            "{count} line that is no row of the table was left out: a header once more, a rule, a total or a source.",
            "{count} lines that are no rows of the table were left out: a header once more, rules, totals or sources.",
            n_left_out,
            count=f"{n_left_out:,}",
        )


def _is_rule(row: Sequence[str]) -> bool:
    return len(row) > 1 and all(_RULE.fullmatch(cell) for cell in row)


def _is_footer(row: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether a row begins as a total does, and has nothing behind that stands in another row."""
    seen = {cell.strip() for other in others for cell in other}
    written = [cell.strip() for cell in row if cell.strip()]
    return bool(written) and _FOOTER.match(written[0]) is not None and not seen.intersection(written[1:])
