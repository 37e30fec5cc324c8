"""A page that the default model has nothing to say to opens with a stand-in, and takes it away when the reader leaves.

A model that the reader has chosen, here or on another page, stays.
"""

from __future__ import annotations

import streamlit as st

from models.opening.registry import REGISTRY
from ui.state.choices import DEFAULTS
from ui.state.selection import choose, is_from_link, selection

_STAND_IN = "headlight_lent_model"
_DECLINED = "headlight_declined_models"
"""Models that the reader has changed for another one, on the page that had opened with them."""


def stand_in(name: str) -> None:
    """Show this page with a model, if the reader has chosen none. Call before the picker is drawn."""
    is_untouched = selection().model == DEFAULTS["model"] and not is_from_link("model")
    if name in REGISTRY and is_untouched and name not in st.session_state.get(_DECLINED, ()):
        st.session_state[_STAND_IN] = name
        choose(model=name)


def take_stand_in_away() -> None:
    """Show the default model again after a page with a stand-in. Call at the start of a page, its choices restored."""
    stood_in = st.session_state.pop(_STAND_IN, None)
    if stood_in is None:
        return
    if selection().model == stood_in:
        choose(model=DEFAULTS["model"])
    else:
        st.session_state[_DECLINED] = (*st.session_state.get(_DECLINED, ()), stood_in)
