"""The heads that change over a run: a sentence about the chosen one, buttons for others, and a table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.analysis import find_changes, strongest
from models.values.history import ATTENDS, IGNORES, HeadChange, History
from models.values.record import Kind
from models.values.wording import worded
from ui.state.choices import MEASURED_ON
from ui.state.selection import choose, is_turned, selection, show_head
from viz.kit.language import said, to_say, tr
from viz.kit.theme import whole_percent
from viz.training.over_time.tables import change_table

_STORY: tuple[Kind, ...] = ("cross", "encoder", "decoder")
"""Whose change is shown first: cross-attention ties the two halves of a model together."""
BEGUN = "headlight_over_time_begun"
"""The session key for whether a head that changes has been shown for this run."""
MOST_NAMED = 4
"""The number of changes with a button above the pictures; the others are in a table."""
NOTHING_WRITTEN = to_say("The decoder wrote nothing for this sentence, so there is no previous token to attend to.")
NO_CHANGE = worded(
    "No share of attention rises from below {ignores} to {attends} or more here. Try the unseen text, if there is one, "
    "or a longer sentence.",
    ignores=f"{IGNORES:.0%}",
    attends=f"{ATTENDS:.0%}",
)
ONE_SNAPSHOT = to_say("This run has only one snapshot so far, so there is nothing to compare yet.")


def begin_with(read: History) -> None:
    """Show, once, the kind of attention, head and measure with the largest rise, unless the reader has chosen a
    head."""
    state = st.session_state
    if state.get(BEGUN):
        return
    state[BEGUN] = True
    if is_turned():
        return
    for kind in sorted(read.last.recording.kinds, key=_STORY.index):
        towards = [change for change in find_changes(read, kind) if change.is_towards]
        if towards:
            choose(kind=kind, habit=towards[0].measure.name)
            show_head(towards[0].layer, towards[0].head)
            return
    _show_largest_rise(read)


def _show_largest_rise(read: History) -> None:
    """Show the head whose share of attention rises most from the first snapshot to the last."""
    rises = [
        (read.shares(kind, measure.name)[-1] - read.shares(kind, measure.name)[0], kind, measure.name)
        for kind in read.last.recording.kinds
        for measure in read.measures(kind)
    ]
    if rises:
        rise, kind, name = max(rises, key=lambda entry: float(entry[0].max()))
        layer, head, _ = strongest(rise)
        choose(kind=kind, habit=name)
        show_head(layer, head)


def is_chosen(change: HeadChange) -> bool:
    """Return whether a change is one of the chosen head and measure."""
    chosen = selection()
    return (change.layer, change.head, change.measure.name) == (chosen.layer, chosen.head, chosen.habit)


def say_change(read: History, changes: Sequence[HeadChange]) -> None:
    """Describe the chosen head in a sentence."""
    kind = selection().kind
    if len(read.snapshots) == 1:
        st.info(said(ONE_SNAPSHOT), icon=":material/info:")
        return
    if not read.measures(kind):
        st.info(said(NOTHING_WRITTEN), icon=":material/info:")
        return
    own = sorted(filter(is_chosen, changes), key=lambda change: change.start)
    st.subheader(" ".join(said(change.sentence) for change in own) or _no_change(read), anchor=False)


def name_changes(read: History, changes: Sequence[HeadChange]) -> None:
    """Draw buttons for the first heads that change."""
    if len(read.snapshots) == 1 or not read.measures(selection().kind):
        return
    towards = [change for change in changes if change.is_towards][:MOST_NAMED]
    if not towards:
        st.caption(said(NO_CHANGE))
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.markdown(tr("Heads that change:"), width="content")
        for change in towards:
            st.button(
                f"{said(change.name)} → {said(change.measure.title)}",
                key=f"change-{change.kind}-{change.layer}-{change.head}-{change.measure.name}-{change.start}",
                on_click=_go_to,
                args=(change,),
                type="primary" if is_chosen(change) else "secondary",
                help=said(change.sentence),
            )


def all_changes(changes: Sequence[HeadChange]) -> None:
    """Draw all changes in a table, with the definition of a change."""
    with st.expander(tr("All changes ({n}), and what counts as one", n=len(changes))):
        st.markdown(
            tr(
                "A head **ignores** a place, such as the previous token, if it gives it less than {ignores} of its "
                "attention, and **attends** to it from {attends} on. A **change** runs from the last snapshot that "
                "ignores the place to the first that attends to it, or the other way round. Heads often attend to the "
                "token itself first, and to its neighbours later.",
                ignores=f"{IGNORES:.0%}",
                attends=f"{ATTENDS:.0%}",
            )
        )
        three_digits = st.column_config.NumberColumn(format="%.3f")
        shares = (tr("share before"), tr("share after"))
        st.dataframe(change_table(changes), hide_index=True, column_config=dict.fromkeys(shares, three_digits))


def _no_change(read: History) -> str:
    """Describe a head that never begins to attend to the measured place."""
    chosen = selection()
    unseen = chosen.measured == MEASURED_ON[1]
    own = read.shares(chosen.kind, chosen.habit, unseen=unseen)[:, chosen.layer, chosen.head_index or 0]
    return tr(
        "Layer {layer} · Head {head} never begins to look at {place}: its share is {first} at the first snapshot, "
        "{most} at most, and {last} at the last.",
        layer=chosen.layer,
        head=chosen.head,
        place=said(read.measure(chosen.kind, chosen.habit, unseen=unseen).title),
        first=whole_percent(float(own[0])),
        most=whole_percent(float(own.max())),
        last=whole_percent(float(own[-1])),
    )


def _go_to(change: HeadChange) -> None:
    choose(layer=change.layer, head=change.head, habit=change.measure.name, snapshot=change.end)
