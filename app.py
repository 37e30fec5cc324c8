"""Headlight: see what the attention heads of a transformer look at. Start it with `streamlit run app.py`."""

from ui.navigation import run_chosen_page

run_chosen_page()
