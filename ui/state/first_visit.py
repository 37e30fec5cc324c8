"""The defaults that depend on the reader's language: the first model and sentence, and the models of two pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from ui.state.choices import DEFAULTS
from viz.kit.language import ENGLISH, LANGUAGES, language

_BEGUN = "headlight_language_of_defaults"
"""The session key for the language whose defaults are in use: the app's, unless the reader's own sentence is in
another."""


ENGLISH_MODEL = DEFAULTS["model"]
"""The model of pages that no model of another language serves yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstVisit:
    """The start of a reader of one language: a model, a sentence, a classifier, a translator, and the model of
    "Explanations"."""

    model: str
    text: str
    classifier: str
    translator: str
    explained: str


FIRST_VISITS = {
    ENGLISH: FirstVisit(
        model=ENGLISH_MODEL,
        text=DEFAULTS["text"],
        classifier="sentiment",
        translator="translator-es",
        explained=ENGLISH_MODEL,
    ),
    "ko": FirstVisit(
        model="headlight-ko",
        text="강아지가 고양이를 어제 마당에서 쫓았다.",
        classifier="sentiment-ko",
        translator="translator-ko",
        explained="sentiment-ko",
    ),
}
"""The first visit by language; each of LANGUAGES has one."""


def begun_in() -> str:
    """Return the language whose defaults are in use."""
    begun = st.session_state.get(_BEGUN)
    return begun if begun in LANGUAGES else language()


def begin_in(name: str) -> None:
    """Use the defaults of a language from now on."""
    st.session_state[_BEGUN] = name


def has_begun() -> bool:
    """Return whether this session already uses the defaults of a language."""
    return _BEGUN in st.session_state


def first_visit() -> FirstVisit:
    """Return the first visit in the language whose defaults are in use."""
    return FIRST_VISITS[begun_in()]


def defaults() -> dict[str, Any]:
    """Return the default of every choice, those that depend on the language among them."""
    first = first_visit()
    return DEFAULTS | {"model": first.model, "text": first.text}
