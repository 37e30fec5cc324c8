"""Make a lesson: write it, see its mistakes, try it, give it away."""

import streamlit as st

from ui.lessons.making import making_page
from ui.widgets.frame import page

with page("Make a lesson"):
    st.title("Make a lesson")
    making_page()
