"""How a model knows where a word stands: five answers in pictures, and what happens without any."""

import streamlit as st

from ui.frame import page
from ui.inputs import model_and_device
from ui.positions import position_explorer

with page("Positions"):
    st.title("Positions")
    st.markdown(
        "Attention compares every token with every other, whatever their order. **What tells the model which word "
        "comes first** is added to the tokens, turned into the queries and keys, or put on the scores."
    )
    model_and_device(offered={})
    position_explorer()
