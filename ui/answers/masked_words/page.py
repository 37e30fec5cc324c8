"""The page "Masked words": hide words of a sentence, and see the model's guesses and how they form.

Everything below the sentence is a fragment: another mask, layer or word redraws it, and nothing else of the page.
"""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.record import ModelInfo
from ui.answers.masked_words.one_sentence import one_sentence
from ui.answers.masked_words.two_sentences import two_sentences
from ui.desk.ask import ask, open_model
from ui.state.choices import LABELLED
from ui.state.navigation import LABELS, go_to, link
from ui.state.selection import choose, is_from_link, selection
from ui.widgets.asking.hide_words import pick_hidden_word
from ui.widgets.frame import part_of_page
from ui.widgets.missing import gives_labels, say_why_not
from viz.kit.language import said, to_say, tr

TASK_LABELS = {"one": to_say("One sentence"), "two": to_say("Compare two sentences")}
_LED = "headlight_led_to_labels"
"""The session key for the model with whose link the reader was led to the page "Labels"."""
DRAWN = dict(zip(TASK_LABELS, (one_sentence, two_sentences), strict=True))


@st.fragment
def masked_word_explorer() -> None:
    """Draw everything below the sentence."""
    with part_of_page():
        chosen = selection()
        model = open_model(chosen.model, chosen.device)
        if model.info.can_fill_mask:
            words, task = st.columns([7, 3], vertical_alignment="bottom")
            with words:
                hidden = pick_hidden_word(selection().texts)
            with task:
                _pick_task()
            DRAWN[selection().task](hidden)
            link(LABELS, label=tr("To the labels of this sentence"))
        else:
            say_why_not(lambda: ask(chosen.model, chosen.device, Model.masked_words, *chosen.texts))
            if gives_labels(model.info):
                _lead_to_labels(model.info)


def _lead_to_labels(info: ModelInfo) -> None:
    """Go to the page "Labels" with an old link to a model that labels, once: the reader may come back."""
    if is_from_link("model") and st.session_state.get(_LED) != info.name:
        st.session_state[_LED] = info.name
        choose(labelled=LABELLED[not info.can_label_text])
        go_to(LABELS)
    link(LABELS, label=tr("To the labels of this sentence"))


def _pick_task() -> None:
    st.segmented_control(
        tr("Task"),
        list(TASK_LABELS),
        key="task",
        format_func=lambda task: said(TASK_LABELS[task]),
        required=True,
        label_visibility="collapsed",
        wrap=True,
    )
