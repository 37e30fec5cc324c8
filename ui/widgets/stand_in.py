"""A stand-in for the default model on pages that it cannot answer; it is taken away when the reader leaves.

A model that the reader has chosen, here or on another page, stays.
"""

from __future__ import annotations

import streamlit as st

from models.opening.registry import REGISTRY, languages_of
from ui.state.first_visit import ENGLISH_MODEL, first_visit
from ui.state.selection import choose, is_from_link, selection
from viz.kit.language import ENGLISH, language, said, to_say, tr

_STAND_IN = "headlight_lent_model"
_DECLINED = "headlight_declined_models"
"""The session key for stand-ins that the reader has replaced on their page."""
FIRST_SENTENCES = (
    to_say("The dog barked at the cat."),
    to_say("Anna went to the bakery. She bought some bread."),
    to_say("Anna went to the bakery. The day after Monday is Tuesday."),
    to_say("The man went to the shop and bought some"),
)
"""The sentences that English stand-ins open with; a translation says what they mean."""


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


def say_stand_in() -> None:
    """Say in other languages that an English model answers on this page, and what its first sentence means."""
    if language() == ENGLISH or languages_of(selection().model) != languages_of(ENGLISH_MODEL):
        return
    why = tr("No model of this app has learned this in your language, so an English one answers.")
    chosen = selection()
    shown = f"{chosen.text} {chosen.text_b}".strip()
    means = tr("The sentence means: {meaning}", meaning=said(shown)) if shown in FIRST_SENTENCES else ""
    st.caption(f"{why} {means}".strip())
