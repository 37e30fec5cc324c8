"""The form for a question of the teacher's own, with a right answer or without."""

from __future__ import annotations

import streamlit as st

from ui.class_room.asking import MOST_OWN_OPTIONS, TIMES, number_options, own_question, tokens_on_show
from ui.shared.rooms import rooms
from ui.state.plain import plain
from ui.widgets.frame import readable_errors
from viz.kit.language import said, to_say, tr

LONGEST_QUESTION, LONGEST_ANSWERS = 300, 1000
KINDS = {
    "choice": to_say("One of some answers"),
    "token": to_say("A token of the sentence on show"),
    "number": to_say("A number"),
}
"""The answers to a question, by kind."""
_KEY = "own-question"
MOST = 1e12
"""The largest number that can be asked for."""


def ask_own_question(letters: str, key: str) -> None:
    """Draw the form of a question, and ask it."""
    with st.expander(tr("A question of your own"), icon=":material/edit:", key=_KEY), readable_errors():
        text = st.text_input(tr("Question"), max_chars=LONGEST_QUESTION, key=f"{_KEY}-text")
        kind = st.segmented_control(
            tr("What students tap"),
            list(KINDS),
            key=f"{_KEY}-kind",
            default="choice",
            required=True,
            format_func=lambda name: said(KINDS[name]),
        )
        options, right = _number() if kind == "number" else _option(letters, kind)
        seconds = time_limit(f"{_KEY}-seconds")
        if st.button(tr("Ask the class"), key=f"{_KEY}-ask", icon=":material/groups:"):
            question = own_question(
                text, options, right, seconds=seconds, kind="token" if kind == "token" else "choice"
            )
            rooms().ask(letters, key, question)


def _option(letters: str, kind: str) -> tuple[list[str], int | None]:
    """Draw the options, or read the tokens of the sentence on show, and return them with the right one."""
    if kind == "token":
        options = tokens_on_show(rooms().room(letters).view)
    else:
        lines = st.text_area(
            tr("Answers to choose from, one a line, at most {n}", n=MOST_OWN_OPTIONS),
            max_chars=LONGEST_ANSWERS,
            key=f"{_KEY}-answers",
        )
        options = [line.strip() for line in lines.splitlines() if line.strip()]
    right = st.selectbox(
        tr("The right answer"),
        range(len(options)),
        index=None,
        format_func=lambda place: f"{place + 1} · {options[place]}" if place < len(options) else "",
        placeholder=tr("None is right or wrong"),
        key=f"{_KEY}-right-{hash(tuple(options))}",
    )
    return options, right


def _number() -> tuple[list[str], int | None]:
    """Draw the right number, and return numbers to choose from with its place among them."""
    number = st.number_input(tr("The right answer"), -MOST, MOST, value=None, key=f"{_KEY}-number", placeholder="?")
    if number is None:
        return [], None
    options, right = number_options(number)
    st.caption(plain(" · ".join(options)))
    return options, right


def time_limit(key: str) -> int:
    """Draw the choice of a time limit, and return its seconds, 0 for none."""
    return st.selectbox(tr("Time"), list(TIMES), key=key, format_func=lambda seconds: said(TIMES[seconds]), width=180)
