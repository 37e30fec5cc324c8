"""Which words an answer is made of: many methods side by side, judged by what happens without the words they name."""

import streamlit as st

from ui.explanations.page import explanations
from ui.widgets.frame import page
from ui.widgets.inputs import answer_examples, model_and_device, sentences
from ui.widgets.opening import open_with

with page("Explanations"):
    st.title("Explanations")
    st.markdown("Which words is an answer made of? **Ask many methods, then leave words out to see which to believe.**")
    open_with(answer_examples())
    sentences()
    model_and_device(answer_examples())
    explanations()
