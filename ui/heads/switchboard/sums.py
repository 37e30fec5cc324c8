"""The part "The logit as a sum": the direct contribution of every head and network to an answer, and paths between
heads."""

from __future__ import annotations

import streamlit as st

from models.values.errors import SelectionError, UnsupportedModelError
from models.values.probing.changes import HeadPlace
from models.values.results.effects import INTO, LogitParts
from models.values.wording import to_say, worded
from ui.heads.switchboard.asks import follow_paths, split_logit
from ui.heads.switchboard.off import all_heads, read_heads, write_heads
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.about import say_about
from ui.widgets.asking.which_answer import AskedAnswer
from ui.widgets.frame import theme
from ui.widgets.missing import offer
from ui.widgets.pictures import numbers, picture, two_columns
from viz.heads.effects import logit_bars
from viz.heads.findings import head_name
from viz.heads.layers import path_map
from viz.heads.tables import parts_table, paths_table
from viz.heads.traced import finding_of_parts, finding_of_paths, strongest_part, sums_of_parts
from viz.kit.language import said, tr

READ_AS_LABELS = dict(zip(INTO, (to_say("Queries"), to_say("Keys"), to_say("Values")), strict=True))
NOTHING_BELOW = to_say(
    "Heads of layer 0 read no other head, and cross attention reads the other stack: choose another head."
)
_RECEIVER = "receiving-head"


def sum_part(asked: AskedAnswer) -> None:
    """Draw the contributions, and the direct paths into one head."""
    chosen = selection()
    try:
        parts = split_logit(chosen.model, chosen.device, asked.text, asked.text_b, contrast=asked.contrast)
    except UnsupportedModelError as error:
        st.info(plain(str(error)), icon=":material/info:")
        offer("mini-bert")
        return
    if parts is None:
        return
    st.markdown(f"**{plain(finding_of_parts(parts))}**", help=plain(sums_of_parts(parts)))
    left, right, widths = two_columns()
    with left:
        picture(logit_bars(parts, theme=theme(), width=widths[0]), "logit-parts")
        say_about("logit_parts")
        numbers(lambda: parts_table(parts), "logit-parts", label=tr("Download all parts (CSV)"))
    with right:
        st.toggle(tr("Which heads does a head read from?"), key="with_paths")
        if selection().with_paths:
            _paths(asked, parts, widths[1])


def _paths(asked: AskedAnswer, parts: LogitParts, width: int) -> None:
    """Draw the contributions of lower heads to the input of a head."""
    receivers = [place for place in all_heads(asked.recording) if place[1] > 0 and place[0] != "cross"]
    if not receivers:
        st.caption(tr(NOTHING_BELOW))
        return
    receiver = _receiver(asked, parts, receivers)
    chosen = selection()
    try:
        followed = follow_paths(
            chosen.model, chosen.device, asked.text, asked.text_b, receiver=receiver, contrast=asked.contrast
        )
    except SelectionError as error:
        not_followed = worded(
            "Direct paths cannot be followed here: {why} Choose a model such as mini-bert.", why=str(error)
        )
        st.info(plain(not_followed), icon=":material/info:")
        return
    if followed is None:
        return
    st.markdown(plain(finding_of_paths(followed)))
    st.segmented_control(
        tr("Read as"),
        list(READ_AS_LABELS),
        key="read_as",
        format_func=lambda into: said(READ_AS_LABELS[into]),
        required=True,
        label_visibility="collapsed",
        wrap=True,
    )
    picture(path_map(followed, into=selection().read_as, theme=theme(), width=width), "direct-paths")
    say_about("paths")
    numbers(lambda: paths_table(followed), "direct-paths", label=tr("Download the paths (CSV)"))


def _receiver(asked: AskedAnswer, parts: LogitParts, receivers: list[HeadPlace]) -> HeadPlace:
    """Draw the choice of the receiving head, and return it; by default the one with the largest contribution."""
    chosen_receivers = [place for place in read_heads(selection().receiver, asked.recording) if place in receivers]
    strongest = strongest_part(parts)
    usual = strongest if strongest in receivers else receivers[-1]
    st.session_state[_RECEIVER] = chosen_receivers[0] if chosen_receivers else usual
    with_kind = len(asked.recording.kinds) > 1
    st.selectbox(
        tr("Direct paths into"),
        receivers,
        key=_RECEIVER,
        format_func=lambda place: head_name(place, with_kind=with_kind),
        on_change=_choose,
    )
    receiver: HeadPlace = st.session_state[_RECEIVER]
    return receiver


def _choose() -> None:
    choose(receiver=write_heads([st.session_state[_RECEIVER]]))
