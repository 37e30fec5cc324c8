"""A sentence in another language, word by word: what the decoder looks at, what it could have said, what it aligned."""

import streamlit as st

from ui.translation.page import FIRST_TRANSLATOR, translation_explorer
from ui.widgets.frame import page
from ui.widgets.inputs import TRANSLATION_EXAMPLES, model_and_device, sentence
from ui.widgets.opening import open_with
from ui.widgets.stand_in import stand_in

with page("Translation"):
    st.title("Translation")
    st.markdown(
        "An encoder reads the sentence; a decoder writes another one, **a token at a time**, and looks at both as it "
        "writes."
    )
    open_with(TRANSLATION_EXAMPLES)
    stand_in(FIRST_TRANSLATOR)
    sentence()
    model_and_device(TRANSLATION_EXAMPLES)
    translation_explorer()
