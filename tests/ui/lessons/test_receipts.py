"""Receipts: what a lesson writes is what a teacher reads, and nothing else is believed."""

from __future__ import annotations

import base64
import json

import pytest

from tests.ui.lessons.test_page import opened, press
from tests.ui.test_pages import alone
from ui.lessons.answering.course import MOST_RECEIPTS, course_table, students_in, without_receipt
from ui.lessons.answering.receipts import (
    BEGINS,
    MISSING,
    RIGHT,
    SKIPPED,
    WRONG,
    read_receipt,
    receipts_in,
    table_of,
    write_receipt,
)
from ui.lessons.library import own_lessons

CLASS_ROOM = "pages/class_room.py"
TITLE = '어텐션 = "attention" <b>'
MARKS = {"0": RIGHT, "1": WRONG, "3": SKIPPED}


def test_a_receipt_is_read_as_it_was_written() -> None:
    receipt = read_receipt(write_receipt(TITLE, MARKS, 5))
    assert receipt is not None
    assert (receipt.title, receipt.marks) == (TITLE, RIGHT + WRONG + MISSING + SKIPPED + MISSING)


@pytest.mark.parametrize("text", ["", "hello", BEGINS, f"{BEGINS}e30=.", "학교.학교", "a.b.c", "\x00." + "0" * 32])
def test_nothing_else_is_read(text: str) -> None:
    assert read_receipt(text) is None


def test_a_changed_receipt_is_not_read() -> None:
    packed, signature = write_receipt(TITLE, MARKS, 5).removeprefix(BEGINS).split(".")
    content = json.loads(base64.urlsafe_b64decode(packed)) | {"marks": RIGHT * 5}
    better = base64.urlsafe_b64encode(json.dumps(content).encode()).decode()
    assert read_receipt(f"{BEGINS}{packed}.{signature}") is not None
    assert read_receipt(f"{BEGINS}{better}.{signature}") is None


def test_a_table_says_what_was_right_and_what_was_handed_in_twice() -> None:
    first, other = write_receipt(TITLE, MARKS, 5), write_receipt("Another lesson", MARKS, 4)
    rows = table_of([first, other, "hello", first])
    assert [row["Lesson"] for row in rows] == [TITLE, "Another lesson", "", TITLE]
    assert rows[0]["Steps"] == "✓✗·○·"
    assert rows[0]["Right at first try"] == "1 of 5 steps"
    assert [row["Note"] for row in rows] == [
        "",
        "",
        "This server did not write it, or it was changed.",
        "From the same browser as number 1",
    ]


def test_receipts_are_found_in_a_mail() -> None:
    first, other = write_receipt(TITLE, MARKS, 5), write_receipt("Another lesson", MARKS, 4)
    given = receipts_in(f"Anna: {first[:50]}\n{first[50:]}\nBen,{other}\n{BEGINS}x")
    assert [receipt and receipt.title for receipt in map(read_receipt, given)] == [TITLE, "Another lesson", None]
    assert receipts_in(" hello\n") == ["hello"]
    assert receipts_in(" \n") == []


def test_a_course_gets_a_line_for_each_student_and_a_column_for_each_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    early, other, foreign = write_receipt("A", MARKS, 5), write_receipt("=B", {"0": RIGHT, "1": RIGHT}, 2), f"{BEGINS}x"
    monkeypatch.setattr("time.time", lambda: 4e9)
    late = write_receipt("A", {str(step): RIGHT for step in range(5)}, 5)
    text = (
        f"Ann <ann@x.edu>: {late}\nann@x.edu, {early[:40]}\n{early[40:]}\n=4711\t{other}\n{other}\nben@x.edu {foreign}"
    )
    given, students = receipts_in(text), students_in(text)
    assert students == ["ann@x.edu", "ann@x.edu", "=4711", "", "ben@x.edu"]
    lines = course_table(zip(students, given, strict=True)).splitlines()
    assert lines == ["email,A (of 5),'=B (of 2)", "ann@x.edu,1,", "'=4711,,2"]
    assert [row["Student"] for row in table_of(given, students)] == [
        "ann@x.edu",
        "ann@x.edu",
        "'=4711",
        "",
        "ben@x.edu",
    ]
    assert students_in("hello") == [""]
    broken_off = f"Ben Kim ben@x.edu {BEGINS}x\nAnn Lee ann@x.edu {other}\ncy@x.edu I lost mine"
    assert students_in(broken_off) == ["ben@x.edu", "ann@x.edu"]
    assert without_receipt(broken_off) == ["cy@x.edu"]
    assert students_in("") == []


def test_no_title_is_a_formula() -> None:
    assert table_of([write_receipt("=1+1", MARKS, 5)])[0]["Lesson"] == "'=1+1"


def test_a_lesson_that_is_done_gives_a_receipt_and_a_teacher_reads_it() -> None:
    named = own_lessons()["attention"]
    last = len(named.lesson.steps) - 1
    app = press(opened(lesson="attention", lesson_step=last - 1), "skip-")
    assert not app.code
    app = press(press(app, "lesson-next"), "skip-")
    (code,) = [element.value for element in app.code if element.value.startswith(BEGINS)]
    receipt = read_receipt(code)
    assert receipt is not None
    assert receipt.marks == MISSING * (last - 1) + SKIPPED * 2
    app = press(press(app, "again-"), "skip-")
    teacher = alone(CLASS_ROOM)
    teacher.text_area(key="receipts").set_value("\n".join([code] * (MOST_RECEIPTS + 1))).run()
    table = teacher.dataframe[0].value
    assert len(table) == MOST_RECEIPTS
    assert table["Lesson"][0] == named.lesson.title
    assert not teacher.exception
