"""The reader's choice of languages for a model that offers several."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.text.languages import Languages
from ui.state.selection import run_again, selection

OFFERED = "headlight_languages_offered"
"""The session key for the model whose choice of languages was last drawn."""
RUN_AGAIN = "headlight_run_again_for_languages"
"""The session key for the model for which the page was run again to draw that choice."""


def in_chosen_languages(model: Model, name: str) -> Model:
    """Return the model, set to the chosen languages.

    Runs the page again if the chosen model has several and was not yet open when the page drew its bar.
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
    """Return the languages with the reader's choice applied, as far as the model knows them."""
    chosen = selection()
    return languages.choose_known(source=chosen.source_language, target=chosen.target_language)
