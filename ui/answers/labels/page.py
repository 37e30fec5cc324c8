"""The page "Labels": what a model says about a whole text and about each word, and what both rest on.

Everything below the sentence is a fragment: another word or head redraws it, and nothing else of the page.
"""

from __future__ import annotations

import streamlit as st

from models.model import LACKS, MASKED_WORDS, NEXT_SENTENCE, UNTRAINED
from models.opening.registry import Model, languages_of
from models.values.answers import TextLabels, TokenLabels
from models.values.record import ModelInfo
from ui.answers.labels.each_word import show_words, word_attention
from ui.answers.labels.whole_text import show_verdict, text_attention
from ui.desk.ask import ask, open_model
from ui.state.plain import plain
from ui.state.selection import leave_head_to_us, selection
from ui.widgets.asking.inputs import LABELLERS, SENTIMENT, SENTIMENT_KO, TAGGER, pick_model
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import part_of_page, theme
from ui.widgets.missing import gives_labels
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture
from viz.kit.language import said, to_say, tr
from viz.predictions.judgements import replaced_table, replaced_tokens

PART_LABELS = {
    "text": to_say("What the verdict on the text rests on"),
    "words": to_say("What the label of a word rests on"),
}


def pick_labeller() -> None:
    """Draw the choice of a model, those that label first."""
    pick_model(listed=LABELLERS)


@st.fragment
def labels_explorer() -> None:
    """Draw everything below the sentence."""
    with part_of_page(SENTIMENT):
        chosen = selection()
        info = open_model(chosen.model, chosen.device).info
        if info.can_find_replaced:
            _draw_replaced(info)
        text_model, word_model = _choose_labellers(info)
        _explain_choice(info, text_model, word_model)
        verdict = ask(text_model, chosen.device, Model.label_text, *chosen.texts) if text_model else None
        labelled = ask(word_model, chosen.device, Model.label_tokens, *chosen.texts) if word_model else None
        _answers(verdict, labelled)
        _what_they_rest_on(verdict, labelled)


def _choose_labellers(info: ModelInfo) -> tuple[str, str]:
    """Return the models that label the text and its words: the chosen one for what it can do, and the app's own beside
    it unless it is a labeller of somebody else; empty for none. None of the app's labels Korean words."""
    text_model, word_model = (info.name if can else "" for can in (info.can_label_text, info.can_label_tokens))
    if info.name not in LABELLERS and gives_labels(info):
        return text_model, word_model
    if _reads_korean_alone(info.name):
        return text_model or SENTIMENT_KO, word_model
    return text_model or SENTIMENT, word_model or TAGGER


def _reads_korean_alone(name: str) -> bool:
    return languages_of(name) == ("ko",)


def _explain_choice(info: ModelInfo, text_model: str, word_model: str) -> None:
    """Say that a model without labels does not answer here, and which heads its files lack."""
    for capability in info.untrained:
        if capability not in (MASKED_WORDS, NEXT_SENTENCE):
            lacks = tr("{model} {lacks}: {why}.", model=plain(info.name), lacks=LACKS[capability], why=UNTRAINED)
            st.warning(lacks, icon=":material/model_training:")
    if not gives_labels(info):
        names = {"model": plain(info.name), "text_model": plain(text_model), "word_model": plain(word_model)}
        st.caption(
            tr("{model} gives no labels: here {text_model} and {word_model} answer.", **names)
            if word_model
            else tr("{model} gives no labels: here {text_model} answers.", **names)
        )


def _answers(verdict: TextLabels | None, labelled: TokenLabels | None) -> None:
    """Draw the answers, each over the whole width of the page."""
    width = column_widths(1)[0]
    if verdict is not None:
        show_verdict(verdict, width)
    if labelled is not None:
        show_words(labelled, width)


def _what_they_rest_on(verdict: TextLabels | None, labelled: TokenLabels | None) -> None:
    """Draw the attention behind the label of the text or of one word."""
    if verdict is not None and labelled is not None and verdict.read_from:
        st.segmented_control(
            tr("What it rests on"),
            list(PART_LABELS),
            key="labelled",
            format_func=lambda part: said(PART_LABELS[part]),
            required=True,
            label_visibility="collapsed",
            on_change=leave_head_to_us,
        )
    shows_words = labelled is not None and (verdict is None or selection().labelled == "words")
    if shows_words and labelled is not None:
        word_attention(labelled)
    elif verdict is not None and verdict.read_from:
        text_attention(verdict)


def _draw_replaced(info: ModelInfo) -> None:
    """Draw how likely it is that each word was replaced."""
    chosen, width = selection(), column_widths(1)[0]
    replaced = ask(chosen.model, chosen.device, Model.find_replaced, *chosen.texts)
    say_notes(info, replaced.tokens, (chosen.text, chosen.text_b), replaced.note)
    picture(replaced_tokens(replaced, theme=theme(), width=width), "replaced-tokens")
    numbers(lambda: replaced_table(replaced), "replaced-tokens")
