"""What a model answers without some of its heads: switches, effects of all heads, patches, and the logit as a sum."""

import streamlit as st

from ui.switchboard.examples import switch_examples
from ui.switchboard.page import switchboard
from ui.widgets.frame import page
from ui.widgets.inputs import model_and_device, sentences
from ui.widgets.opening import open_with

with page("Switchboard"):
    st.title("Switchboard")
    st.markdown(
        "Where a head looks is one thing, whether it matters another: **switch heads off, and read the answer.**"
    )
    open_with(switch_examples())
    sentences()
    model_and_device(switch_examples())
    switchboard()
