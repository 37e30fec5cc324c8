"""Train a model of one's own, see it learn, and open it in every other page."""

import streamlit as st

from ui.frame import page
from ui.training_lab import training_lab

with page("Training lab"):
    st.title("Training lab")
    st.markdown(
        "**Train a small transformer on this machine and watch it learn.** When it has, open it in every other page."
    )
    training_lab()
