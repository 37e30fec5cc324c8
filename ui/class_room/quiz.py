"""The prepared questions of a quiz on the teacher's page."""

from __future__ import annotations

import streamlit as st

from ui.class_room.asking import TIMES
from ui.shared.room_quiz import quiz_of, remove_from_quiz
from ui.shared.rooms import rooms
from ui.state.plain import plain
from ui.state.teaching import TaughtRoom
from viz.kit.language import said, to_say, tr, trn

HOW = to_say("The button in the bar above asks them one after another. On every telephone stands how many were right.")


def list_quiz(room: TaughtRoom) -> None:
    """Draw the questions of the quiz, each with a button that removes it; nothing if there is none."""
    quiz = quiz_of(rooms(), room.letters)
    if not quiz:
        return
    st.subheader(trn("A quiz of {n} question", "A quiz of {n} questions", len(quiz)), anchor=False)
    st.caption(said(HOW))
    for number, prepared in enumerate(quiz, start=1):
        question = prepared.question
        with st.container(horizontal=True, vertical_alignment="center"):
            right = ", ".join(said(question.options[place]) for place in question.right)
            st.markdown(f"{number}. {plain(said(question.text))} :gray[{plain(right)} · {_time(prepared.seconds)}]")
            st.button(
                tr("Remove"),
                key=f"quiz-remove-{question.id}",
                type="tertiary",
                on_click=remove_from_quiz,
                args=(rooms(), room.letters, room.key, question.id),
            )


def _time(seconds: float) -> str:
    return said(TIMES[int(seconds)])
