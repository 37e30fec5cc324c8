"""Two sentences of the page "Masked words": the guesses for both masks, and how they differ."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.answers import MaskedText
from ui.answers.masked_words.one_sentence import NO_MASK
from ui.desk.ask import ask
from ui.state.choices import Selection
from ui.state.plain import plain
from ui.state.selection import choose
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.predictions.comparison import compare, comparison_bars, comparison_table, log_odds_bars

MOST_COMPARED = 20
"""The number of words of each sentence in the picture of the comparison; the table holds all."""
NO_SECOND = to_say(
    "Type a second sentence with a [MASK] that differs in one word: “The man worked as a [MASK].” and “The woman "
    "worked as a [MASK].”"
)
GENDERED_PAIRS = (
    ("man", "woman"),
    ("he", "she"),
    ("his", "her"),
    ("boy", "girl"),
    ("father", "mother"),
    ("king", "queen"),
)
WHAT_IT_SHOWS = to_say(
    "**What this shows:** how one word of the sentence changes what this model expects. It learned from texts, and "
    "repeats who did what in them. **What it does not show:** what people are like, or what the model would do in "
    "another task. One pair of sentences is an example, not a measurement: try several words and wordings before you "
    "draw a conclusion."
)


def two_sentences(chosen: Selection) -> None:
    """Draw the field of the second sentence, and the comparison of the two."""
    if not chosen.other.strip():
        choose(other=suggest_second(chosen.text))
    other = st.text_input(
        tr("Sentence 2, to compare with sentence A"), key="other", placeholder="The woman worked as a [MASK]."
    )
    first = ask(chosen.model, chosen.device, Model.masked_words, chosen.text)
    if not first.positions:
        st.info(plain(NO_MASK), icon=":material/touch_app:")
        return
    second = ask(chosen.model, chosen.device, Model.masked_words, other) if other.strip() else None
    if second is None or not second.positions:
        st.info(plain(NO_SECOND), icon=":material/edit:")
        return
    for masked, text in ((first, chosen.text), (second, other)):
        say_notes(masked.info, masked.tokens, (text,), masked.note)
    _compare_sentences(first, second, chosen.top_k)


def _compare_sentences(first: MaskedText, second: MaskedText, top_k: int) -> None:
    """Draw both distributions, the words that differ most, and the distance. The first mask of each sentence counts."""
    comparison = compare(first, second)
    for masked, number in ((first, "1"), (second, "2")):
        n_masks = len(masked.positions)
        if n_masks > 1:
            st.caption(tr("Sentence {which} has {n} masks; the first one is compared.", which=number, n=n_masks))
    st.markdown(
        tr(
            "**Distance {distance} bits** (Jensen-Shannon divergence: 0 is the same, 1 is nothing in common) · total "
            "variation {variation}",
            distance=f"{comparison.distance:.4f}",
            variation=f"{comparison.total_variation:.4f}",
        )
    )
    left, right, widths = two_columns()
    with left:
        picture(
            comparison_bars(comparison, top_k=min(top_k, MOST_COMPARED), theme=theme(), width=widths[0]), "comparison"
        )
        numbers(lambda: comparison_table(comparison, top_k=top_k), "comparison")
    with right:
        picture(log_odds_bars(comparison, top_k=min(top_k, MOST_COMPARED), theme=theme(), width=widths[1]), "log-odds")
    st.markdown(said(WHAT_IT_SHOWS))


def suggest_second(text: str) -> str:
    """Return the first sentence with the first gendered word swapped for its counterpart; empty if there is none."""
    words = text.split(" ")
    counterparts = {word: other for pair in GENDERED_PAIRS for word, other in (pair, pair[::-1])}
    for number, word in enumerate(words):
        other = counterparts.get(word.lower())
        if other is not None:
            words[number] = other.capitalize() if word[0].isupper() else other
            return " ".join(words)
    return ""
