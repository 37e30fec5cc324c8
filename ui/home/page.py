"""The page "Home": the chosen head on the reader's sentence, and a description of the model."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import entry_of
from models.values.record import ModelInfo
from ui.home.next_clicks import next_clicks
from ui.home.showing import offer_showcases, swing
from ui.state.plain import plain
from ui.state.selection import selection
from ui.state.sources import short_name, source_of
from ui.widgets.asking.follow_typing import follow_typing
from ui.widgets.asking.pickers import layer_and_head, pick_kind
from ui.widgets.finding import finding_on_show, record_at_finding, say_finding, viewer_lock
from ui.widgets.frame import readable_errors
from ui.widgets.notes import say_notes_and_guesses
from ui.widgets.viewer import viewer
from viz.kit.language import said, to_say, tr, trn

BOTH_SIDES = to_say("Every token looks at the others on both sides.")
LEFT_SIDE = to_say("Every token looks at itself and at those before it, never ahead.")
BOTH_STACKS = to_say(
    "In the encoder, every token looks at the others on both sides. The decoder looks at them, and at what it has "
    "written so far."
)


def living_picture() -> None:
    """Draw sentences to try, the head that stands out in the viewer, buttons for the next experiment, and the model."""
    offer_showcases()
    with readable_errors():
        recording = record_at_finding()
        is_swing = swing(recording)
        if not is_swing or finding_on_show(recording) is None:
            with st.container(key="said-finding"):
                say_finding(recording)
        locked, typed = viewer_lock(recording), follow_typing(recording)
        viewer(recording, key="living_picture", shows="picture", **locked, **typed)
        with st.container(key="said-notes"):
            say_notes_and_guesses(recording)
        clicks, heads = st.columns([7, 5], gap="medium", vertical_alignment="bottom")
        with clicks.container(key="said-clicks"):
            next_clicks(recording)
        with heads:
            pick_kind(recording.kinds)
            layer_and_head(recording.of(selection().kind))
        st.caption(what_reads(recording.info))


def what_reads(info: ModelInfo) -> str:
    """Describe the chosen model in two sentences of Markdown."""
    has = {
        "model": _name_with_origin(info.name),
        "layers": trn("{n} layer", "{n} layers", info.n_layers),
        "heads": trn("{n} head", "{n} heads", info.n_heads),
    }
    if len(info.kinds) > 1:
        stack = tr("{model} reads it on this machine: an encoder and a decoder of {layers} with {heads} each.", **has)
        return f"{stack} {said(BOTH_STACKS)}"
    if "encoder" in info.kinds:
        stack = tr("{model} reads it on this machine: an encoder of {layers} with {heads} each.", **has)
        return f"{stack} {said(BOTH_SIDES)}"
    stack = tr("{model} reads it on this machine: a decoder of {layers} with {heads} each.", **has)
    return f"{stack} {said(LEFT_SIDE)}"


def _name_with_origin(model: str) -> str:
    """Return the name of a model with its origin, from its card."""
    entry, source, name = entry_of(model), source_of(model), plain(short_name(model))
    if source is not None:
        return tr("**{model}**, which was {made},", model=name, made=said(source.made))
    if entry is None or not entry.is_embedded:
        return f"**{name}**"
    if entry.base_model:
        return tr("**{model}**, trained further for this app from {base},", model=name, base=plain(entry.base_model))
    return tr("**{model}**, trained for this app,", model=name)
