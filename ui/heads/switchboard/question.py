"""The question to the model, the kind of attention to begin with, and words to hide."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.record import Kind
from ui.desk.ask import open_model, record_selection
from ui.state.selection import choose, selection
from ui.widgets.asking.hide_words import hide_words
from ui.widgets.asking.which_answer import AskedAnswer, possible_answers, which_answer
from ui.widgets.notes import say_notes
from viz.kit.language import tr

_BEGUN = "headlight_switchboard_begun"


def ask_the_model(box: DeltaGenerator) -> AskedAnswer | None:
    """Draw the question's widgets in `box`, and return the question; None, with the reason shown, if there is none."""
    chosen, recording = selection(), record_selection()
    info = open_model(chosen.model, chosen.device).info
    say_notes(info, recording.tokens, (chosen.text, chosen.text_b), recording.note)
    label = tr("Question")
    return which_answer(info, recording, lambda _, n: [box.popover(label, icon=":material/help:", width="stretch")] * n)


def begin_with_kind(asked: AskedAnswer, kind: Kind) -> None:
    """Choose a kind of attention for a new question; the reader's later choice stays."""
    question = asked.info.identity, asked.text, asked.text_b
    if st.session_state.get(_BEGUN) != question:
        st.session_state[_BEGUN] = question
        choose(kind=kind)


def hide_a_word(asked: AskedAnswer | None) -> None:
    """Draw the words to hide, if a masked word is asked for or could be."""
    chosen = selection()
    info = open_model(chosen.model, chosen.device).info if asked is None else asked.info
    if "mask" in possible_answers(info) and (asked is None or asked.whole.of == "mask"):
        hide_words()
