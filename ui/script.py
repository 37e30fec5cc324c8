"""The script that Streamlit runs for every rerun of every session: the navigation and the chosen page."""

from ui.state.navigation import run_chosen_page
from ui.state.speaking import speak_as_chosen

speak_as_chosen()
run_chosen_page()
