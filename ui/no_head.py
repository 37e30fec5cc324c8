"""A model that lacks what a page asks of it: why, in its own words, and the way to one that has it."""

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
    offer(DEFAULT_MODEL)


def offer(model: str) -> None:
    """A button that changes to another model."""
    st.button(f"Use {model}", on_click=_use, args=(model,), type="primary")


def _use(model: str) -> None:
    st.session_state["model"] = model
