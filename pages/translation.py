"""A sentence in another language, word by word: what the decoder looks at, what it could have said, what it aligned."""

import streamlit as st

from ui.frame import page
from ui.inputs import TRANSLATION_EXAMPLES, model_and_device, sentence
from ui.lent_model import lend
from ui.opening import open_with
from ui.translation import FIRST_TRANSLATOR, translation_explorer

with page("Translation"):
    st.title("Translation")
    st.markdown(
        "An encoder reads the sentence; a decoder writes another one, **a token at a time**, and looks at both as it "
        "writes."
    )
    open_with(TRANSLATION_EXAMPLES)
    lend(FIRST_TRANSLATOR)
    sentence()
    model_and_device(TRANSLATION_EXAMPLES)
    translation_explorer()
