"""The page "Queries, keys, values": one query step by step, its dimensions, and a head as maps and as a plane.

It is a fragment: another layer, head or token redraws the pictures, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.record import AttentionRecord, Recording, Token, no_vectors
from ui.layers.queries.dimensions import dimensions
from ui.layers.queries.parts import answering_key, at, pick_order, position_labels, where
from ui.layers.queries.whole_head import maps, say_group
from ui.layers.queries.why import why_this_key
from ui.state.choices import NOTHING, Selection
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.known_heads import say_name
from ui.widgets.asking.pickers import layer_and_head, one_head, pick_kind
from ui.widgets.browser.viewport import column_widths, page_width
from ui.widgets.finding import bring_row, record_at_finding
from ui.widgets.frame import part_of_page, theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture
from ui.widgets.words import link_words
from viz.bertviz.limits import view_height, view_limit
from viz.bertviz.neuron_colours import colours_in_words, neuron_colours
from viz.bertviz.views import neuron_view
from viz.kit.language import said, to_say, tr, trn
from viz.kit.theme import SHARE_FORMAT
from viz.kit.tokens import token_texts
from viz.steps.row.words import score_as_text
from viz.vectors.projection import plane_table, query_key_plane
from viz.vectors.query_bands import query_bands
from viz.vectors.query_key_value import Lookup, arithmetic, first_word, look_up, score_table, vector_table
from viz.vectors.two_queries import compared_bands

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
SCORE_COLUMNS = {
    "query_position": to_say("query_position"),
    "query_token": to_say("query_token"),
    "position": to_say("position"),
    "token": to_say("token"),
    "may_look": to_say("may_look"),
    "dot_product": to_say("dot_product"),
    "scaled": to_say("scaled"),
    "soft_capped": to_say("soft_capped"),
    "bias": to_say("bias"),
    "score": to_say("score"),
    "weight": to_say("weight"),
}
"""The labels of the columns of `score_table` on the page; files keep the names."""
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


# -- one query --------------------------------------------------------------------------------------------------------


def _bands(_recording: Recording, shown: AttentionRecord, chosen: Selection) -> None:
    above = st.container(key="query-picture")
    order, freeze = st.columns([5, 5], vertical_alignment="bottom")
    pick_order(order)
    _freeze(freeze, shown, chosen)
    chosen = selection()
    look = look_up(shown, **where(chosen))
    looks, key = [look], answering_key(look, shown, chosen)
    drawing: dict[str, Any] = {"order": chosen.order, "theme": theme(), "width": column_widths(1)[0]}
    with above:
        st.markdown(_ask_and_answer(look, shown, chosen))
        if chosen.frozen not in (NOTHING, chosen.query):
            looks.append(look_up(shown, **at(chosen), position=chosen.frozen))
            picture(compared_bands(shown, **where(chosen), frozen=chosen.frozen, **drawing), "two-queries")
        else:
            picture(query_bands(shown, **where(chosen), answer=key, **drawing), "one-query")
    key_text = token_texts(shown.key_tokens)[key]
    how = f"({key}): {arithmetic(look, key)}"
    st.markdown(link_words(f"**{plain(look.text)} → {plain(key_text)}** {plain(how)}"))
    with st.expander(tr("The scores as a table")):
        columns = {name: said(label) for name, label in SCORE_COLUMNS.items()}
        st.dataframe(_scores(looks), hide_index=True, column_config=columns)
    first, second = st.columns(2)
    with first:
        numbers(lambda: _scores(looks), "query-scores", label=tr("Download scores and weights (CSV)"))
    with second:
        numbers(
            lambda: pd.concat([vector_table(look) for look in looks]),
            "query-vectors",
            label=tr("Download all vectors (CSV)"),
        )


def _ask_and_answer(look: Lookup, shown: AttentionRecord, chosen: Selection) -> str:
    """Say in Markdown which word answers the query best, by which score and for which share of the attention, and which
    token answers better still."""
    texts, strongest = token_texts(shown.key_tokens), int(look.weights.argmax())
    key = answering_key(look, shown, chosen)
    facts = {
        "query": plain(look.text),
        "key": plain(texts[key]),
        "score": score_as_text(look.scores[key]),
        "share": f"{look.weights[key]:{SHARE_FORMAT}}",
    }
    if key == strongest:
        return link_words(
            tr(
                "**“{query}” asks, “{key}” answers:** a score of {score}, the highest, and so {share} of the "
                "attention.",
                **facts,
            )
        )
    answer = tr("**“{query}” asks, “{key}” answers:** a score of {score}, and so {share} of the attention.", **facts)
    best = tr(
        "The best answer is {key}’s: {score}, and so {share}.",
        key=plain(texts[strongest]),
        score=score_as_text(look.scores[strongest]),
        share=f"{look.weights[strongest]:{SHARE_FORMAT}}",
    )
    return link_words(f"{answer} {best}")


def _scores(looks: Sequence[Lookup]) -> pd.DataFrame:
    return pd.concat([score_table(look) for look in looks], ignore_index=True)


def _freeze(place: DeltaGenerator, shown: AttentionRecord, chosen: Selection) -> None:
    """Draw the button that freezes the query while another is chosen, or releases it."""
    texts = token_texts(shown.query_tokens)
    if chosen.frozen == NOTHING:
        place.button(
            tr("Freeze “{token}” to compare", token=plain(texts[chosen.query])),
            on_click=_hold,
            args=(chosen.query,),
            icon=":material/ac_unit:",
            help=tr("Keeps this query. Choose another token to see both."),
        )
        return
    place.button(
        tr("Release “{token}” ({position})", token=plain(texts[chosen.frozen]), position=chosen.frozen),
        on_click=_hold,
        args=(NOTHING,),
        icon=":material/lock_open:",
        type="primary",
    )
    if chosen.frozen == chosen.query:
        place.caption(tr("Frozen. Now choose another query token to see both."))


def _hold(position: int) -> None:
    choose(frozen=position)


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
    "bands": _bands,
    "dimensions": dimensions,
    "why": why_this_key,
    "maps": maps,
    "plane": _plane,
    "neuron-view": _neurons,
}
