"""What Streamlit runs for every reader and every change: the navigation, and in it the chosen page."""

from ui.state.navigation import run_chosen_page

run_chosen_page()
