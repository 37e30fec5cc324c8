"""The form for a question of the teacher's own, with a right answer or without."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.class_room.asking import (
    MOST_OWN_OPTIONS,
    TIMES,
    asked_sentence,
    number_options,
    own_question,
    tokens_on_show,
)
from ui.shared.room_quiz import add_to_quiz
from ui.shared.rooms import rooms
from ui.state.plain import plain
from ui.widgets.frame import readable_errors
from viz.kit.language import said, to_say, tr

LONGEST_QUESTION, LONGEST_ANSWERS = 300, 1000
KINDS = {
    "choice": to_say("One of some answers"),
    "token": to_say("A token of the sentence on show"),
    "number": to_say("A number"),
    "sentence": to_say("A sentence that they write"),
}
"""The answers to a question, by kind."""
WHO_READS = to_say("Only you read the sentences, in the bar above. You can show one to all, without a name.")
OptionsAndRight = tuple[list[str], int | None]
"""The options of a question and the place of the right one; None for none."""
_KEY = "own-question"
MOST = 1e12
"""The largest number that can be asked for."""


def ask_own_question(letters: str, key: str) -> None:
    """Draw the form of a question, and ask it."""
    with st.expander(tr("A question of your own"), icon=":material/edit:", key=_KEY), readable_errors():
        text = st.text_input(tr("Question"), max_chars=LONGEST_QUESTION, key=f"{_KEY}-text")
        kind = st.segmented_control(
            tr("How students answer"),
            list(KINDS),
            key=f"{_KEY}-kind",
            default="choice",
            required=True,
            format_func=lambda name: said(KINDS[name]),
            wrap=True,
        )
        options, right = ANSWERS[kind](letters)
        seconds = time_limit(f"{_KEY}-seconds")
        with st.container(horizontal=True):
            is_asked = st.button(tr("Ask the class"), key=f"{_KEY}-ask", icon=":material/groups:")
            is_kept = kind != "sentence" and st.button(
                tr("Add to the quiz"), key=f"{_KEY}-keep", icon=":material/playlist_add:"
            )
        if is_asked and kind == "sentence":
            rooms().ask(letters, key, asked_sentence(text, seconds=seconds))
        elif is_asked or is_kept:
            tapped = "token" if kind == "token" else "choice"
            question = own_question(text, options, right, seconds=seconds, kind=tapped)
            if is_asked:
                rooms().ask(letters, key, question)
            else:
                add_to_quiz(rooms(), letters, key, question, seconds=seconds)


def _choice(_letters: str) -> OptionsAndRight:
    """Draw the options, and return them with the right one."""
    lines = st.text_area(
        tr("Answers to choose from, one a line, at most {n}", n=MOST_OWN_OPTIONS),
        max_chars=LONGEST_ANSWERS,
        key=f"{_KEY}-answers",
    )
    return _right_one([line.strip() for line in lines.splitlines() if line.strip()])


def _token(letters: str) -> OptionsAndRight:
    """Return the tokens of the sentence on show with the right one."""
    return _right_one(tokens_on_show(rooms().room(letters).view))


def _right_one(options: list[str]) -> OptionsAndRight:
    """Draw the choice of the right option, and return both."""
    right = st.selectbox(
        tr("The right answer"),
        range(len(options)),
        index=None,
        format_func=lambda place: f"{place + 1} · {options[place]}" if place < len(options) else "",
        placeholder=tr("None is right or wrong"),
        key=f"{_KEY}-right-{hash(tuple(options))}",
    )
    return options, right


def _number(_letters: str) -> OptionsAndRight:
    """Draw the right number, and return numbers to choose from with its place among them."""
    number = st.number_input(
        tr("The right answer"), -MOST, MOST, value=None, key=f"{_KEY}-number", placeholder="?", format="%f"
    )
    if number is None:
        return [], None
    options, right = number_options(number)
    st.caption(plain(" · ".join(options)))
    return options, right


def _sentence(_letters: str) -> OptionsAndRight:
    """Say who reads the sentences; there are no options."""
    st.caption(said(WHO_READS))
    return [], None


ANSWERS: dict[str, Callable[[str], OptionsAndRight]] = {
    "choice": _choice,
    "token": _token,
    "number": _number,
    "sentence": _sentence,
}
"""The fields for the answers of each kind of question."""


def time_limit(key: str) -> int:
    """Draw the choice of a time limit, and return its seconds, 0 for none."""
    return st.selectbox(tr("Time"), list(TIMES), key=key, format_func=lambda seconds: said(TIMES[seconds]), width=180)
