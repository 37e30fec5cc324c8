"""A page that the default model cannot answer opens with a model of its own, and gives the reader's back.

A model that the reader has chosen, here or on another page, stays.
"""

from __future__ import annotations

import streamlit as st

from models.opening.registry import REGISTRY
from ui.state.choices import DEFAULTS
from ui.state.selection import is_from_link

_LENT = "headlight_lent_model"
_DECLINED = "headlight_declined_models"
"""Models that the reader has changed for another one, on the page that had lent them."""


def lend(name: str) -> None:
    """Show this page with a model, if the reader has chosen none. Call before the picker is drawn."""
    is_untouched = st.session_state["model"] == DEFAULTS["model"] and not is_from_link("model")
    if name in REGISTRY and is_untouched and name not in st.session_state.get(_DECLINED, ()):
        st.session_state["model"] = st.session_state[_LENT] = name


def give_back() -> None:
    """Take back what the page before has lent. Call at the start of every page, once its choices are restored."""
    lent = st.session_state.pop(_LENT, None)
    if lent is None:
        return
    if st.session_state["model"] == lent:
        st.session_state["model"] = DEFAULTS["model"]
    else:
        st.session_state[_DECLINED] = (*st.session_state.get(_DECLINED, ()), lent)
