"""Our viewer in a page of Streamlit, as a fragment with the shared choices, and nothing else on it."""

from __future__ import annotations

import gc

import streamlit as st

from benchmarks.viewer_apps.stage import base_recording, prepared_sentence, start_clock, stop_clock
from models.values.record import Recording
from ui.state.selection import remember_choices
from ui.widgets.frame import part_of_page
from ui.widgets.viewer import viewer


@st.cache_resource
def frozen() -> None:
    """What was imported is not garbage: `ui.desk.ask.py` says so once a model is open, and here none is."""
    gc.collect()
    gc.freeze()


@st.fragment
def picture(shown: Recording) -> None:
    with part_of_page():
        viewer(shown)


frozen()
begun = start_clock()
recording = prepared_sentence(base_recording)
with remember_choices("Attention"):
    if recording is not None:
        picture(recording)
stop_clock(begun)
