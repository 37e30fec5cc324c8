"""The explorer of the Attention page: layer and head, and the viewer of what was chosen; or bertviz's views.

It is a fragment: turning a layer or a head moves the viewer, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from models.opening.registry import entry_of
from models.training.lab.uploads.checkpoints import is_lab_name, short_name
from models.values.record import ModelInfo, Recording
from ui.state.cache import record
from ui.state.selection import MAX_LINK, Selection, fit, selection
from ui.widgets.frame import part_of_page, readable_errors, theme
from ui.widgets.notes import say_notes
from ui.widgets.pickers import layer_and_head
from ui.widgets.plain import plain
from ui.widgets.viewer import viewer
from viz.bertviz.views import View, head_view, model_view, view_height, view_limit

VIEW_LABELS = {
    "explore": "Viewer",
    "head-view": "bertviz head view",
    "model-view": "bertviz model view",
}
KIND_LABELS = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross (decoder to encoder)"}
BOTH_SIDES = "Every token looks at the others, on both sides."
LEFT_SIDE = "Every token looks at itself and at those before it, and at none that comes later."
BOTH_STACKS = (
    "In the encoder every token looks at the others, on both sides; the decoder looks at what it has written so far, "
    "and at them."
)
LINK_NOTE = "The text is too long for a link: the address restores everything but the text."


@st.fragment
def attention_explorer() -> None:
    """Everything below the sentence: pickers, pictures, downloads. Reads and writes the shared selection."""
    with part_of_page():
        recording = _recorded()
        _notes(recording)
        _pickers(recording)
        VIEWS_DRAWN[st.session_state["view"]](recording, selection())
        _facts(recording)


def living_picture() -> None:
    """The chosen head of the chosen model on the reader's sentence, and what that model is: the picture of "Home"."""
    with readable_errors():
        recording = _recorded()
        st.markdown(what_reads(recording.info))
        _notes(recording)
        viewer(recording, key="living_picture", shows="map")


def what_reads(info: ModelInfo) -> str:
    """What the chosen model is, in two sentences of Markdown."""
    entry = entry_of(info.name)
    made_here = ", which was trained for this app," if entry and entry.is_embedded else ""
    made_here = ", which was trained here, in the lab," if is_lab_name(info.name) else made_here
    stack, sight = ("an encoder", BOTH_SIDES) if "encoder" in info.kinds else ("a decoder", LEFT_SIDE)
    if len(info.kinds) > 1:
        stack, sight = "an encoder and a decoder", BOTH_STACKS
    return (
        f"**{plain(short_name(info.name))}**{made_here} reads it on this machine: {stack} of "
        f"{_count(info.n_layers, 'layer')} with {_count(info.n_heads, 'head')} each. {sight}"
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _recorded() -> Recording:
    """The recording that the selection asks for; its layer, head and kind are brought into the bounds of it."""
    chosen = selection()
    recording = record(chosen.model, chosen.device, chosen.text, chosen.text_b)
    fit(recording)
    return recording


def _notes(recording: Recording) -> None:
    """What the reader should know before looking: what was cut, and what the model guesses behind its masks."""
    chosen = selection()
    texts = chosen.text, chosen.text_b
    too_long = LINK_NOTE if max(map(len, texts)) > MAX_LINK else ""
    say_notes(recording.info, recording.tokens, texts, recording.note, too_long)
    for prediction in recording.predictions:
        words = "   ".join(f"{choice.text} {choice.probability:.4f}" for choice in prediction.choices)
        st.text(f"[MASK] at position {prediction.position}   →   {words}")


def _facts(recording: Recording) -> None:
    info = recording.info
    st.caption(
        f"{plain(info.name)} · {info.n_layers} layers × {info.n_heads} heads of {info.d_head} dimensions · "
        f"{info.n_parameters / 1e6:.1f} million parameters · {info.device} · {len(recording.tokens)} tokens"
    )


def _pickers(recording: Recording) -> None:
    """View, kind of attention where there are several, layer and head, in one row where there is room."""
    several = len(recording.kinds) > 1
    places = st.columns([7, 3, 3, 3] if several else [6, 4, 4], vertical_alignment="bottom")
    places[0].segmented_control(
        "View", list(VIEW_LABELS), key="view", format_func=VIEW_LABELS.__getitem__, required=True, wrap=True
    )
    if several:
        places[1].selectbox("Attention", recording.kinds, key="kind", format_func=KIND_LABELS.__getitem__)
    shown = recording.of(st.session_state["kind"])
    layer_and_head(shown, (places[-2], places[-1]))


def _bertviz(view: View) -> Callable[[Recording, Selection], None]:
    def draw(recording: Recording, chosen: Selection) -> None:
        shown = recording.of(chosen.kind)
        refused = view_limit(shown, view)
        if refused is not None:
            st.warning(refused, icon=":material/hourglass_disabled:")
            return
        start = recording.segment_b_start
        html = (
            head_view(shown, layer=chosen.layer, head=chosen.head_index, theme=theme(), segment_b_start=start)
            if view == "head"
            else model_view(shown, theme=theme(), segment_b_start=start)
        )
        st.iframe(
            html, height=view_height(shown, view, segment_b_start=start), alt=f"bertviz {view} view of the attention"
        )

    return draw


VIEWS_DRAWN: dict[str, Callable[[Recording, Selection], None]] = {
    "explore": lambda recording, _: viewer(recording),
    "head-view": _bertviz("head"),
    "model-view": _bertviz("model"),
}
