"""Results of homework for a course: receipts with the students who handed them in, as a table that learning platforms
import."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import StringIO

import streamlit as st

from ui.lessons.answering.receipts import BEGINS, RIGHT, read_receipt, receipts_in, table_of
from ui.state.plain import plain
from viz.kit.language import tr
from viz.kit.tables import as_cell

MOST_RECEIPTS, LONGEST, LONGEST_NAME = 500, 1_000_000, 100
"""The most receipts that are read at once, the most characters of all, and of a name."""
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_BEGINS = re.compile(r"\s*".join(map(re.escape, BEGINS)))
_SIGNED = re.compile(r"(?:\s*[\w=-])+\s*\.(?:\s*[0-9a-f]){32}", re.ASCII)
"""The beginning of a receipt, and what follows it, however a mail has broken their lines."""
_AROUND = ",;:|<>()[]\"'`"
"""Signs that stand around a name in a mail or a table."""


def check_receipts() -> None:
    """Draw the box in which a teacher puts receipts, what they say, and the table for a course."""
    with st.expander(tr("Check receipts of homework"), icon=":material/receipt_long:"):
        placeholder = f"anna@example.edu {BEGINS}…"
        text = st.text_area(tr("Receipts, one in a line"), key="receipts", placeholder=placeholder, max_chars=LONGEST)
        st.caption(tr("With the student's address before each, they make a table for your course."))
        given, students = receipts_in(text)[:MOST_RECEIPTS], students_in(text)[:MOST_RECEIPTS]
        if not given:
            return
        st.dataframe(table_of(given, students), hide_index=True, width="stretch")
        if missing := without_receipt(text):
            st.caption(plain(tr("Without a receipt: {students}", students=", ".join(missing[:MOST_RECEIPTS]))))
        st.caption(tr("✓ right at the first try, ✗ not, ○ skipped, · not answered. Times are in UTC."))
        if any(students):
            st.download_button(
                tr("Results as CSV for a course"),
                course_table(zip(students, given, strict=True)).encode(),
                file_name="headlight-results.csv",
                mime="text/csv",
                icon=":material/download:",
            )


def students_in(text: str) -> list[str]:
    """Return who handed in each of the receipts in a text: the address or the number that stands before it, or nothing.

    The list is as long as that of `receipts_in`.
    """
    before, *parts = _BEGINS.split(text)
    if not parts:
        return [""] * bool(before.strip())
    return [_name_in(before), *map(_next_name, parts[:-1])]


def _next_name(part: str) -> str:
    """Return the name behind a receipt, for the next one; behind one that is broken off, only an address."""
    receipt = _SIGNED.match(part)
    return _name_in(part[receipt.end() :] if receipt else " ".join(_ADDRESS.findall(part)))


def _name_in(text: str) -> str:
    """Return the last address of a mail in a text; the whole text, if there is none."""
    addresses = _ADDRESS.findall(text)
    return addresses[-1] if addresses else "".join(text.split()).strip(_AROUND)[-LONGEST_NAME:]


def without_receipt(text: str) -> list[str]:
    """Return the addresses of a mail in a text that stand before no receipt, in their order."""
    named = set(students_in(text))
    return [address for address in dict.fromkeys(_ADDRESS.findall(text)) if address not in named]


def course_table(handed_in: Iterable[tuple[str, str]]) -> str:
    """Return a table in CSV from pairs of a student and a receipt: a line for each student, a column for each lesson,
    and in it the number of steps that were right at the first try. Of two receipts for a lesson the earlier counts."""
    lessons: dict[tuple[str, int], None] = {}
    points: dict[str, dict[tuple[str, int], tuple[float, int]]] = {}
    for student, text in handed_in:
        receipt = read_receipt(text)
        if not student or receipt is None:
            continue
        lesson = receipt.title, len(receipt.marks)
        lessons.setdefault(lesson)
        known, found = points.setdefault(student, {}), (receipt.when, receipt.marks.count(RIGHT))
        known[lesson] = min(known.get(lesson, found), found)
    table = StringIO()
    writer = csv.writer(table)
    writer.writerow(["email", *(as_cell(f"{title} (of {n_steps})") for title, n_steps in lessons)])
    for student, known in points.items():
        writer.writerow([as_cell(student), *(known[lesson][1] if lesson in known else "" for lesson in lessons)])
    return table.getvalue()
