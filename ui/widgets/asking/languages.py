"""The choice of the languages of a multilingual translator."""

from __future__ import annotations

import streamlit as st

from models.values.errors import HeadlightError
from models.values.text.languages import Languages
from ui.desk.ask import OPEN_MODELS, place_of
from ui.desk.languages import OFFERED, RUN_AGAIN, languages_in_use
from ui.state.selection import selection
from viz.kit.language import tr

SOURCE, TARGET = "source_language", "target_language"
_WIDE = 150
"""The width of a field in CSS pixels."""


def pick_languages() -> None:
    """Draw the choice of the model's languages once it is open; nothing for a model without languages."""
    languages = _languages_of_chosen()
    st.session_state[OFFERED] = "" if languages is None else selection().model
    if languages is None:
        return
    st.session_state[RUN_AGAIN] = ""
    chosen = languages_in_use(languages)
    _pick(SOURCE, tr("Read as"), languages.sources, chosen.source)
    targets = languages.targets if languages.target else ("", *languages.targets)
    _pick(TARGET, tr("Translated into"), targets, chosen.target)


def _languages_of_chosen() -> Languages | None:
    chosen = selection()
    try:
        model = OPEN_MODELS.peek(*place_of(chosen.model, chosen.device))
    except HeadlightError:  # shown where the model is asked
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
