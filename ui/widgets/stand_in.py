"""A stand-in for the default model on pages that it cannot answer; it is taken away when the reader leaves.

A model that the reader has chosen, here or on another page, stays.
"""

from __future__ import annotations

import streamlit as st

from models.opening.registry import REGISTRY
from ui.state.first_visit import first_visit
from ui.state.selection import choose, is_from_link, selection

_STAND_IN = "headlight_lent_model"
_DECLINED = "headlight_declined_models"
"""The session key for stand-ins that the reader has replaced on their page."""


def stand_in(name: str) -> None:
    """Choose a model for this page, if the reader has chosen none. Call before the picker is drawn."""
    is_untouched = selection().model == first_visit().model != name and not is_from_link("model")
    if name in REGISTRY and is_untouched and name not in st.session_state.get(_DECLINED, ()):
        st.session_state[_STAND_IN] = name
        choose(model=name)


def take_stand_in_away() -> None:
    """Choose the default model again after a page with a stand-in. Call at the start of a page, with its choices
    restored."""
    stood_in = st.session_state.pop(_STAND_IN, None)
    if stood_in is None:
        return
    if selection().model == stood_in:
        choose(model=first_visit().model)
    else:
        st.session_state[_DECLINED] = (*st.session_state.get(_DECLINED, ()), stood_in)
