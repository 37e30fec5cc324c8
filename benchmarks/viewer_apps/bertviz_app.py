"""bertviz in a page of Streamlit, as its readers put it there: the HTML that it returns, in a frame.

The frame scrolls, as most do, so that the browser need not paint the parts of the picture that are out of sight.
"""

from __future__ import annotations

import streamlit as st
import torch
from bertviz import head_view, model_view

from benchmarks.viewer_apps.stage import base_recording, prepared_sentence, start_clock, stop_clock

VIEWS = {"head": head_view, "model": model_view}
FRAME_HEIGHT = 700


def model_outputs(n_tokens: int, seed: int) -> tuple[list[torch.Tensor], list[str]]:
    """What a model of transformers returns with `output_attentions=True`, a tensor [1, n_heads, n, n] a layer."""
    record = base_recording(n_tokens, seed).of("encoder")
    attention = [torch.from_numpy(record.layer_weights(layer))[None] for layer in range(record.n_layers)]
    return attention, [token.text for token in record.query_tokens]


begun = start_clock()
shown = prepared_sentence(model_outputs)
if shown is not None:
    attention, tokens = shown
    view = VIEWS[st.query_params["view"]]
    st.iframe(view(attention, tokens, html_action="return").data, height=FRAME_HEIGHT)
stop_clock(begun)
