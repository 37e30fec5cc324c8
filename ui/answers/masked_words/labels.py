"""Answers of models without an MLM head: replaced tokens, labels of tokens, labels of texts.

Beside the label of a text is the attention of the token from which it is read.
"""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.answers import TextLabels
from models.values.record import ModelInfo
from ui.answers.masked_words.strongest import begin_with_strongest
from ui.answers.masked_words.word_labels import words_and_attention
from ui.desk.ask import ask, record_selection
from ui.state.choices import Selection
from ui.state.plain import in_bold, plain
from ui.state.selection import selection
from ui.widgets.asking.inputs import LABELLERS
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import tr
from viz.kit.theme import whole_percent
from viz.kit.tokens import visible
from viz.predictions.head_rows import head_rows, head_rows_table
from viz.predictions.judgements import (
    replaced_table,
    replaced_tokens,
    text_label_table,
    text_labels,
)
from viz.predictions.mask_attention import mask_attention, mask_attention_table


def answers_otherwise(info: ModelInfo) -> bool:
    """Return whether the model has a classifier or a discriminator."""
    return info.can_find_replaced or info.can_label_tokens or info.can_label_text


def other_answers(info: ModelInfo, chosen: Selection) -> None:
    """Draw every such answer of the model to the reader's sentence."""
    if info.name not in LABELLERS:
        st.caption(
            tr(
                "{model} does not guess masked words. It has learned to answer a different question, and this is its "
                "answer.",
                model=plain(info.name),
            )
        )
    place, typed = (chosen.model, chosen.device), (chosen.text, chosen.text_b)
    width = column_widths(1)[0]
    if info.can_find_replaced:
        replaced = ask(*place, Model.find_replaced, *chosen.texts)
        say_notes(info, replaced.tokens, typed, replaced.note)
        picture(replaced_tokens(replaced, theme=theme(), width=width), "replaced-tokens")
        numbers(lambda: replaced_table(replaced), "replaced-tokens")
    if info.can_label_tokens:
        labelled = ask(*place, Model.label_tokens, *chosen.texts)
        say_notes(info, labelled.tokens, typed, labelled.note)
        words_and_attention(labelled)
    if info.can_label_text:
        labels = ask(*place, Model.label_text, *chosen.texts)
        if labels.read_from:
            _labels_and_attention(labels)
        else:
            _labels(labels, width)


def _labels(labels: TextLabels, width: int) -> None:
    chosen = selection()
    best = int(labels.probabilities.argmax())
    with st.container(key="large-sentences"):
        st.markdown(
            f"{plain(' '.join(filter(None, (chosen.text, chosen.text_b))))} → "
            f":blue[{in_bold(visible(labels.labels[best]))}] "
            f":small[:gray[{plain(whole_percent(float(labels.probabilities[best])))}]]"
        )
    say_notes(labels.info, labels.tokens, (chosen.text, chosen.text_b), labels.note)
    picture(text_labels(labels, theme=theme(), width=width), "text-labels")
    numbers(lambda: text_label_table(labels), "text-labels")


def _what_is_read(labels: TextLabels) -> str:
    """Describe the hidden states that the classifier reads."""
    n_read = len(labels.read_from)
    if n_read == 1:
        return tr(
            "The label is read from **{token}** after the last layer, and from nothing else. Whatever the words say "
            "must get there by attention. This is where {token} looks:",
            token=plain(labels.tokens[labels.read_from[0]].text),
        )
    return tr(
        "The label is read from the **mean of {n} tokens** after the last layer. Each counts the same, whether "
        "anything looks at it or not. This is where they look, on average:",
        n=n_read,
    )


def _labels_and_attention(labels: TextLabels) -> None:
    """Draw the labels, and beside them the attention of the tokens that the classifier reads, in one head or on
    average."""
    recording, read_from = record_selection(), labels.read_from
    shown = recording.of(selection().kind)
    left, right, widths = two_columns()
    with left:
        _labels(labels, widths[0])
    with right:
        st.markdown(_what_is_read(labels))
        begin_with_strongest(shown, read_from)
    chosen = selection()
    layer, head = chosen.layer, chosen.head_index
    with left:
        rows = head_rows(shown, positions=read_from, layer=layer, theme=theme(), width=widths[0])
        picture(rows, "heads-behind-the-label")
        numbers(lambda: head_rows_table(shown, positions=read_from, layer=layer), "heads-behind-the-label")
    with right:
        row = mask_attention(shown, positions=read_from, layer=layer, head=head, theme=theme(), width=widths[1])
        picture(row, "attention-behind-the-label")
        numbers(
            lambda: mask_attention_table(shown, positions=read_from, layer=layer, head=head),
            "attention-behind-the-label",
        )
