"""The choice of the answer to explain: the question, the two answers, and the word to hide."""

from __future__ import annotations

import streamlit as st

from ui.widgets.asking.which_answer import AskedAnswer, ask_the_model
from viz.kit.language import tr

MOST_TOKENS = 128


def asked_answer() -> AskedAnswer | None:
    """Return the chosen answer and its rival; None, with the reason shown, if there is no answer."""
    with st.container(key="words-line", horizontal=True, vertical_alignment="bottom"):
        words, box = st.container(), st.container(width="content")
    asked = ask_the_model(words, box)
    if asked is None:
        return None
    n_tokens = sum(record.n_query for record in asked.recording.attention if record.kind != "cross")
    if n_tokens > MOST_TOKENS:
        too_long = tr(
            "This text has {n} tokens; this page explains answers to texts of up to {most}. The methods ask the model "
            "again and again without some of the words. Type a shorter text, or one sentence of it.",
            n=f"{n_tokens:,}",
            most=MOST_TOKENS,
        )
        st.info(too_long, icon=":material/content_cut:")
        return None
    return asked
