"""The kind of attention that a new question begins with."""

from __future__ import annotations

import streamlit as st

from models.values.record import Kind
from ui.state.selection import choose
from ui.widgets.asking.which_answer import AskedAnswer

_BEGUN = "headlight_switchboard_begun"


def begin_with_kind(asked: AskedAnswer, kind: Kind) -> None:
    """Choose a kind of attention for a new question; the reader's later choice stays."""
    question = asked.info.identity, asked.text, asked.text_b
    if st.session_state.get(_BEGUN) != question:
        st.session_state[_BEGUN] = question
        choose(kind=kind)
