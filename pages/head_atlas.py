"""Every head of a model over many texts: what it does, which are alike, and which sentences show it."""

import streamlit as st

from ui.head_atlas.page import head_atlas
from ui.widgets.frame import page
from ui.widgets.inputs import model_and_device

with page("Head atlas"):
    st.title("Head atlas")
    st.markdown(
        "What does each head do, **over many texts**? A head gets a name only where a share of its attention passes a "
        "threshold and a baseline; one sentence never names a head."
    )
    model_and_device({})
    head_atlas()
