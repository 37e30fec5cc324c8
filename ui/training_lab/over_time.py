"""Attention over time: a slider over the snapshots of a run, and the attention in one sentence at each of them.

A fragment: another snapshot, head or measure redraws it, and nothing else of the page. All snapshots read the sentence
once; after that, only pictures are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.runs import is_id
from models.analysis import find_changes
from models.training.snapshots.over_time import RunFolder, embedded_runs
from models.values.history import HeadChange, History, Measure, RunSnapshot
from ui.state.choices import MEASURED_ON, NOTHING
from ui.state.selection import choose, fit, leave_head_to_us, selection
from ui.training_lab.changes import BEGUN, begin_with, is_chosen, name_changes, say_change
from ui.training_lab.snapshot_pictures import draw_film_strip, snapshot_pictures
from ui.training_lab.snapshots import history, snapshots
from ui.widgets.asking.ask_bar import ask_line
from ui.widgets.asking.hide_words import last_long_word, pick_hidden_word
from ui.widgets.asking.opening import brought_by_reader, open_with
from ui.widgets.asking.pickers import layer_and_head, one_head, pick_kind
from ui.widgets.browser.player import play_button, play_on, turning_line
from ui.widgets.frame import part_of_page
from ui.widgets.notes import say_notes
from viz.kit.language import said, to_say, tr
from viz.kit.theme import whole_percent

EXAMPLES = {"fire": ("The old man sat by the [MASK], and the old dog lay at his feet.", "")}
"""Example sentences in which word order matters and a word is missing."""
WHAT_IT_IS = to_say("One sentence at many points of the training: **press Play, and watch attention form.**")
MEASURED_LABELS = dict(zip(MEASURED_ON, (to_say("This sentence"), to_say("Unseen text")), strict=True))
NO_MEAN = to_say("Over time, one head is followed. This is head 0 of the layer.")
KNOWN_WORDS = to_say("Use words from the text that it was trained on.")
RUN_WIDTH = 330
"""Pixels of the name of a run with what is said about it."""
_TYPED, _SHOWN = "typed_over_time", "shown_over_time"


@st.fragment
def over_time(runs: Sequence[RunFolder] = ()) -> None:
    """Draw the choice of the run, the sentence and the snapshot, and the pictures. `runs` are offered before the app's
    own."""
    with part_of_page():
        offered = {run.name: run for run in (*runs, *embedded_runs())}
        options = _run_and_sentence(offered)
        chosen = selection()
        trajectory = snapshots(str(offered[chosen.history].folder), chosen.history)
        pictures, place_for_words = st.container(), st.container()  # what is guessed stands at the end
        read = history(trajectory, chosen.text)
        fit(read.last.recording)
        hidden = ""
        if read.last.recording.info.can_fill_mask:
            with place_for_words:
                texts, hidden = pick_hidden_word((chosen.text, None), stands_out=last_long_word, guesses=tuple)
            read = history(trajectory, texts[0])
        last = read.last.recording
        info = replace(last.info, name=read.trajectory.name)
        with pictures:
            say_notes(info, last.tokens, (chosen.text,), read.trajectory.note, last.note, advice=said(KNOWN_WORDS))
            _snapshots(read, hidden, options)


def _run_and_sentence(offered: dict[str, RunFolder]) -> DeltaGenerator:
    """Draw the choice of the run, and the sentence in a form; return the place for the choices that are seldom made."""
    state = st.session_state
    if selection().history not in offered:
        choose(history=next(iter(offered)))
    folder = offered[selection().history].folder
    open_with(EXAMPLES, run=folder.name if is_id(folder.name) else "")
    if _TYPED not in state or state.get(_SHOWN) != selection().text:
        state[_TYPED] = state[_SHOWN] = selection().text
    with ask_line("ask-over-time"):
        with st.form("over-time", border=False), ask_line("sentences-line"):
            st.text_input(
                tr("Sentence"),
                key=_TYPED,
                placeholder=tr("Type a sentence"),
                persist_state="session",
                label_visibility="collapsed",
            )
            st.form_submit_button(tr("Show"), type="primary", icon=":material/visibility:", on_click=_take_typed)
        st.selectbox(
            tr("Run"),
            list(offered),
            key="history",
            on_change=begin_anew,
            format_func=lambda name: f"{name}  ·  {said(offered[name].about)}" if offered[name].about else name,
            label_visibility="collapsed",
            width=RUN_WIDTH,
        )
        return st.popover(tr("Options"))


def _take_typed() -> None:
    if selection().text != st.session_state[_TYPED]:
        choose(text=st.session_state[_TYPED])
        brought_by_reader()


def begin_anew() -> None:
    """Begin with a head that changes and the snapshot at which it has, after another run was chosen."""
    st.session_state[BEGUN] = False
    choose(snapshot=NOTHING)
    leave_head_to_us()


# -- the snapshot -----------------------------------------------------------------------------------------------------


def _snapshots(read: History, hidden: str, options: DeltaGenerator) -> None:
    """Draw the measure among the options, the changes by name, the slider, and the pictures of the chosen snapshot."""
    begin_with(read)
    _measure(read)
    chosen = selection()
    unseen = chosen.measured == MEASURED_ON[1]
    changes = find_changes(read, chosen.kind, unseen=unseen)
    n_places = len(read.snapshots)
    if not 0 <= selection().snapshot < n_places:
        choose(snapshot=_snapshot_to_begin_with(changes, n_places))
    with options:
        _what_is_drawn(read)
        _pick_measure(read)
    say_change(read, changes)
    _slider(read)
    draw_film_strip(read, changes)
    name_changes(read, changes)
    snapshot_pictures(read, changes, unseen=unseen, hidden=hidden)
    play_on("snapshot", n_places)


def _measure(read: History) -> None:
    """Bring the measure and its text into the bounds of the run."""
    if not read.measures(selection().kind, unseen=True):
        choose(measured=MEASURED_ON[0])
    chosen = selection()
    measures = read.measures(chosen.kind, unseen=chosen.measured == MEASURED_ON[1])
    if measures and chosen.habit not in {measure.name for measure in measures}:
        choose(habit=measures[0].name)
    one_head(said(NO_MEAN))


def _snapshot_to_begin_with(changes: Sequence[HeadChange], n_places: int) -> int:
    """Return the snapshot at which the chosen head has changed, or else the last."""
    own = next(filter(is_chosen, changes), None)
    return n_places - 1 if own is None else own.end


def _slider(read: History) -> None:
    """Draw the slider of the snapshots with its player, and facts about the chosen one."""
    n_places, says = len(read.snapshots), _about(read.snapshots[selection().snapshot])
    if n_places == 1:
        st.markdown(says)
    else:
        turning, facts = st.columns([6.7, 3.5], vertical_alignment="center")
        with turning, turning_line("snapshot"):
            play_button("snapshot", n_places)
            st.select_slider(
                tr("Training iteration"),
                range(n_places),
                key="snapshot",
                format_func=lambda number: f"{read.iterations[number]:,}",
                label_visibility="collapsed",
            )
        facts.markdown(says)


def _about(snapshot: RunSnapshot) -> str:
    parts = [tr("**Iteration {iteration}**", iteration=f"{snapshot.iteration:,}")]
    if snapshot.loss is not None:
        parts.append(tr("loss **{loss}**", loss=f"{snapshot.loss:.3g}"))
    if snapshot.accuracy is not None:
        parts.append(tr("**{share}** of its guesses right", share=whole_percent(snapshot.accuracy)))
    return " · ".join(parts)


def _what_is_drawn(read: History) -> None:
    """Draw the kind of attention, layer, head and the text that is measured, each where there is a choice."""
    recording = read.last.recording
    record = recording.of(selection().kind)
    pick_kind(recording.kinds)
    layer_and_head(record, with_mean=False)
    if read.measures(record.kind, unseen=True):
        st.segmented_control(
            tr("Measured on"),
            MEASURED_ON,
            key="measured",
            format_func=lambda on: said(MEASURED_LABELS[on]),
            required=True,
            help=tr("The sentence above, or text that was held out of the training."),
        )


def _measures(read: History) -> tuple[Measure, ...]:
    return read.measures(selection().kind, unseen=selection().measured == MEASURED_ON[1])


def _pick_measure(read: History) -> None:
    """Draw the choice of what a head attends to, where that can be measured."""
    titles = {measure.name: said(measure.title) for measure in _measures(read)}
    if titles:
        st.segmented_control(
            tr("Share of attention to …"),
            list(titles),
            key="habit",
            format_func=titles.__getitem__,
            required=True,
            wrap=True,
        )
