"""Below the picture of Home: how to read it, and cards that lead to other pages."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.home.thumbnails import forming, guessed_answer, hidden_word, small_maps, switched_off, wall_of_tiles
from ui.state.navigation import (
    ATTENTION,
    HEAD_ATLAS,
    LESSONS,
    MASKED_WORDS,
    SWITCHBOARD,
    TRAINING_LAB,
    PageEntry,
    link,
)
from viz.kit.language import said, to_say, tr

CARDS: tuple[tuple[PageEntry, str, Callable[[], str]], ...] = (
    (ATTENTION, to_say("All layers and heads at a glance, and two sentences side by side."), small_maps),
    (MASKED_WORDS, to_say("Hide a word, and see what the model puts in its place, layer by layer."), hidden_word),
    (SWITCHBOARD, to_say("Switch heads off, and watch the answer change, or not."), switched_off),
    (HEAD_ATLAS, to_say("What each head of the model does, over many texts."), wall_of_tiles),
    (TRAINING_LAB, to_say("Train a small model of your own, and watch its attention form."), forming),
    (LESSONS, to_say("5 to 10 minutes each: guess first, then see what the model says."), guessed_answer),
)
PER_ROW = 3


def explain_picture() -> None:
    """Say in three sentences how to read the arcs and the map."""
    with st.expander(tr("How to read the picture")):
        st.markdown(
            tr(
                "- An **arc** leads from a word that looks to a word that is looked at. The thicker it is, the larger "
                "the [weight](#word-weights); the weights of a word sum to 100%.\n"
                "- The **grey bar** is what the word gives to [CLS] and [SEP], the marks at both ends. Many "
                "[heads](#word-head) look there most of the time.\n"
                "- The **map** shows all words at once: a row is a [token](#word-token) that looks, a column one that "
                "is looked at, and a strong colour a large weight."
            )
        )


def offer_pages() -> None:
    """Draw a card for each of six pages."""
    st.subheader(tr("Where to go next"))
    for start in range(0, len(CARDS), PER_ROW):
        for place, (page, about, draw) in zip(st.columns(PER_ROW), CARDS[start : start + PER_ROW], strict=True):
            with place.container(border=True, height="stretch", key=f"card {page.title}"):
                st.image(draw(), alt="")
                link(page)
                st.markdown(said(about))
