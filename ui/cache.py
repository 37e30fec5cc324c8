"""Models and recordings, kept for all sessions of this server, in bounded numbers.

One torch thread a forward pass, and as many passes at once as there are cores: thirty readers wait least that way.
"""

from __future__ import annotations

import gc
import os
import threading

import streamlit as st
import torch

from models.devices import pick_device
from models.record import Kind, Recording
from models.registry import Model, canonical, check_allowed, load
from viz.overview import Mosaic, mosaic

_PASSES = threading.BoundedSemaphore(os.cpu_count() or 1)


def open_model(name: str, device: str) -> Model:
    """The model of that name on that device, with a line that says what is going on. Raises ModelError, DeviceError."""
    check_allowed(name)
    name = canonical(name)
    with st.spinner(f"Opening {name}. The first time, a model from Hugging Face is downloaded.", show_time=True):
        return _model(name, str(pick_device(device)))


def record(name: str, device: str, text: str, text_b: str) -> Recording:
    """The recording of a text, or of a pair. Raises what `open_model` raises, and TextError."""
    model = open_model(name, device)
    with st.spinner("Recording the attention", show_time=True):
        return _recording(model.info.name, model.info.device, text, text_b)


def small_maps(recording: Recording, kind: Kind, text: str, text_b: str) -> Mosaic:
    """The small maps of all heads: hundreds of softmaxes, so they are computed once a text and not once a click."""
    return _mosaic(recording.info.name, recording.info.device, text, text_b, kind)


@st.cache_resource(max_entries=4, show_spinner=False)
def _model(name: str, device: str) -> Model:
    model = load(name, device=device)
    # torch and transformers leave a million objects that never die; without this, every rerun looks at all of them.
    gc.collect()
    gc.freeze()
    return model


@st.cache_resource(max_entries=24, show_spinner=False)
def _recording(name: str, device: str, text: str, text_b: str) -> Recording:
    model = _model(name, device)
    with _PASSES:
        torch.set_num_threads(1)
        return model.record(text, text_b or None)


@st.cache_resource(max_entries=48, show_spinner=False)
def _mosaic(name: str, device: str, text: str, text_b: str, kind: Kind) -> Mosaic:
    return mosaic(_recording(name, device, text, text_b).of(kind))
