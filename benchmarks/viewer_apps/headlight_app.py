"""Our viewer on a server: as in `app.py`, it brings the addresses from which the viewer fetches its numbers."""

import streamlit as st

from ui.state.routes import routes

app = st.App("headlight_page.py", routes=routes())
