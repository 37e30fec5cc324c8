"""What Streamlit runs for every reader and every change: the navigation, and in it the chosen page."""

from ui.state.navigation import run_chosen_page
from ui.training_lab.source import register_lab

register_lab()
run_chosen_page()
