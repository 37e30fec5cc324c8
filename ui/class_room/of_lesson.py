"""The button that asks the class the question of a lesson."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from lessons import Outcome
from ui.class_room.asking import question_of_outcome
from ui.class_room.own_question import time_limit
from ui.shared.room_values import Wordings
from ui.shared.rooms import rooms
from ui.state.teaching import taught
from ui.widgets.frame import readable_errors
from viz.kit.language import LANGUAGES, language, read_in, tr


def offer_to_class(
    worded_now: Callable[[], tuple[str, str]],
    kind: str,
    outcome: Outcome,
    *,
    is_about_view: bool,
    key: str = "ask-the-class",
) -> None:
    """Draw the button if this session teaches a room.

    `worded_now` returns the question and the model's answer in words in the current language; `kind` is what students
    tap. A question that `is_about_view` is asked beside what the class sees now.
    """
    room = taught()
    if room is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        is_asked = st.button(tr("Ask the class"), icon=":material/groups:", key=key)
        seconds = time_limit(f"{key}-seconds")
    if is_asked:
        with readable_errors():
            wordings = in_all_languages(worded_now)
            text, says = wordings[language()]
            question = question_of_outcome(text, kind, outcome, says=says, wordings=wordings, seconds=seconds)
            about_view = rooms().room(room[0]).view.number if is_about_view else question.about_view
            rooms().ask(*room, replace(question, about_view=about_view))


def in_all_languages(worded_now: Callable[[], tuple[str, str]]) -> Wordings:
    """Return a wording in each language."""
    wordings = {}
    for name in LANGUAGES:
        with read_in(name):
            wordings[name] = worded_now()
    return wordings
