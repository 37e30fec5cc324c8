"""A model that lacks the head which a page asks: why, in its own words, and a way on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from models.errors import MissingHeadError
from models.registry import DEFAULT_MODEL
from ui.plain import plain


def say_why_not(ask: Callable[[], object]) -> None:
    """Say what asking the model raises, and offer the embedded model, which has all heads."""
    try:
        ask()
    except MissingHeadError as error:
        st.info(plain(str(error)), icon=":material/info:")
    st.button(f"Use {DEFAULT_MODEL}", on_click=_use_default_model, type="primary")


def _use_default_model() -> None:
    st.session_state["model"] = DEFAULT_MODEL
