"""Lessons: a claim, a prediction, and the model's answer."""

import streamlit as st

from ui.lessons.page import lessons_page
from ui.widgets.frame import page

with page("Lessons"):
    st.title("Lessons")
    lessons_page()
