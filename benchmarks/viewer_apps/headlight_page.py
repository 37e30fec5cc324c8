"""Headlight's viewer alone on a page of Streamlit, as a fragment with the shared choices."""

from __future__ import annotations

import gc

import streamlit as st

from benchmarks.viewer_apps.stage import base_recording, prepared_sentence, start_clock, stop_clock
from models.values.record import Recording
from ui.state.selection import remember_choices
from ui.widgets.frame import part_of_page
from ui.widgets.viewer import viewer


@st.cache_resource
def freeze_imports() -> None:
    """Freeze the imported objects once, as `ui.desk.ask` does after it has opened a model."""
    gc.collect()
    gc.freeze()


@st.fragment
def picture(shown: Recording) -> None:
    with part_of_page():
        viewer(shown)


freeze_imports()
begun = start_clock()
recording = prepared_sentence(base_recording)
with remember_choices("Attention"):
    if recording is not None:
        picture(recording)
stop_clock(begun)
