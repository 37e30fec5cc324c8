"""Hide words of a sentence, and see what the model says, how it comes to say it, and what another word changes."""

import streamlit as st

from ui.masked_words.page import masked_word_explorer
from ui.widgets.frame import page
from ui.widgets.hide_words import hide_words
from ui.widgets.inputs import model_and_device, sentences, word_examples
from ui.widgets.opening import open_with

with page("Masked words"):
    st.title("Masked words")
    st.markdown("BERT learns by guessing hidden words. **Hide one, and see what it guesses.**")
    open_with(word_examples())
    sentences()
    model_and_device(word_examples())
    hide_words()
    masked_word_explorer()
