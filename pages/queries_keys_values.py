"""Inside one head: a query token, the keys that it meets, the weights, and the values that it takes home."""

import streamlit as st

from ui.queries.page import query_explorer
from ui.widgets.frame import page
from ui.widgets.inputs import model_and_device, sentences
from ui.widgets.opening import open_with_own

with page("Queries, keys, values"):
    st.title("Queries, keys, values")
    st.markdown(
        "Every token asks with its **query**, is found by its **key**, and passes on its **value**. **Click a token** "
        "and follow its query through one head."
    )
    open_with_own()
    sentences()
    model_and_device()
    query_explorer()
