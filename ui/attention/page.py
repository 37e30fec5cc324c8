"""The explorer of the Attention page: layer and head, and the viewer or a view of bertviz.

It is a fragment: another layer or head redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.record import Recording
from ui.attention.compare import compare_view, record_at_difference
from ui.attention.opened import opened_view
from ui.state.plain import plain
from ui.state.selection import choose, draw_whole_page, selection
from ui.widgets.asking.follow_typing import follow_typing
from ui.widgets.asking.known_heads import go_to_known_head
from ui.widgets.asking.pickers import beside, layer_and_head, pick_kind
from ui.widgets.browser.viewport import SIDE_BY_SIDE, page_width
from ui.widgets.finding import record_at_finding, say_finding, viewer_lock
from ui.widgets.frame import part_of_page, theme
from ui.widgets.notes import say_notes_and_guesses
from ui.widgets.viewer import viewer
from viz.bertviz.limits import View, view_height, view_limit
from viz.bertviz.views import head_view, model_view
from viz.kit.language import said, to_say, tr, write_count

VIEW_LABELS = {
    "explore": to_say("Viewer"),
    "compare": to_say("Compare"),
    "head-view": to_say("bertviz head view"),
    "model-view": to_say("bertviz model view"),
    "file": to_say("Open attention from a file"),
}
OTHER_VIEWS = ("head-view", "model-view", "file")
BERTVIZ_ALT: dict[View, str] = {
    "head": to_say("bertviz head view of the attention"),
    "model": to_say("bertviz model view of the attention"),
}
"""The alternative text of each view, for screen readers."""


@st.fragment
def attention_explorer() -> None:
    """Draw everything below the sentence: pickers, pictures, downloads."""
    with part_of_page():
        if selection().view == "file":
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="views"):
                _pick_view()
            opened_view()
            return
        is_compared = selection().view == "compare"
        recording = record_at_difference() if is_compared else record_at_finding()
        _pickers(recording)
        if not is_compared:  # it says what differs
            with st.container(key="finding"):
                say_finding(recording)
        VIEWS_DRAWN[selection().view](recording)
        with st.container(key="said-notes"):
            say_notes_and_guesses(recording)
            _facts(recording)


def _facts(recording: Recording) -> None:
    info = recording.info
    st.caption(
        tr(
            "{model} · {layers} layers × {heads} heads of {dimensions} dimensions · {parameters} parameters · "
            "{device} · {tokens} tokens",
            model=plain(info.name),
            layers=info.n_layers,
            heads=info.n_heads,
            dimensions=info.d_head,
            parameters=write_count(info.n_parameters),
            device=info.place,
            tokens=len(recording.tokens),
        )
    )


def _pickers(recording: Recording) -> None:
    """Draw view, kind of attention if there are several, layer and head, in one row where there is room."""
    several, roles = len(recording.kinds) > 1, recording.info.head_roles
    view, more, *heads = _places(has_more=several or bool(roles))
    with view.container(horizontal=True, vertical_alignment="bottom", gap="small", key="views"):
        _pick_view()
    pick_kind(recording.kinds, more)
    shown = recording.of(selection().kind)
    go_to_known_head(tuple(role for role in roles if role.kind == shown.kind), more)
    layer_and_head(shown, (heads[0], heads[1]))


def _pick_view() -> None:
    """Draw the viewer and the comparison beside each other, and other people's views in a menu; that which is shown
    stands beside them, too."""
    shown = selection().view
    st.segmented_control(
        tr("View"),
        [view for view in VIEW_LABELS if view not in OTHER_VIEWS or view == shown],
        key="view",
        format_func=lambda view: said(VIEW_LABELS[view]),
        on_change=draw_whole_page if shown == "file" else None,
        required=True,
        wrap=True,
    )
    st.menu_button(
        tr("Other views"),
        OTHER_VIEWS,
        key="other_views",
        format_func=lambda view: said(VIEW_LABELS[view]),
        on_click=_turn_to_other_view,
    )


def _turn_to_other_view() -> None:
    view = st.session_state["other_views"]
    if view:
        if "file" in (view, selection().view):  # there the page has no sentence to ask for
            draw_whole_page()
        choose(view=view)


def _places(*, has_more: bool) -> Sequence[DeltaGenerator]:
    """Return the containers of the view, of other pickers, of layer and head; on a phone, the first two are behind a
    button."""
    if page_width() < SIDE_BY_SIDE:
        seldom = st.popover(tr("View and heads"), width="stretch")
        return seldom, seldom, *beside("layer-and-head", 2)
    if has_more:
        widths = [12, 8, 5, 5] if selection().view in OTHER_VIEWS else [9, 10, 5.5, 5.5]
        return st.columns(widths, vertical_alignment="top")
    view, layer, head = st.columns([6, 4, 4], vertical_alignment="top")
    return view, view, layer, head


def _bertviz(view: View) -> Callable[[Recording], None]:
    def draw(recording: Recording) -> None:
        chosen = selection()
        shown = recording.of(chosen.kind)
        refused = view_limit(shown, view)
        if refused is not None:
            st.warning(said(refused), icon=":material/hourglass_disabled:")
            return
        start = recording.segment_b_start
        html = (
            head_view(shown, layer=chosen.layer, head=chosen.head_index, theme=theme(), segment_b_start=start)
            if view == "head"
            else model_view(shown, theme=theme(), segment_b_start=start)
        )
        st.iframe(html, height=view_height(shown, view, segment_b_start=start), alt=said(BERTVIZ_ALT[view]))

    return draw


VIEWS_DRAWN: dict[str, Callable[[Recording], None]] = {
    "explore": lambda recording: viewer(recording, **viewer_lock(recording), **follow_typing(recording)),
    "compare": compare_view,
    "head-view": _bertviz("head"),
    "model-view": _bertviz("model"),
}
