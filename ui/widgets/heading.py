"""The title of a page and what the page is about, in one line where there is room: the picture comes first."""

from __future__ import annotations

import streamlit as st


def heading(title: str, lead: str) -> None:
    """The title, and beside it a sentence or two of Markdown."""
    with st.container(key="heading", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.title(title, width="content", anchor=False)
        st.markdown(lead)
