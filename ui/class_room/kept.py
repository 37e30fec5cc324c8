"""The list of the questions that were asked in a room, with all answers as a table."""

from __future__ import annotations

import csv
from io import StringIO

import streamlit as st

from ui.shared.room_values import KeptQuestion
from ui.shared.rooms import rooms
from ui.shared.student_names import student_name
from ui.widgets.frame import part_of_page
from viz.kit.language import language, said, shown, tr, trn
from viz.kit.tables import as_cell

_LIST = "kept-answers"


@st.fragment(run_every="3s")
def list_answers(letters: str) -> None:
    """Draw the questions that were asked, with how many were right at first try, and all answers as a table."""
    with part_of_page():
        kept = rooms().kept(letters)
        if not kept:
            return
        st.subheader(tr("Answers"), anchor=False)
        rows = [_row(number, asked) for number, asked in enumerate(kept, start=1)]
        st.dataframe(rows, hide_index=True, width="stretch", key=_LIST)
        st.download_button(
            tr("All answers as CSV"),
            csv_of(kept).encode("utf-8-sig"),
            file_name=f"headlight-{letters}.csv",
            mime="text/csv",
            icon=":material/download:",
        )


def _row(number: int, asked: KeptQuestion) -> dict[str, str]:
    share = asked.right_at_first()
    return {
        tr("No."): str(number),
        tr("Question"): _text_of(asked),
        tr("Answers"): trn("{n} answer", "{n} answers", len(asked.answers) + len(asked.sentences)),
        tr("Right at first try"): "" if share is None else f"{100 * share:.0f}%",
    }


def csv_of(kept: tuple[KeptQuestion, ...]) -> str:
    """Return a table with a line for each answer of each student."""
    table = StringIO()
    writer = csv.writer(table)
    writer.writerow(["number", "question", "student", "first_answer", "answer", "right"])
    for number, asked in enumerate(kept, start=1):
        options, right = [shown(option) for option in asked.question.options], asked.question.right
        for answer in asked.answers:
            is_right = str(answer.choice in right).lower() if right else ""
            of_student = student_name(answer.place), options[answer.first], options[answer.choice], is_right
            writer.writerow([number, *map(as_cell, (_text_of(asked), *of_student))])
        for place, text in asked.sentences:
            writer.writerow([number, *map(as_cell, (_text_of(asked), student_name(place), text, text, ""))])
    return table.getvalue()


def _text_of(asked: KeptQuestion) -> str:
    text, _ = asked.question.wordings.get(language(), (asked.question.text, ""))
    return said(text)
