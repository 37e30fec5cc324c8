"""The page "Masked words": hide words of a sentence, and see the model's guesses and how they form.

Everything below the sentence is a fragment: another mask, layer or word redraws it, and nothing else of the page.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.model import LACKS, MASKED_WORDS, NEXT_SENTENCE, UNTRAINED
from models.opening.registry import Model
from models.values.record import ModelInfo
from ui.answers.masked_words.labels import answers_otherwise, other_answers
from ui.answers.masked_words.one_sentence import one_sentence
from ui.answers.masked_words.two_sentences import two_sentences
from ui.desk.ask import ask, open_model
from ui.state.choices import TOP_K
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.frame import part_of_page
from ui.widgets.missing import say_why_not
from viz.kit.language import said, to_say, tr

TASK_LABELS = {"one": to_say("One sentence"), "two": to_say("Compare two sentences")}


@st.fragment
def masked_word_explorer() -> None:
    """Draw everything below the sentence."""
    with part_of_page():
        chosen = selection()
        model = open_model(chosen.model, chosen.device)
        if model.info.can_fill_mask:
            places = _choices()
            if selection().task == "one":
                one_sentence(selection(), places)
            else:
                two_sentences(selection())
        elif answers_otherwise(model.info):
            other_answers(model.info, chosen)
        else:
            _say_untrained(model.info)
            say_why_not(lambda: ask(chosen.model, chosen.device, Model.masked_words, *chosen.texts))


def _choices() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw the choices of the task and of the number of words, and return the containers for inputs of one sentence."""
    task, words, mask, ask = st.columns([5, 2, 4, 4], vertical_alignment="bottom")
    task.segmented_control(
        tr("Task"), list(TASK_LABELS), key="task", format_func=lambda task: said(TASK_LABELS[task]), required=True
    )
    words.selectbox(tr("Words shown"), TOP_K, key="top_k")
    return mask, ask


def _say_untrained(info: ModelInfo) -> None:
    """Show the heads that the configuration names but the files lack, unless other pages report them."""
    for capability in info.untrained:
        if capability not in (MASKED_WORDS, NEXT_SENTENCE):
            says = tr("{model} {lacks}: {why}.", model=plain(info.name), lacks=LACKS[capability], why=UNTRAINED)
            st.warning(says, icon=":material/model_training:")
