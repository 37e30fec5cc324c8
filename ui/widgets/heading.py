"""The title of a page with its subject, in one line where there is room, so that the picture comes first."""

from __future__ import annotations

import streamlit as st


def heading(title: str, lead: str) -> None:
    """Draw the title, and beside it `lead`, a sentence or two of Markdown."""
    with st.container(key="heading", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.title(title, width="content", anchor=False)
        st.markdown(lead)
