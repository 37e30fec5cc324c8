"""Below the picture of Home: how to read it, and cards that lead to other pages."""

from __future__ import annotations

import streamlit as st

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

CARDS: tuple[tuple[PageEntry, str], ...] = (
    (ATTENTION, to_say("All layers and heads at a glance, and two sentences side by side.")),
    (MASKED_WORDS, to_say("Hide a word, and see what the model puts in its place, layer by layer.")),
    (SWITCHBOARD, to_say("Switch heads off, and watch the answer change, or not.")),
    (HEAD_ATLAS, to_say("What each head of the model does, over many texts.")),
    (TRAINING_LAB, to_say("Train a small model of your own, and watch its attention form.")),
    (LESSONS, to_say("5 to 10 minutes each: guess first, then see what the model says.")),
)
PER_ROW = 3


def explain_picture() -> None:
    """Say in three sentences how to read the arcs and the map."""
    with st.expander(tr("How to read the picture")):
        st.markdown(
            tr(
                "- An **arc** leads from a word that looks to a word that is looked at. The thicker it is, the larger "
                "the [weight](#word-weights); the weights of a word sum to 100%.\n"
                "- The **grey bar** is what the word gives to [CLS] and [SEP], the marks at both ends. A "
                "[head](#word-head) that finds nothing to do looks there.\n"
                "- The **map** shows all words at once: a row is a [token](#word-token) that looks, a column one that "
                "is looked at, and a strong colour a large weight."
            )
        )


def offer_pages() -> None:
    """Draw a card for each of six pages."""
    st.subheader(tr("Where to go next"))
    for start in range(0, len(CARDS), PER_ROW):
        for place, (page, about) in zip(st.columns(PER_ROW), CARDS[start : start + PER_ROW], strict=True):
            with place.container(border=True, height="stretch"):
                link(page)
                st.markdown(said(about))
