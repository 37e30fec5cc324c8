"""How a model knows where a word stands: five answers in pictures, and what happens without any."""

import streamlit as st

from ui.positions.page import position_explorer
from ui.widgets.frame import page
from ui.widgets.inputs import model_and_device

with page("Positions"):
    st.title("Positions")
    st.markdown(
        "Attention compares every token with every other, whatever their order. **Word order has to come from "
        "somewhere:** it is added to the tokens, turned into the queries and keys, or added to the scores."
    )
    model_and_device(offered={})
    position_explorer()
