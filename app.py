"""Headlight: see what the attention heads of a transformer look at. Start it with `streamlit run app.py`."""

import streamlit as st

from ui.routes import routes

app = st.App("ui/script.py", routes=routes())
