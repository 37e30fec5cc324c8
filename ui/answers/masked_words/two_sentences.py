"""Two sentences of the page "Masked words": the guesses for both masks, and how they differ."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.text.unknown import scripts_of
from models.values.answers import MaskedText
from ui.desk.ask import ask
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.hide_words import HiddenWord
from ui.widgets.asking.inputs import WORD_EXAMPLES
from ui.widgets.asking.korean import KOREAN_PAIRS
from ui.widgets.asking.swap_word import swap_word
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.kit.theme import percentage
from viz.predictions.comparison import compare, comparison_bars, comparison_table, log_odds_bars, most_moved

_SUGGESTED = "headlight_suggested_second"
"""The session key for the second sentence that the page has suggested."""
MOST_COMPARED = 20
"""The number of words of each sentence in the picture of the comparison; the table holds all."""
IN_A = to_say("There is no [MASK] in sentence A. Click a word of it above to hide it.")
MEN_AND_WOMEN = tuple(WORD_EXAMPLES[label][0] for label in ("a man's work", "a woman's work"))
"""The pair that is given as an example, unless the sentence is in Korean."""
WHAT_IT_SHOWS = to_say(
    "**What this shows:** how one word of the sentence changes what this model expects. It learned from texts, and "
    "repeats who did what in them. **What it does not show:** what people are like, or what the model would do in "
    "another task. One pair of sentences is an example, not a measurement: try several words and wordings before you "
    "draw a conclusion."
)


def two_sentences(hidden: HiddenWord) -> None:
    """Draw the field of the second sentence, and the comparison of the two."""
    text, chosen = hidden.texts[0], selection()
    first = ask(chosen.model, chosen.device, Model.masked_words, text)
    if not first.positions:
        st.info(said(IN_A), icon=":material/touch_app:")
        return
    if not chosen.other.strip() or chosen.other == st.session_state.get(_SUGGESTED):
        st.session_state[_SUGGESTED] = swap_word(text) or dict(KOREAN_PAIRS.values()).get(text, "")
        choose(other=st.session_state[_SUGGESTED])
    one, two = next(iter(KOREAN_PAIRS.values())) if "HANGUL" in scripts_of(text) else MEN_AND_WOMEN
    left, right = st.columns(2)
    left.text_input(tr("Sentence 1"), text, disabled=True)
    other = right.text_input(tr("Sentence 2, which differs in a word"), key="other", placeholder=two)
    second = ask(chosen.model, chosen.device, Model.masked_words, other) if other.strip() else None
    if second is None or not second.positions:
        differs = tr(
            "Type a second sentence with a [MASK] that differs in one word: “{one}” and “{other}”", one=one, other=two
        )
        st.info(plain(differs), icon=":material/edit:")
        return
    for masked, read in ((first, text), (second, other)):
        say_notes(masked.info, masked.tokens, (read,), masked.note)
    _compare_sentences(first, second, chosen.top_k)


def _compare_sentences(first: MaskedText, second: MaskedText, top_k: int) -> None:
    """Draw both distributions, the words that differ most, and the distance. The first mask of each sentence counts."""
    comparison = compare(first, second)
    for masked, number in ((first, "1"), (second, "2")):
        n_masks = len(masked.positions)
        if n_masks > 1:
            st.caption(tr("Sentence {which} has {n} masks; the first one is compared.", which=number, n=n_masks))
    moved = " · ".join(
        f"{plain(word)} {percentage(one)} → {percentage(other)}" for word, one, other in most_moved(comparison)
    )
    explained = tr(
        "The words whose probabilities change most. All words together: the distance of the two is {distance} bits "
        "(Jensen-Shannon divergence: 0 is the same, 1 is nothing in common), the total variation {variation}.",
        distance=f"{comparison.distance:.3g}",
        variation=f"{comparison.total_variation:.3g}",
    )
    with st.container(key="large-sentences"):
        st.markdown(moved, help=explained)
    left, right, widths = two_columns()
    most = min(top_k, MOST_COMPARED)
    with left:
        picture(comparison_bars(comparison, top_k=most, theme=theme(), width=widths[0]), "comparison")
        numbers(lambda: comparison_table(comparison, top_k=top_k), "comparison")
    with right:
        st.markdown(said(WHAT_IT_SHOWS))
        if st.toggle(tr("Show rare words, too: odds in place of probabilities"), key="headlight_as_odds"):
            picture(log_odds_bars(comparison, top_k=most, theme=theme(), width=widths[1]), "log-odds")
