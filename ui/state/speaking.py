"""The language of a session: the reader's choice, or a link's, or else the browser's."""

from __future__ import annotations

import streamlit as st

from ui.state.selection import is_from_link
from viz.kit.language import LANGUAGES, preferred_language, speak

CHOICE = "lang"


def speak_as_chosen() -> None:
    """Set the language of this thread to the session's. Each run of a script or a fragment is a thread of its own."""
    name = st.query_params.get(CHOICE, "") if is_from_link(CHOICE) else st.session_state.get(CHOICE, "")
    speak(name if name in LANGUAGES else preferred_language(st.context.headers.get("Accept-Language", "")))


def choose_language(name: str) -> None:
    """Choose another language of LANGUAGES for this session, from the next run on."""
    if name in LANGUAGES:
        st.session_state[CHOICE] = name
