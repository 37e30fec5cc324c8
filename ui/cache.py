"""Models and recordings, kept for all sessions of this server, in bounded numbers.

One torch thread a forward pass, and as many passes at once as there are cores: thirty readers wait least that way.
"""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import wait

import streamlit as st
import torch

from models.devices import pick_device
from models.record import Kind, Recording
from models.registry import Model, canonical, check_allowed
from ui.plain import plain
from ui.shelf import Shelf
from viz.overview import Mosaic, mosaic

MODELS = 4
RECORDINGS = 24
"""How many are kept: a recording of 512 tokens of a BERT-base takes about 80 MB, one of a sentence 2 MB."""
_PASSES = threading.BoundedSemaphore(os.cpu_count() or 1)


def open_model(name: str, device: str) -> Model:
    """The model of that name on that device; says what goes on while it is opened. Raises ModelError, DeviceError."""
    check_allowed(name)
    name, device = canonical(name), str(pick_device(device))
    opening = _shelf().ask(name, device)
    if not opening.done():
        place = st.empty()
        begun = time.monotonic()
        while not wait([opening], timeout=0.25).done:
            seconds = time.monotonic() - begun
            place.status(f"{plain(_shelf().said(name, device))} ({seconds:.0f} s)", state="running")
        place.empty()
    return opening.result()


def record(name: str, device: str, text: str, text_b: str) -> Recording:
    """The recording of a text, or of a pair. Raises what `open_model` raises, and TextError."""
    model = open_model(name, device)
    with st.spinner("Recording the attention", show_time=True):
        return _recording(model.info.name, model.info.device, text, text_b)


def small_maps(recording: Recording, kind: Kind, text: str, text_b: str) -> Mosaic:
    """The small maps of all heads: hundreds of softmaxes, so they are computed once a text and not once a click."""
    return _mosaic(recording.info.name, recording.info.device, text, text_b, kind)


@st.cache_resource(show_spinner=False)
def _shelf() -> Shelf:
    return Shelf(MODELS)


@st.cache_resource(max_entries=RECORDINGS, show_spinner=False)
def _recording(name: str, device: str, text: str, text_b: str) -> Recording:
    model = _shelf().ask(name, device).result()
    with _PASSES:
        torch.set_num_threads(1)
        return model.record(text, text_b or None)


@st.cache_resource(max_entries=2 * RECORDINGS, show_spinner=False)
def _mosaic(name: str, device: str, text: str, text_b: str, kind: Kind) -> Mosaic:
    return mosaic(_recording(name, device, text, text_b).of(kind))
