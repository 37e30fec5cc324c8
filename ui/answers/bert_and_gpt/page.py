"""The page "BERT and GPT": one sentence in a bidirectional model and in a causal one.

Everything below the models is a fragment: another layer, token or draw redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.answers.bert_and_gpt.continuation import continue_view
from ui.answers.bert_and_gpt.guesses import what_each_predicts
from ui.answers.bert_and_gpt.models import TwoModels, bidirectional, causal
from ui.answers.bert_and_gpt.same import same_sentence
from ui.state.selection import selection
from ui.widgets.frame import part_of_page
from viz.kit.language import said, to_say, tr

READING_LABELS = {
    "same": to_say("The same sentence"),
    "guesses": to_say("What each predicts"),
    "continue": to_say("Continue"),
}
DRAWN: dict[str, Callable[[TwoModels], None]] = {"same": same_sentence, "guesses": what_each_predicts}


@st.fragment
def both_models_explorer() -> None:
    """Draw everything below the models."""
    with part_of_page():
        st.segmented_control(
            tr("View"),
            list(READING_LABELS),
            key="reading",
            format_func=lambda one: said(READING_LABELS[one]),
            required=True,
            label_visibility="collapsed",
        )
        chosen = selection()
        if chosen.reading == "continue":
            left = causal(chosen)
            if left is not None:
                continue_view(left)
            return
        models = TwoModels(both=bidirectional(chosen), left=causal(chosen))
        DRAWN[chosen.reading](models)
