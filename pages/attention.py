"""The main page: a sentence, a model, a layer and a head, and what that head looks at."""

import streamlit as st

from ui.attention.page import attention_explorer
from ui.widgets.frame import page
from ui.widgets.inputs import model_and_device, sentences
from ui.widgets.opening import open_with_own

with page("Attention"):
    st.title("Attention")
    st.markdown(
        "Each token asks the others a question. A strong cell means that this **row** looks at that **column**."
    )
    open_with_own()
    sentences()
    model_and_device()
    attention_explorer()
