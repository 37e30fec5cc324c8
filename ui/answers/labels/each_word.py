"""Every word in the colour of its label and, for the chosen word, its attention."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.answers import TokenLabels
from ui.desk.ask import ask
from ui.state.plain import plain
from ui.state.selection import choose, fit, selection
from ui.widgets.asking.strongest import begin_with_strongest
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes, what_it_is_for
from ui.widgets.pictures import clickable_picture, numbers, picture, two_columns
from viz.kit.language import tr
from viz.kit.tokens import positioned_texts
from viz.predictions.judgements import LabelledWords, labelled_words, token_label_table, token_labels
from viz.predictions.mask_attention import mask_attention, mask_attention_table
from viz.predictions.word_chips import describe_labels, label_chips
from viz.two_models.sight import clicked_position

INSIDE = 36
"""The margins of an expander in CSS pixels."""
_CHIPS = "label-chips"


def show_words(labelled: TokenLabels, width: int) -> None:
    """Draw the sentence, every word in the colour of its label; a click on a word chooses it."""
    chosen, words = selection(), labelled_words(labelled)
    with st.container(key="large-sentences-words"):
        st.markdown(tr("Each word and its label"))
    if not words.texts:
        st.info(
            tr("There is no word to label in this text: only special tokens were found. Type a sentence."),
            icon=":material/edit:",
        )
        return
    selected = _chosen_position(words) if chosen.labelled == "words" else None
    figure = label_chips(words, selected=selected, theme=theme(), width=width)
    clickable_picture(figure, _CHIPS, _take_click, alt=describe_labels(words))
    st.caption(plain(what_it_is_for(labelled.info.name)))
    say_notes(labelled.info, labelled.tokens, (chosen.text, chosen.text_b), labelled.note)


def _take_click() -> None:
    """Choose the clicked word."""
    position = clicked_position(st.session_state[_CHIPS])
    if position is not None:
        choose(query=position, labelled="words")


def word_attention(labelled: TokenLabels) -> None:
    """Draw where one word looks, in one head or on average, and how sure all labels are."""
    words = labelled_words(labelled)
    if not words.texts:
        return
    recording = ask(labelled.info.name, selection().device, Model.record, *selection().texts)
    fit(recording)
    shown = recording.of(selection().kind)
    left, right, widths = two_columns()
    with left:
        position = _pick_word(labelled, words)
        st.markdown(
            tr(
                "The label of a word is read from the state of its first piece after the last [layer](#word-layer). "
                "What the neighbours say has to get there by attention: this is where “{word}” looks.",
                word=plain(words.texts[words.positions.index(position)]),
            )
        )
        begin_with_strongest(shown, [position])
        with st.expander(tr("How sure every label is")):
            picture(token_labels(labelled, theme=theme(), width=widths[0] - INSIDE), "token-labels")
            numbers(lambda: token_label_table(labelled), "token-labels")
    chosen = selection()
    layer, head = chosen.layer, chosen.head_index
    with right:
        row = mask_attention(shown, positions=[position], layer=layer, head=head, theme=theme(), width=widths[1])
        picture(row, "attention-of-word")
        numbers(lambda: mask_attention_table(shown, positions=[position], layer=layer, head=head), "attention-of-word")


def _pick_word(labelled: TokenLabels, words: LabelledWords) -> int:
    """Draw the choice of a word, and return its position; it begins with the least certain label."""
    position = _chosen_position(words)
    texts = positioned_texts([labelled.tokens[position] for position in words.positions], words.positions)
    names = dict(zip(words.positions, texts, strict=True))
    st.selectbox(tr("Word"), list(names), key="query", format_func=names.__getitem__)
    return position


def _chosen_position(words: LabelledWords) -> int:
    """Return the position of the chosen word; that with the least certain label until one is chosen."""
    if selection().query not in words.positions:
        choose(query=words.least_sure)
    return selection().query
