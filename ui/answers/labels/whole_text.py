"""The label of a whole text, and the attention of the tokens from which it is read."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.opening.registry import Model
from models.values.answers import TextLabels
from models.values.record import AttentionRecord
from ui.desk.ask import ask
from ui.state.plain import in_bold, plain
from ui.state.selection import fit, selection
from ui.widgets.asking.strongest import begin_with_strongest
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes, what_it_is_for
from ui.widgets.pictures import numbers, picture, two_columns
from ui.widgets.words import link_words
from viz.kit.labels import label_text
from viz.kit.language import tr
from viz.kit.theme import whole_percent
from viz.kit.tokens import token_texts
from viz.predictions.head_rows import head_rows, head_rows_table
from viz.predictions.judgements import text_label_table, text_labels
from viz.predictions.mask_attention import mask_attention, mask_attention_table, strongest_look
from viz.predictions.word_chips import weight_chips

FEW_LABELS = 2
"""Of so many labels the best one says it all; of more there are bars."""


def show_verdict(labels: TextLabels, width: int) -> None:
    """Draw the label in large words, and below it the tokens that it rests on most."""
    chosen, best = selection(), int(labels.probabilities.argmax())
    with st.container(key="verdict-line", horizontal=True, gap="small"):
        with st.container(key="large-sentences", width="content"):
            st.markdown(
                tr(
                    "The whole text: {label} {share}",
                    label=f":blue[{in_bold(label_text(labels.labels[best]))}]",
                    share=f":small[:gray[{plain(whole_percent(float(labels.probabilities[best])))}]]",
                )
            )
        place = st.container(width="stretch")
    if labels.read_from:
        _show_strongest(_attention_of(labels), labels, width, place)
    if len(labels.labels) > FEW_LABELS or not labels.read_from:
        picture(text_labels(labels, theme=theme(), width=width), "text-labels")
        numbers(lambda: text_label_table(labels), "text-labels")
    st.caption(f"{plain(what_it_is_for(labels.info.name))} {_limits(labels)}")
    say_notes(labels.info, labels.tokens, (chosen.text, chosen.text_b), labels.note)


def _limits(labels: TextLabels) -> str:
    """Say that a model of two labels gives every text one of them."""
    if len(labels.labels) != FEW_LABELS or labels.is_multi_label:
        return ""
    one, other = (plain(label_text(label)) for label in labels.labels)
    return tr("It can only say {one} or {other}, even of a sentence that is neither.", one=one, other=other)


def _show_strongest(shown: AttentionRecord, labels: TextLabels, width: int, place: DeltaGenerator) -> None:
    """Draw the text shaded by the head that looks most at one word, and say which at `place`."""
    layer, head, key = strongest_look(shown, labels.read_from)
    share = float(shown.weights(layer, head)[list(labels.read_from), key].mean())
    looks = (
        tr(
            "The label is read from {reader}, which looks most at **{word}**: {share}.",
            reader=_name_read(labels),
            **_look(shown, key, share),
        )
        if len(labels.read_from) == 1
        else tr(
            "The label is the mean over the words. They look most at **{word}**: {share}.", **_look(shown, key, share)
        )
    )
    place.markdown(link_words(looks, "[CLS]"))
    figure = weight_chips(shown, positions=labels.read_from, layer=layer, head=head, theme=theme(), width=width)
    picture(figure, "text-chips", alt=looks.replace("*", "").replace("\\", ""))


def _look(shown: AttentionRecord, key: int, share: float) -> dict[str, str]:
    return {"word": plain(token_texts(shown.key_tokens)[key]), "share": plain(whole_percent(share))}


def _name_read(labels: TextLabels) -> str:
    return plain(labels.tokens[labels.read_from[0]].text)


def _attention_of(labels: TextLabels) -> AttentionRecord:
    """Return the attention of the model that gave the label, with layer and head in its bounds."""
    recording = ask(labels.info.name, selection().device, Model.record, *selection().texts)
    return recording.of(recording.kinds[0])


def text_attention(labels: TextLabels) -> None:
    """Draw the attention of the tokens that the classifier reads: in all heads of a layer, and in one or on average."""
    recording = ask(labels.info.name, selection().device, Model.record, *selection().texts)
    fit(recording)
    shown, read_from = recording.of(selection().kind), labels.read_from
    left, right, widths = two_columns()
    with left:
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


def _what_is_read(labels: TextLabels) -> str:
    """Describe the hidden states that the classifier reads."""
    n_read = len(labels.read_from)
    if n_read == 1:
        return tr(
            "Whatever the words say has to reach **{token}** by attention, [layer](#word-layer) by layer. This is "
            "where {token} looks:",
            token=_name_read(labels),
        )
    return tr(
        "The label is read from the **mean of {n} tokens** after the last [layer](#word-layer). Each counts the same, "
        "whether anything looks at it or not. This is where they look, on average:",
        n=n_read,
    )
