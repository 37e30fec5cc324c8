"""The languages that the reader has chosen for a model of many, handed to the model as it is asked."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.text.languages import Languages
from ui.state.selection import run_again, selection

OFFERED = "headlight_languages_offered"
"""In the session: the model for which the choice of languages was last drawn."""
RUN_AGAIN = "headlight_run_again_for_languages"
"""In the session: the model for which the page was run again to draw it."""


def in_chosen_languages(model: Model, name: str) -> Model:
    """Return the model, set to the chosen languages.

    Runs the page again if the chosen model has some to choose from, and was not open yet when the page drew its bar.
    """
    languages = model.info.languages
    if languages is None:
        return model
    state = st.session_state
    if name == selection().model and state.get(OFFERED) == "" and state.get(RUN_AGAIN) != name:
        state[RUN_AGAIN] = name
        run_again()
    chosen = languages_in_use(languages)
    return model.in_languages(source=chosen.source, target=chosen.target)


def languages_in_use(languages: Languages) -> Languages:
    """Return the languages with the reader's choice in use, as far as the model knows them."""
    chosen = selection()
    return languages.choose_known(source=chosen.source_language, target=chosen.target_language)
