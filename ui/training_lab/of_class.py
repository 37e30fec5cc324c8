"""The trainings of the class that this session teaches, for its teacher: who has made them, and how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from lab import runs
from lab.metrics import progress_of, read_curves
from lab.runs import Run
from ui.training_lab.recipe.tasks import TASK_LABELS
from ui.training_lab.server import known_runs, show_next, students
from ui.training_lab.words import STATE_NAMES
from ui.widgets.frame import part_of_page
from viz.kit.language import said, to_say, tr, trn
from viz.kit.theme import whole_percent

EVERY = "3s"
_TABLE, _OPENED = "trainings-of-class", "headlight_opened_training"
GONE = to_say("has left")
"""The name of a student whose place in the room was given away."""


def list_trainings_of_class() -> None:
    """Draw the trainings of the class, if this session teaches one: a row opens its training."""
    if trainings_of_class():
        _table()


def trainings_of_class() -> tuple[tuple[str, Run], ...]:
    """Return the trainings of the class that this session teaches, each with the name of its student, by name."""
    names = students()
    made = ((names[run.owner], run) for run in known_runs() if run.owner in names) if names else ()
    return tuple(sorted(made, key=lambda each: (not each[0], each[0])))


@st.fragment(run_every=EVERY)
def _table() -> None:
    """Draw the rows anew every few seconds, while trainings go on."""
    with part_of_page():
        made = trainings_of_class()
        title = trn("The class: {n} training", "The class: {n} trainings", len(made))
        with st.expander(title, icon=":material/groups:", key=f"{_TABLE}-here", expanded=True):
            st.dataframe(
                [_row(name, run) for name, run in made],
                hide_index=True,
                width="stretch",
                key=_TABLE,
                on_select="rerun",
                selection_mode="single-row",
            )
            st.caption(tr("Choose a row to open the training."))
        _open_chosen(made)


def _open_chosen(made: tuple[tuple[str, Run], ...]) -> None:
    """Show the training of the chosen row, once."""
    state: Mapping[str, Any] = st.session_state.get(_TABLE, {})
    rows = state.get("selection", {}).get("rows", [])
    chosen = made[rows[0]][1].id if rows and rows[0] < len(made) else ""
    if chosen != st.session_state.get(_OPENED, ""):
        st.session_state[_OPENED] = chosen
        if chosen:
            show_next(chosen)
            st.rerun()


def _row(name: str, run: Run) -> dict[str, str]:
    row = {
        tr("Student"): name or said(GONE),
        tr("Training"): run.name,
        tr("Task"): said(TASK_LABELS[run.recipe.task]) if run.recipe else "",
        tr("State"): said(STATE_NAMES[run.state]),
    }
    done = right = ""
    if run.recipe is not None:
        now = progress_of(read_curves(run.folder / runs.METRICS), run.recipe.iterations)
        done = whole_percent(now.share)
        right = whole_percent(now.held_out["accuracy"]) if "accuracy" in now.held_out else ""
    return row | {tr("Done"): done, tr("Answers right, held out"): right}
