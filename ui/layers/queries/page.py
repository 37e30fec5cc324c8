"""The page "Queries, keys, values": one query step by step, its dimensions, and a head as maps and as a plane.

It is a fragment: another layer, head or token redraws the pictures, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from models.values.record import AttentionRecord, Recording, Token, no_vectors
from ui.layers.queries.dimensions import dimensions
from ui.layers.queries.one_query import one_query
from ui.layers.queries.parts import at, position_labels, where
from ui.layers.queries.whole_head import maps, say_group
from ui.layers.queries.why import why_this_key
from ui.state.choices import NOTHING, Selection
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.known_heads import say_name
from ui.widgets.asking.pickers import layer_and_head, one_head, pick_kind
from ui.widgets.browser.viewport import page_width
from ui.widgets.finding import bring_row, record_at_finding
from ui.widgets.frame import part_of_page, theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture
from viz.bertviz.limits import view_height, view_limit
from viz.bertviz.neuron_colours import colours_in_words, neuron_colours
from viz.bertviz.views import neuron_view
from viz.kit.language import said, to_say, tr, trn
from viz.kit.tokens import token_texts
from viz.vectors.projection import plane_table, query_key_plane
from viz.vectors.query_key_value import first_word, look_up, vector_table

PART_LABELS = {
    "bands": to_say("One query"),
    "dimensions": to_say("Dimensions"),
    "why": to_say("Why this key?"),
    "maps": to_say("Whole head"),
    "plane": to_say("Plane"),
    "neuron-view": to_say("bertviz neuron view"),
}
MOST_BUTTONS = 60
"""The most tokens that are drawn as buttons; more are in a list."""
MEAN_NOTE = to_say("A mean over the heads has no query of its own. This is head 0; choose another with the slider.")
WORD_JOINER = "\u2060"


@st.fragment
def query_explorer() -> None:
    """Draw everything below the sentence."""
    with part_of_page():
        chosen = selection()
        recording = record_at_finding(with_mean=False)
        if not recording.info.has_vectors:
            raise no_vectors(recording.info)
        bring_row(recording)
        _fit(recording)
        _pickers(recording)
        shown = recording.of(selection().kind)
        if selection().part != "maps":
            _query_token(shown)
        say_group(shown, selection())
        DRAWN[selection().part](recording, shown, selection())
        say_name(recording)
        say_notes(recording.info, recording.tokens, (chosen.text, chosen.text_b), recording.note)
        _facts(recording)


def _fit(recording: Recording) -> None:
    """Clamp the choices of this page to the recording; a query and a single head are always chosen."""
    one_head(MEAN_NOTE)
    shown = recording.of(selection().kind)
    if not 0 <= selection().query < len(shown.query_tokens):
        choose(query=first_word(shown))
    if selection().frozen >= len(shown.query_tokens):
        choose(frozen=NOTHING)
    if selection().key_token >= len(shown.key_tokens):
        choose(key_token=NOTHING)


def _pickers(recording: Recording) -> None:
    """Draw view, kind of attention if there are several, layer and head, in one row where there is room."""
    several = len(recording.kinds) > 1
    *places, heads = st.columns([8, 3, 6] if several else [8, 6])
    places[0].segmented_control(
        tr("View"),
        list(PART_LABELS),
        key="part",
        format_func=lambda part: said(PART_LABELS[part]),
        required=True,
        wrap=True,
    )
    pick_kind(recording.kinds, places[-1])
    with heads:
        layer_and_head(recording.of(selection().kind), with_mean=False)


def _query_token(shown: AttentionRecord) -> None:
    """Draw the tokens as buttons, or as a list if there are many."""
    tokens = shown.query_tokens
    if len(tokens) > MOST_BUTTONS:
        st.selectbox(
            tr("Query token"), range(len(tokens)), key="query", format_func=position_labels(tokens).__getitem__
        )
    else:
        st.pills(
            tr("Query token"),
            range(len(tokens)),
            key="query",
            format_func=_labels(tokens).__getitem__,
            required=True,
            label_visibility="collapsed",
        )


def _facts(recording: Recording) -> None:
    info = recording.info
    shared = info.n_heads // max(info.n_kv_heads, 1)
    parts = [
        plain(info.name),
        tr(
            "{layers} layers × {heads} heads of {dimensions} dimensions",
            layers=info.n_layers,
            heads=info.n_heads,
            dimensions=info.d_head,
        ),
        tr("{n} heads each share their keys and values (grouped keys)", n=shared) if shared > 1 else "",
        info.place,
        trn("{n} token", "{n} tokens", len(recording.tokens)),
    ]
    st.caption(" · ".join(part for part in parts if part))


def _labels(tokens: Sequence[Token]) -> list[str]:
    """Return token texts for buttons; equal ones get invisible signs, because Streamlit tells buttons apart by their
    labels."""
    texts = token_texts(tokens)
    return [plain(text) + WORD_JOINER * texts[:place].count(text) for place, text in enumerate(texts)]


# -- the whole head ---------------------------------------------------------------------------------------------------


def _plane(_recording: Recording, shown: AttentionRecord, chosen: Selection) -> None:
    picture(query_key_plane(shown, **where(chosen), theme=theme(), width=page_width()), "query-key-plane")
    numbers(lambda: plane_table(shown, **where(chosen)), "query-key-plane")


def _neurons(recording: Recording, shown: AttentionRecord, chosen: Selection) -> None:
    refused = view_limit(shown, "neuron")
    if refused is not None:
        st.warning(said(refused), icon=":material/hourglass_disabled:")
        return
    start = recording.segment_b_start
    colours = neuron_colours(shown, **at(chosen))
    how = tr("Point at a token on the left, or go to it with the Tab key.")
    st.caption(f"{how} {plain(colours_in_words(colours))}")
    st.iframe(
        neuron_view(shown, **where(chosen), theme=theme(), segment_b_start=start),
        height=view_height(shown, "neuron", segment_b_start=start),
        alt=tr("bertviz neuron view: query, keys and their product"),
    )
    numbers(lambda: vector_table(look_up(shown, **where(chosen))), "query-vectors")


DRAWN: dict[str, Callable[[Recording, AttentionRecord, Selection], None]] = {
    "bands": one_query,
    "dimensions": dimensions,
    "why": why_this_key,
    "maps": maps,
    "plane": _plane,
    "neuron-view": _neurons,
}
