"""The page "Training lab": train a small model, watch it learn, and open it on every page.

Jobs run beside the server; the page only reads their folders, so a tab may be closed and opened again.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.runs import Run
from models.values.errors import LabError
from ui.state.choices import LAB_VIEWS
from ui.state.plain import plain
from ui.state.selection import selection
from ui.training_lab.new import new_run
from ui.training_lab.of_class import list_trainings_of_class
from ui.training_lab.over_time import WHAT_IT_IS, over_time
from ui.training_lab.run import show_run
from ui.training_lab.server import known_runs, remember, runs_over_time, supervisor, take_next
from ui.training_lab.words import STATE_NAMES
from viz.kit.language import said, to_say, tr

VIEW_LABELS = dict(zip(LAB_VIEWS, (to_say("Train"), to_say("Attention over time")), strict=True))
NEW = ""
"""The choice of a new run."""


def training_lab() -> None:
    """Draw everything below the title."""
    line = st.container(horizontal=True, vertical_alignment="center", gap="medium", key="lab-line")
    line.segmented_control(
        tr("What to do"),
        list(VIEW_LABELS),
        key="lab",
        format_func=lambda view: said(VIEW_LABELS[view]),
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    choice = line.container(key="lab-choice")
    if selection().lab == LAB_VIEWS[0]:
        _train(choice)
    else:
        choice.markdown(said(WHAT_IT_IS))
        over_time(runs_over_time())


def _train(place_of_choice: DeltaGenerator) -> None:
    limits = supervisor().limits
    if not limits.is_on:
        st.info(
            tr(
                "Training is switched off on this server. “Attention over time” shows the run that comes with "
                "Headlight. To train, run Headlight on your own machine."
            ),
            icon=":material/info:",
        )
        return
    take_next()
    chosen = selection().run
    listed = known_runs()
    list_trainings_of_class()
    if chosen:
        remember(chosen)
    if listed or chosen:
        with place_of_choice:
            _pick(listed, chosen)
    run = _find_chosen(selection().run)
    if run is None:
        new_run()
    else:
        show_run(run)


def _pick(listed: tuple[Run, ...], chosen: str) -> None:
    """Draw the choice of a run, or a new one."""
    names = {NEW: tr("New training")} | {
        run.id: f"{run.name}  ·  {said(STATE_NAMES[run.state])}  ·  {run.id[:4]}" for run in listed
    }
    if chosen not in names:
        names[chosen] = tr("a run that is not here  ·  {run}", run=chosen[:4])
    st.selectbox(tr("Training"), list(names), key="run", format_func=names.__getitem__, label_visibility="collapsed")


def _find_chosen(identifier: str) -> Run | None:
    """Return the chosen run; None for a new one, and, with the reason shown, for one that does not exist."""
    if not identifier:
        return None
    try:
        return supervisor().find(identifier)
    except LabError as error:
        st.warning(plain(str(error)), icon=":material/search_off:")
        return None
