"""The reader's own sentence in a lesson as a class sees it: what was typed and tapped, and the prediction."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping

import streamlit as st

from lessons import KINDS, Ask, Fact, Outcome, fill_template
from lessons.parameters import LONGEST_TEXT, LONGEST_WORD
from ui.class_room.of_lesson import offer_to_class
from ui.lessons.answering.predicting import is_predicted, take_over_prediction, written_prediction
from ui.lessons.library import question_in_words
from ui.state.selection import choose, selection
from viz.kit.language import said, shown

TYPED, TAPPED = ("text", "text_b", "word", "leave_out"), ("query", "key", "token", "among")
"""The parameters of a question that a reader types, and those that are tapped."""
_GUESS = "guess"
_TOLD, _BROUGHT = "headlight_told_own_sentence", "headlight_brought_own_sentence"


def take_over_own(key: str) -> None:
    """Fill the inputs with the sentence that a page in front of a class brings. Call it before they are drawn."""
    own = selection().lesson_own
    if not own or own == st.session_state.get(_TOLD, ""):
        return
    brought = _parse_own(own)
    st.session_state[_BROUGHT] = brought
    for name in brought.keys() & TYPED:
        st.session_state[f"{key}-{name}"] = brought[name][: LONGEST_TEXT if name.startswith("text") else LONGEST_WORD]


def brought_positions(name: str, n_tokens: int) -> list[int]:
    """Return the tokens that were tapped in front of the class, once; none if none were brought."""
    tapped = st.session_state.get(_BROUGHT, {}).pop(name, "").replace("#", "").split(", ")
    return [int(each) for each in tapped if each.isascii() and each.isdecimal() and int(each) < n_tokens]


def agree_on_own(about: Hashable, ask: Ask, outcome: Outcome) -> None:
    """Take over the prediction that was brought, and let the class of this session see the question and its own."""
    take_over_prediction(about, outcome, st.session_state.pop(_BROUGHT, {}).get(_GUESS, ""))
    given = {name: ask.text(name) for name in (*TYPED, *TAPPED)} | {_GUESS: written_prediction(about)}
    show_own({name: value for name, value in given.items() if value})


def show_own(own: Mapping[str, str]) -> None:
    """Let the class of this session see the question about the own sentence; {} for none."""
    st.session_state[_TOLD] = json.dumps(own) if own else ""
    choose(lesson_own=st.session_state[_TOLD])


def offer_own(about: Hashable, ask: Ask, facts: Mapping[str, Fact], outcome: Outcome) -> None:
    """Draw the button that asks the class about the own sentence, as long as the page does not show the answer."""
    kind = KINDS[ask.what]

    def worded_now() -> tuple[str, str]:
        sentence = " ".join(f"“{text}”" for text in (ask.text("text"), ask.text("text_b")) if text)
        return f"{question_in_words(ask, facts)} {sentence}", fill_template(said(kind.says), facts, shown)

    offer_to_class(worded_now, kind.tap, outcome, is_about_view=not is_predicted(about), key="ask-about-own")


def _parse_own(text: str) -> dict[str, str]:
    """Parse the output of `show_own`, which comes with an address and is untrusted; {} for anything else."""
    try:
        own = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    pairs = own.items() if isinstance(own, dict) else ()
    return {name: value for name, value in pairs if name in (*TYPED, *TAPPED, _GUESS) and isinstance(value, str)}
