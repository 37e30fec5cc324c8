"""The explorer of the Attention page: layer and head, and the pictures of what was chosen.

It is a fragment: turning a layer or a head redraws the pictures, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from models.record import AttentionRecord, Recording
from ui.cache import record, small_maps
from ui.frame import part_of_page, theme
from ui.pickers import layer_and_head
from ui.pictures import numbers, picture_config, two_columns
from ui.plain import plain
from ui.selection import MAX_LINK, MEAN, Selection, fit, selection
from ui.viewport import column_widths
from viz.bertviz_views import View, head_view, model_view, view_height, view_limit
from viz.blocks import is_pair, pair_blocks_figure
from viz.heatmap import attention_heatmap
from viz.overview import overview, picked
from viz.transform import matrix_csv, prepare

VIEW_LABELS = {
    "explore": "Heatmap",
    "pair": "Sentence pair",
    "head-view": "bertviz head view",
    "model-view": "bertviz model view",
}
KIND_LABELS = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross (decoder to encoder)"}
QUANTITY_LABELS = {"weights": "Weights", "scores": "Scores before the softmax"}
SPECIAL_LABELS = {"shown": "Shown", "hidden": "Hidden", "hidden_renormalised": "Hidden, rows renormalised"}
UNKNOWN = ("[UNK]", "<unk>")
UNKNOWN_NOTE = (
    "This model does not know {} of these pieces and reads them as unknown. For another language, choose a model that "
    "learned it: klue/bert-base for Korean, google-bert/bert-base-multilingual-cased for 104 languages."
)
LINK_NOTE = "The text is too long for a link: the address restores everything but the text."
_OVERVIEW = "overview"


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
    """The chosen head of the chosen model on the reader's sentence: the picture of the home page."""
    recording = _recorded()
    chosen = selection()
    _heatmap(recording.of(chosen.kind), chosen, column_widths(6, 4)[0])


def _recorded() -> Recording:
    """The recording that the selection asks for; its layer, head and kind are brought into the bounds of it."""
    chosen = selection()
    recording = record(chosen.model, chosen.device, chosen.text, chosen.text_b)
    fit(recording)
    return recording


def _notes(recording: Recording) -> None:
    """What the reader should know before looking: what was cut, and what the model guesses behind its masks."""
    unknown = sum(token.text in UNKNOWN for token in recording.tokens)
    too_long = max(len(st.session_state[name]) for name in ("text", "text_b")) > MAX_LINK
    for note in (recording.note, UNKNOWN_NOTE.format(unknown) if unknown else "", LINK_NOTE if too_long else ""):
        if note:
            st.info(plain(note), icon=":material/info:")
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


def _explore(recording: Recording, chosen: Selection) -> None:
    shown = recording.of(chosen.kind)
    left, right, widths = two_columns()
    with left:
        with st.spinner("Drawing all heads", show_time=True):
            maps = small_maps(recording, chosen.kind, chosen.text, chosen.text_b)
        figure = overview(shown, selected=(chosen.layer, chosen.head_index), theme=theme(), width=widths[0], maps=maps)
        st.plotly_chart(
            figure, key=_OVERVIEW, on_select=_pick, selection_mode="points", theme=None, width="content",
            config={"displaylogo": False, "displayModeBar": False},
        )  # fmt: skip
    with right:
        _options()
        _heatmap(shown, selection(), widths[1])


def _options() -> None:
    quantity, special, words = st.columns([4, 5, 4], vertical_alignment="bottom")
    quantity.selectbox("Show", list(QUANTITY_LABELS), key="quantity", format_func=QUANTITY_LABELS.__getitem__)
    special.selectbox("Special tokens", list(SPECIAL_LABELS), key="special", format_func=SPECIAL_LABELS.__getitem__)
    scores = st.session_state["quantity"] == "scores"
    if scores:
        st.session_state["words"] = False
    words.toggle(
        "Whole words", key="words", disabled=scores,
        help="Scores before the softmax cannot be summed over the pieces of a word."
        if scores
        else "Columns of a word's pieces are summed, rows are averaged, so every row still sums to 1.",
    )  # fmt: skip


def _heatmap(shown: AttentionRecord, chosen: Selection, width: int) -> None:
    choices: dict[str, Any] = {
        "layer": chosen.layer, "head": chosen.head_index, "quantity": chosen.quantity, "words": chosen.words,
        "special": chosen.special,
    }  # fmt: skip
    figure = attention_heatmap(shown, **choices, theme=theme(), width=width)
    name = f"attention-layer-{chosen.layer}-head-{chosen.head}"
    st.plotly_chart(figure, key="heatmap", theme=None, width="content", config=picture_config(name))
    numbers(lambda: matrix_csv(prepare(shown, **choices)), name)


def _pair(recording: Recording, chosen: Selection) -> None:
    shown = recording.of(chosen.kind)
    if not is_pair(shown):
        st.info(
            "Type a sentence B above: this view shows how much each sentence looks at the other.",
            icon=":material/info:",
        )
        return
    left, right, widths = two_columns()
    with left:
        st.plotly_chart(
            pair_blocks_figure(
                shown, layer=chosen.layer, head=chosen.head_index, theme=theme(), width=widths[0]
            ),
            key="blocks", theme=None, width="content", config=picture_config("sentence-pair"),
        )  # fmt: skip
    with right:
        _options()
        _heatmap(shown, selection(), widths[1])


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
    "explore": _explore,
    "pair": _pair,
    "head-view": _bertviz("head"),
    "model-view": _bertviz("model"),
}


def _pick() -> None:
    """A head was clicked in the overview."""
    choice = picked(st.session_state[_OVERVIEW])
    if choice is not None:
        layer, head = choice
        st.session_state["layer"], st.session_state["head"] = layer, MEAN if head is None else head
