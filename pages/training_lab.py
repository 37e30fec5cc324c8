"""Train a model of one's own, see it learn, and open it in every other page."""

import streamlit as st

from ui.training_lab.page import training_lab
from ui.widgets.frame import page

with page("Training lab"):
    st.title("Training lab")
    st.markdown("**Train a small transformer on this machine and watch it learn.** Then open it on every other page.")
    training_lab()
