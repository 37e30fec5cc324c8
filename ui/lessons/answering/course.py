"""Results of homework for a course: receipts with the students who handed them in, as a table that learning platforms
import."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import StringIO

import streamlit as st

from ui.lessons.answering.receipts import BEGINS, RECEIPT, RIGHT, read_receipt, receipts_in, table_of
from viz.kit.language import tr
from viz.kit.tables import as_cell

MOST_RECEIPTS, LONGEST, LONGEST_NAME = 500, 1_000_000, 100
"""The most receipts that are read at once, the most characters of all, and of a name."""
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
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
    before, *parts = "".join(text.split()).split(BEGINS)
    found = [RECEIPT.match(BEGINS + part) for part in parts]
    after = [part[match.end() - len(BEGINS) :] if match else "" for part, match in zip(parts, found, strict=True)]
    return (
        [_name_in(between) for between in [before, *after][: len(receipts_in(text))]] if parts else [""] * bool(before)
    )


def _name_in(text: str) -> str:
    """Return the last address of a mail in a text; the whole text, if there is none."""
    addresses = _ADDRESS.findall(text)
    return addresses[-1] if addresses else text.strip(_AROUND)[-LONGEST_NAME:]


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
