"""One layer of attention as a walk: what goes into every step, what comes out, and what if a step were different."""

import streamlit as st

from ui.step_by_step.page import step_explorer
from ui.widgets.frame import page
from ui.widgets.inputs import model_and_device, sentences
from ui.widgets.opening import open_with_own

with page("Step by step"):
    st.title("Step by step")
    st.markdown("How one layer works on a sentence: **every number on its way through one head.**")
    open_with_own()
    sentences()
    model_and_device()
    step_explorer()
