"""The languages that the chosen model reads and writes, if it expects them as input."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.errors import HeadlightError
from models.values.text.languages import Languages
from ui.state.opened import OPEN_MODELS, place_of
from ui.state.selection import run_again
from viz.kit.language import tr

SOURCE, TARGET = "source_language", "target_language"
_WIDE = 150
"""CSS pixels of a field."""
_OFFERED, _RUN_AGAIN = "headlight_languages_offered", "headlight_run_again_for_languages"
"""The model for which the choice was last drawn, and the one for which the page was run again to draw it."""


def pick_languages() -> None:
    """Show the choice of the languages of the model, once it is open; nothing for a model without languages."""
    languages = _languages_of_chosen()
    st.session_state[_OFFERED] = "" if languages is None else st.session_state["model"]
    if languages is None:
        return
    st.session_state[_RUN_AGAIN] = ""
    chosen = in_use(languages)
    _pick(SOURCE, tr("Read as"), languages.sources, chosen.source)
    targets = languages.targets if languages.target else ("", *languages.targets)
    _pick(TARGET, tr("Translated into"), targets, chosen.target)


def told(model: Model, name: str) -> Model:
    """Return the model, set to the chosen languages. Runs the page again if the chosen model has some to choose from,
    and was not open yet when the page drew its bar."""
    languages = model.info.languages
    if languages is None:
        return model
    state = st.session_state
    if name == state["model"] and state.get(_OFFERED) == "" and state.get(_RUN_AGAIN) != name:
        state[_RUN_AGAIN] = name
        run_again()
    chosen = in_use(languages)
    return model.in_languages(source=chosen.source, target=chosen.target)


def in_use(languages: Languages) -> Languages:
    """Return the languages with the reader's choice in use, as far as the model knows them."""
    return languages.choose_known(source=st.session_state[SOURCE], target=st.session_state[TARGET])


def _languages_of_chosen() -> Languages | None:
    try:
        model = OPEN_MODELS.opened(*place_of(st.session_state["model"], st.session_state["device"]))
    except HeadlightError:  # it is said where the model is asked
        return None
    return None if model is None else model.info.languages


def _pick(name: str, label: str, offered: tuple[str, ...], chosen: str) -> None:
    if len(offered) < 2:
        return
    if st.session_state[name] != chosen:
        st.session_state[name] = chosen
    st.selectbox(
        label,
        offered,
        key=name,
        width=_WIDE,
        help=tr("The codes are those of the model's own tokenizer."),
        format_func=lambda code: code or tr("as the text says"),
    )
