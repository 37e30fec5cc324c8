"""The page "Home": the chosen head of the chosen model on the reader's sentence, and what that model is."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import ModelEntry, entry_of
from models.values.record import ModelInfo
from ui.home.next_clicks import next_clicks
from ui.state.sources import short_name, source_of
from ui.widgets.finding import held, recorded_where_it_stands_out, say_finding
from ui.widgets.frame import readable_errors
from ui.widgets.notes import say_notes_and_guesses
from ui.widgets.pickers import layer_and_head, pick_kind
from ui.widgets.plain import plain
from ui.widgets.viewer import viewer

BOTH_SIDES = "Every token looks at the others on both sides."
LEFT_SIDE = "Every token looks at itself and at those before it, never ahead."
BOTH_STACKS = (
    "In the encoder, every token looks at the others on both sides. The decoder looks at them, and at what it has "
    "written so far."
)


def living_picture() -> None:
    """The picture of what stands out; beside it one click to the next, another layer and head, and what the model is;
    below, what the reader should know."""
    with readable_errors():
        recording = recorded_where_it_stands_out()
        say_finding(recording)
        picture, beside = st.columns([10, 3], gap="medium")
        with picture:
            viewer(recording, key="living_picture", shows="map", **held(recording))
        with beside:
            next_clicks(recording)
            pick_kind(recording.kinds)
            layer_and_head(recording.of(st.session_state["kind"]))
            st.markdown(what_reads(recording.info))
        say_notes_and_guesses(recording)


def what_reads(info: ModelInfo) -> str:
    """What the chosen model is, in two sentences of Markdown."""
    entry, source = entry_of(info.name), source_of(info.name)
    made_here = f", {_origin(entry)}," if entry and entry.is_embedded else ""
    made_here = f", which was {source.made}," if source is not None else made_here
    stack, sight = ("an encoder", BOTH_SIDES) if "encoder" in info.kinds else ("a decoder", LEFT_SIDE)
    if len(info.kinds) > 1:
        stack, sight = "an encoder and a decoder", BOTH_STACKS
    return (
        f"**{plain(short_name(info.name))}**{made_here} reads it on this machine: {stack} of "
        f"{_count(info.n_layers, 'layer')} with {_count(info.n_heads, 'head')} each. {sight}"
    )


def _origin(entry: ModelEntry) -> str:
    """How an embedded model came about, in the words of its card."""
    if entry.base_model:
        return f"trained further for this app from {plain(entry.base_model)}"
    return "trained for this app"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
