"""The page "Masked words": hide words of a sentence, and see the model's guesses and how they form.

Everything below the sentence is a fragment: another mask, layer or word redraws it, and nothing else of the page.
"""

from __future__ import annotations

import streamlit as st

from models.model import LACKS, MASKED_WORDS, NEXT_SENTENCE, UNTRAINED
from models.opening.registry import Model
from models.values.record import ModelInfo
from ui.answers.masked_words.labels import answers_otherwise, other_answers
from ui.answers.masked_words.one_sentence import one_sentence
from ui.answers.masked_words.two_sentences import two_sentences
from ui.desk.ask import ask, open_model
from ui.state.plain import plain
from ui.state.selection import choose, draw_whole_page, selection
from ui.widgets.asking.hide_words import pick_hidden_word
from ui.widgets.asking.inputs import LABELLERS, SENTIMENT
from ui.widgets.frame import part_of_page
from ui.widgets.missing import say_why_not
from viz.kit.language import said, to_say, tr

TASK_LABELS = {"one": to_say("One sentence"), "two": to_say("Compare two sentences")}
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
            _other_questions()
        elif answers_otherwise(model.info):
            other_answers(model.info, chosen)
        else:
            _say_untrained(model.info)
            say_why_not(lambda: ask(chosen.model, chosen.device, Model.masked_words, *chosen.texts))


def title_and_lead() -> tuple[str, str]:
    """Return the title of the page and its subject: other words for a model that labels."""
    model = selection().model
    if model in LABELLERS or model in SENTIMENT:
        question = said(LABELLERS.get(model, LABELLERS["sentiment"]))
        return tr("Labels"), tr("A small model that learned to answer one question: **{question}**", question=question)
    return tr("Masked words"), tr("BERT learns by guessing hidden words. **Hide one, and see what it guesses.**")


def _other_questions() -> None:
    """Draw buttons to the models that answer another question about a text."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(tr("Another question, to a model that labels:"), width="content")
        for model, question in LABELLERS.items():
            st.button(said(question), on_click=_ask_labeller, args=(model,))


def _ask_labeller(model: str) -> None:
    choose(model=model)
    draw_whole_page()


def _pick_task() -> None:
    st.segmented_control(
        tr("Task"),
        list(TASK_LABELS),
        key="task",
        format_func=lambda task: said(TASK_LABELS[task]),
        required=True,
        label_visibility="collapsed",
    )


def _say_untrained(info: ModelInfo) -> None:
    """Show the heads that the configuration names but the files lack, unless other pages report them."""
    for capability in info.untrained:
        if capability not in (MASKED_WORDS, NEXT_SENTENCE):
            says = tr("{model} {lacks}: {why}.", model=plain(info.name), lacks=LACKS[capability], why=UNTRAINED)
            st.warning(says, icon=":material/model_training:")
