"""Receipts of lessons: a line of text that a student hands in, and that the teacher's page reads.

A receipt says which steps were answered how at the first try, and when. It is signed by the server, so nobody can write
one; who answered is for the course to know, by whom it was handed in.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from ui.desk.clients import browser_of_session
from ui.state.teaching import sign
from viz.kit.language import tr, trn
from viz.kit.tables import as_cell

BEGINS = "headlight-receipt-"
RIGHT, WRONG, SKIPPED, MISSING, READ = "rws-n"
SIGNS = {RIGHT: "✓", WRONG: "✗", SKIPPED: "○", MISSING: "·", READ: ""}
"""The mark of each step at the first try, as it is stored and as it is shown; a step without a question is read."""
RECEIPT = re.compile(rf"{BEGINS}([\w=-]+)\.([0-9a-f]{{32}})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The content of a receipt: the title of the lesson, a mark for each step, the time in seconds since 1970, and a
    digest of the browser."""

    title: str
    marks: str
    when: float
    browser: str


def write_receipt(title: str, marks: Mapping[str, str], n_steps: int) -> str:
    """Return the receipt of this session for a lesson, from its marks by step."""
    of_steps = (marks.get(str(step), MISSING) for step in range(n_steps))
    content = {
        "title": title,
        "marks": "".join(mark for mark in of_steps if mark != READ),
        "when": int(time.time()),
        "browser": sign(browser_of_session())[:8],
    }
    packed = base64.urlsafe_b64encode(json.dumps(content, ensure_ascii=False).encode()).decode()
    return f"{BEGINS}{packed}.{sign(packed)}"


def read_receipt(text: str) -> Receipt | None:
    """Return the content of a receipt; None for anything that this server has not signed."""
    parts = RECEIPT.match(text)
    if parts is None or not hmac.compare_digest(parts[2], sign(parts[1])):
        return None
    try:
        return Receipt(**json.loads(base64.urlsafe_b64decode(parts[1])))
    except (binascii.Error, ValueError, TypeError):
        return None


def offer_receipt(title: str, marks: Mapping[str, str], n_steps: int) -> None:
    """Draw the receipt of a lesson that is done, to be copied."""
    with st.popover(tr("Receipt for homework"), icon=":material/receipt_long:"):
        st.markdown(tr("Copy this line and hand it in. It says which steps you got right at the first try."))
        st.code(write_receipt(title, marks, n_steps), language=None, wrap_lines=True)


def receipts_in(text: str) -> list[str]:
    """Return what may be receipts in a text, whatever stands between them, and however a mail has broken their lines;
    of a text without any, the whole as one."""
    before, *parts = "".join(text.split()).split(BEGINS)
    return [f"{BEGINS}{part}" for part in parts] or [before] * bool(before)


def table_of(given: list[str], students: list[str] | None = None) -> list[dict[str, str]]:
    """Return a row for each receipt, with the student who handed it in, if any is known, and a note for those that this
    server has not signed or that come from one browser."""
    names = [
        {tr("Student"): as_cell(name)} if students and any(students) else {} for name in students or [""] * len(given)
    ]
    rows, first = [], dict[tuple[str, str], int]()
    for number, text in enumerate(given, start=1):
        receipt = read_receipt(text)
        note = "" if receipt else tr("This server did not write it, or it was changed.")
        if receipt is not None:
            earlier = first.setdefault((receipt.browser, receipt.title), number)
            note = tr("From the same browser as number {n}", n=earlier) if earlier != number else ""
        rows.append({tr("No."): str(number), **names[number - 1], **_cells(receipt), tr("Note"): note})
    return rows


def _cells(receipt: Receipt | None) -> dict[str, str]:
    if receipt is None:
        return {tr("Lesson"): "", tr("Finished"): "", tr("Right at first try"): "", tr("Steps"): ""}
    n_right, n_steps = receipt.marks.count(RIGHT), len(receipt.marks)
    return {
        tr("Lesson"): as_cell(receipt.title),
        tr("Finished"): time.strftime("%Y-%m-%d %H:%M", time.gmtime(receipt.when)),
        tr("Right at first try"): trn("{right} of {n} step", "{right} of {n} steps", n_steps, right=n_right),
        tr("Steps"): "".join(SIGNS.get(mark, "") for mark in receipt.marks),
    }
