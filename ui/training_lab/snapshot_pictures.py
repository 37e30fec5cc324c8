"""The pictures of a snapshot: the chosen head, all heads, the film strip, and the predictions over time."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.values.answers import MASK
from models.values.history import HeadChange, History
from models.values.wording import worded
from ui.state.plain import plain
from ui.state.selection import at_most, choose, selection
from ui.training_lab.changes import all_changes
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import clickable_picture, numbers, picture, two_columns
from viz.attention.heatmap import attention_heatmap
from viz.attention.overview import overview, picked_head
from viz.kit.language import tr
from viz.training.over_time.answers import answers_over_time
from viz.training.over_time.film import film_strip, picked_frame
from viz.training.over_time.growth import growth_of_answers
from viz.training.over_time.shares import picked_point, shares_over_time
from viz.training.over_time.tables import answer_table, share_table, written_table

NO_MASK = worded(
    "To see how the model learns to guess, hide a word: click it, or type {mask} where a word is missing. The "
    "model makes a prediction for every {mask}.",
    mask=MASK,
)


def snapshot_pictures(read: History, changes: Sequence[HeadChange], *, unseen: bool, hidden: str) -> None:
    """Draw the curves of all heads, the chosen head and the overview at the snapshot, and everything below them.

    `hidden` is the word behind the mask, if a click has hidden it.
    """
    chosen = selection()
    record = read.readings[chosen.snapshot].recording.of(chosen.kind)
    is_measured = bool(read.measures(chosen.kind, unseen=unseen))
    layer, head = chosen.layer, chosen.head_index or 0
    left, right, widths = two_columns(3, 2)
    if is_measured:
        with left:
            figure = shares_over_time(
                read,
                kind=chosen.kind,
                measure=chosen.habit,
                layer=layer,
                head=head,
                at=chosen.snapshot,
                changes=changes,
                unseen=unseen,
                theme=theme(),
                width=widths[0],
            )
            clickable_picture(figure, "attention-over-time", _pick_point)
    with right if is_measured else left:
        picture(
            attention_heatmap(record, layer=layer, head=head, theme=theme(), width=widths[1]), "attention-at-a-step"
        )
        heads = overview(record, selected=(layer, head), theme=theme(), width=widths[1])
        clickable_picture(heads, "all-heads-at-a-step", _pick_head)
    _answers(read, hidden)
    all_changes(changes)
    _downloads(read)


def draw_film_strip(read: History, changes: Sequence[HeadChange]) -> None:
    """Draw the chosen head at every snapshot."""
    chosen = selection()
    in_sentence = {measure.name for measure in read.measures(chosen.kind)}
    strip = film_strip(
        read,
        kind=chosen.kind,
        layer=chosen.layer,
        head=chosen.head_index or 0,
        at=chosen.snapshot,
        changes=changes,
        measure=chosen.habit if chosen.habit in in_sentence else None,
        theme=theme(),
        width=column_widths(1)[0],
    )
    clickable_picture(strip, "film-strip", _pick_frame)


def _downloads(read: History) -> None:
    chosen = selection()
    with st.container(horizontal=True):
        numbers(
            lambda: share_table(read, kind=chosen.kind),
            "attention-over-time",
            label=tr("Download the shares of all heads (CSV)"),
        )
        if read.last.answer is not None:
            numbers(
                lambda: answer_table(read, top_k=chosen.top_k),
                "answers-over-time",
                label=tr("Download the predictions (CSV)"),
            )


def _answers(read: History, hidden: str) -> None:
    """Draw the predictions of the model for the sentence, at every snapshot."""
    answer = read.last.answer
    if read.last.written:
        st.markdown(tr("**What it writes at every snapshot**, with the sentence as its source:"))
        st.dataframe(written_table(read), hide_index=True)
    if answer is None:
        if read.last.recording.info.can_fill_mask:
            st.info(plain(NO_MASK), icon=":material/touch_app:")
        return
    at_most("mask", len(answer.positions) - 1)
    if len(answer.positions) > 1:
        st.select_slider(
            tr("Which [MASK]"),
            range(len(answer.positions)),
            key="mask",
            format_func=lambda which: tr(
                "{which} · position {position}", which=which, position=answer.positions[which]
            ),
        )
    chosen = selection()
    which, snapshot = chosen.mask, chosen.snapshot
    left, right, widths = two_columns()
    with left:
        asked = _piece_of(read, hidden)
        grown = growth_of_answers(read, which=which, at=snapshot, asked=asked, theme=theme(), width=widths[0])
        picture(grown, "answers-grow")
    with right:
        picture(answers_over_time(read, which=which, at=snapshot, theme=theme(), width=widths[1]), "answers-over-time")


def _piece_of(read: History, word: str) -> tuple[int, ...]:
    """Return the id of a word, if it is one piece."""
    answer, spelled = read.last.answer, word.lower()
    return (answer.vocabulary.index(spelled),) if answer is not None and spelled in answer.vocabulary else ()


def _pick_point() -> None:
    """Choose the head and the snapshot of the clicked point."""
    choice = picked_point(st.session_state["attention-over-time"])
    if choice is not None:
        layer, head, snapshot = choice
        choose(layer=layer, head=head, snapshot=snapshot)


def _pick_frame() -> None:
    """Choose the snapshot of the clicked map."""
    snapshot = picked_frame(st.session_state["film-strip"])
    if snapshot is not None:
        choose(snapshot=snapshot)


def _pick_head() -> None:
    """Choose the head of the clicked map; the mean over the heads cannot be followed."""
    choice = picked_head(st.session_state["all-heads-at-a-step"])
    if choice is not None and choice[1] is not None:
        choose(layer=choice[0], head=choice[1])
