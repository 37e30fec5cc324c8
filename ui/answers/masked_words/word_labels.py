"""Every word with its label and, for the chosen word, its attention."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest

import streamlit as st

from models.values.answers import TokenLabels
from ui.answers.masked_words.strongest import begin_with_strongest
from ui.desk.ask import record_selection
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.hide_words import WORD_JOINER
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import tr
from viz.predictions.judgements import LabelledWords, labelled_words, token_label_table, token_labels
from viz.predictions.mask_attention import mask_attention, mask_attention_table

COLOURS = ("blue", "orange", "green", "violet", "red", "yellow")
MOST_CHIPS = 40
"""The most words that are drawn as chips; more are in a list."""


def words_and_attention(labelled: TokenLabels) -> None:
    """Draw the labels of all words, and beside them the attention of one word, in one head or on average."""
    words = labelled_words(labelled)
    if not words.texts:
        st.info(
            tr("There is no word to label in this text: only special tokens were found. Type a sentence."),
            icon=":material/edit:",
        )
        return
    with st.container(key="large-sentences"):
        st.markdown(f"{_coloured(words)}")
    position = _pick_word(words)
    left, right, widths = two_columns()
    with left:
        picture(token_labels(labelled, theme=theme(), width=widths[0]), "token-labels")
        numbers(lambda: token_label_table(labelled), "token-labels")
    with right:
        st.markdown(
            tr(
                "The label of a word is read from the state of its first piece after the last layer. What the "
                "neighbours say has to get there by attention: this is where “{word}” looks.",
                word=plain(words.texts[words.positions.index(position)]),
            )
        )
        _row(position, widths[1])


def _coloured(words: LabelledWords) -> str:
    """Return the words as Markdown, each before its label, those of one label in one colour; the commonest labels have
    colours."""
    ranked = [label for label, _ in Counter(words.best).most_common()]
    colours = dict(zip_longest(ranked, COLOURS[: len(ranked)], fillvalue="gray"))
    return " ".join(
        f":{colours[label]}-background[{plain(text)} :small[{plain(label)}]]"
        for text, label in zip(words.texts, words.best, strict=True)
    )


def _pick_word(words: LabelledWords) -> int:
    """Draw the choice of a word, and return its position; it begins with the least certain label."""
    if selection().query not in words.positions:
        choose(query=words.least_sure)
    names = dict(zip(words.positions, words.texts, strict=True))
    if len(names) > MOST_CHIPS:
        st.selectbox(tr("Where a word looks"), list(names), key="query", format_func=names.__getitem__)
    else:
        st.pills(
            tr("Where a word looks"),
            list(names),
            key="query",
            format_func=lambda position: plain(names[position]) + WORD_JOINER * _earlier(words, position),
            required=True,
        )
    return selection().query


def _earlier(words: LabelledWords, position: int) -> int:
    """Return how often the word at a position stands before it: Streamlit tells options apart by their labels."""
    at = words.positions.index(position)
    return words.texts[:at].count(words.texts[at])


def _row(position: int, width: int) -> None:
    shown = record_selection().of(selection().kind)
    begin_with_strongest(shown, [position])
    chosen = selection()
    layer, head = chosen.layer, chosen.head_index
    row = mask_attention(shown, positions=[position], layer=layer, head=head, theme=theme(), width=width)
    picture(row, "attention-of-word")
    numbers(lambda: mask_attention_table(shown, positions=[position], layer=layer, head=head), "attention-of-word")
