"""Home: a description of the app, one live picture, and links to the other pages."""

import streamlit as st

from ui.home.page import living_picture
from ui.state.navigation import (
    ATTENTION,
    BERT_AND_GPT,
    LESSONS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    POSITIONS,
    QUERIES,
    STEP_BY_STEP,
    SWITCHBOARD,
    TRAINING_LAB,
    TRANSLATION,
    link,
)
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.opening import open_with_own
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Home"):
    heading(
        "Headlight",
        tr(
            "**See what the attention [heads](#word-head) of a transformer look at.** Type a sentence, and a model on "
            "this machine reads it."
        ),
    )
    open_with_own()
    ask_bar()
    living_picture()
    words, places = st.columns([4, 6], gap="large")
    with words:
        st.subheader(tr("How to read the picture"))
        st.markdown(
            tr(
                "- A **row** is a [token](#word-token) that asks; a **column** is a token that is looked at.\n"
                "- The stronger the colour of a cell, the larger the **[weight](#word-weights)**. The weights of a row "
                "sum to 1.\n"
                "- A model has many **[heads](#word-head)**, and each looks somewhere else: some at the word "
                "before, some at the word after, some at what a pronoun stands for."
            )
        )
    with places:
        st.subheader(tr("Where to go next"))
        link(LESSONS)
        st.markdown(tr("Lessons of 5 to 10 minutes: predict first, then see what the model says."))
        link(ATTENTION)
        st.markdown(
            tr(
                "All layers and heads at a glance, two sentences side by side, and any BERT, GPT-2 or T5 from Hugging "
                "Face. The link in your address bar brings back what you see: send it to your class."
            )
        )
        link(QUERIES)
        st.markdown(
            tr(
                "Follow a word through one head: its [query](#word-query), the [keys](#word-key) that it meets, the "
                "[values](#word-value) that it brings back."
            )
        )
        link(STEP_BY_STEP)
        st.markdown(
            tr("One [layer](#word-layer), step by step: what goes in, what comes out, and what if it were different.")
        )
        link(POSITIONS)
        st.markdown(tr("How a model knows which word comes first, and what happens if nobody tells it."))
        link(MASKED_WORDS)
        st.markdown(tr("Hide a word and see what the model guesses, layer by layer; compare two sentences."))
        link(NEXT_SENTENCE)
        st.markdown(tr("Does one sentence follow another? And which heads look from one to the other?"))
        link(TRANSLATION)
        st.markdown(
            tr(
                "A sentence in Spanish or Korean, token by token: what each token looks at, and what it could have "
                "been."
            )
        )
        link(BERT_AND_GPT)
        st.markdown(tr("Why one model fills gaps and the other continues a text, token by token."))
        link(SWITCHBOARD)
        st.markdown(
            tr("Switch heads off, and read what the model says without them: does it matter where a head looks?")
        )
        link(TRAINING_LAB)
        st.markdown(tr("Train a small model of your own, watch it learn, and open it on all these pages."))
