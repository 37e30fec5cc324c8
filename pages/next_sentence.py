"""Two sentences: does the second follow the first, and how do they look at each other?"""

import streamlit as st

from ui.next_sentence.page import next_sentence_explorer
from ui.widgets.frame import page
from ui.widgets.inputs import PAIR_EXAMPLES, model_and_device, sentences
from ui.widgets.opening import open_with

with page("Next sentence"):
    st.title("Next sentence")
    st.markdown("BERT also learns whether **sentence B follows sentence A** or comes from somewhere else.")
    open_with(PAIR_EXAMPLES)
    sentences(needs_pair=True)
    model_and_device(PAIR_EXAMPLES)
    next_sentence_explorer()
