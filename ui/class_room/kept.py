"""The teacher's own question, and the answers that a room has kept."""

from __future__ import annotations

import csv
from io import StringIO

import streamlit as st

from ui.class_room.asking import MOST_OWN_OPTIONS, TIMES, own_question
from ui.class_room.messages import student_name
from ui.shared.room_values import KeptQuestion
from ui.shared.rooms import rooms
from ui.widgets.frame import part_of_page, readable_errors
from viz.kit.language import language, said, shown, tr, trn

LONGEST_QUESTION, LONGEST_ANSWERS = 300, 1000
_ASK, _LIST = "own-question", "kept-answers"


def ask_own_question(letters: str, key: str) -> None:
    """Draw a form for a question with answers to choose from, one of which may be right."""
    with st.expander(tr("A question of your own"), icon=":material/edit:", key=_ASK):
        text = st.text_input(tr("Question"), max_chars=LONGEST_QUESTION, key=f"{_ASK}-text")
        lines = st.text_area(
            tr("Answers to choose from, one a line, at most {n}", n=MOST_OWN_OPTIONS),
            max_chars=LONGEST_ANSWERS,
            key=f"{_ASK}-answers",
        )
        options = [line.strip() for line in lines.splitlines() if line.strip()]
        right = st.selectbox(
            tr("The right answer"),
            range(len(options)),
            index=None,
            format_func=lambda place: options[place] if place < len(options) else "",
            placeholder=tr("None is right or wrong"),
            key=f"{_ASK}-right-{hash(lines)}",
        )
        seconds = time_limit(f"{_ASK}-seconds")
        if st.button(tr("Ask the class"), key=f"{_ASK}-ask", icon=":material/groups:"):
            with readable_errors():
                rooms().ask(letters, key, own_question(text, options, right, seconds=seconds))


def time_limit(key: str) -> int:
    """Draw the choice of a time limit, and return its seconds, 0 for none."""
    return st.selectbox(tr("Time"), list(TIMES), key=key, format_func=lambda seconds: said(TIMES[seconds]), width=180)


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
        tr("Answers"): trn("{n} answer", "{n} answers", len(asked.answers)),
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
            writer.writerow([number, *map(_as_text, (_text_of(asked), *of_student))])
    return table.getvalue()


def _text_of(asked: KeptQuestion) -> str:
    text, _ = asked.question.wordings.get(language(), (asked.question.text, ""))
    return said(text)


def _as_text(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
