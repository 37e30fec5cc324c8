"""The button with which a teacher asks the class the question of a lesson."""

from __future__ import annotations

import streamlit as st

from models.lessons import Outcome
from ui.class_room.asking import of_outcome
from ui.shared.rooms import rooms
from ui.state.teaching import taught
from ui.widgets.frame import readable_errors


def offer_to_class(text: str, sentence: str, kind: str, outcome: Outcome, *, says: str) -> None:
    """Draw the button, if this session teaches a room. `kind` is what is tapped, `says` what the model's answer is in
    words, `sentence` what the question is about."""
    room = taught()
    if room is None:
        return
    if st.button("Ask the class", icon=":material/groups:", key="ask-the-class"):
        with readable_errors():
            question = of_outcome(f"{text} {sentence}".strip(), kind, outcome, says=says)
            rooms().ask(*room, question)
