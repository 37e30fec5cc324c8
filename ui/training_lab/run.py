"""One run: its state, its curves as they grow, its buttons, and its answers at the end."""

from __future__ import annotations

from typing import Literal

import pandas as pd
import streamlit as st

from lab import runs
from lab.metrics import RunProgress, progress_of, read_curves
from lab.recipe import Recipe
from lab.runs import UNFINISHED, Run, State
from lab.uploads.checkpoints import model_name, zip_model
from ui.state.choices import LAB_VIEWS
from ui.state.navigation import (
    ATTENTION,
    BERT_AND_GPT,
    LABELS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    STEP_BY_STEP,
    TRANSLATION,
    PageEntry,
    link,
)
from ui.state.plain import plain
from ui.state.selection import choose, run_again
from ui.training_lab.live import show_learning
from ui.training_lab.over_time import begin_anew
from ui.training_lab.pooling import what_the_label_reads
from ui.training_lab.results import show_results
from ui.training_lab.server import forget, may_change, over_time_name, supervisor
from ui.training_lab.words import ENDED_EARLY, duration
from ui.widgets.frame import part_of_page, readable_errors
from ui.widgets.pictures import numbers
from viz.kit.language import tr

PACKED = "headlight_packed_model"
"""The file of one run, beside its id and when its state last changed."""
REFRESH = 0.4
"""Seconds between two updates of a run in training."""
FIRST_PAGES: dict[str, tuple[PageEntry, ...]] = {
    "masked": (MASKED_WORDS, NEXT_SENTENCE, ATTENTION, STEP_BY_STEP),
    "next": (ATTENTION, BERT_AND_GPT, STEP_BY_STEP),
    "labels": (LABELS, ATTENTION, STEP_BY_STEP),
    "words": (LABELS, ATTENTION, STEP_BY_STEP),
    "translate": (TRANSLATION, ATTENTION),
    "copy": (TRANSLATION, ATTENTION),
    "reverse": (TRANSLATION, ATTENTION),
}
"""The pages that suit a model of each task best."""


def show_run(run: Run) -> None:
    """Draw a run: its state, curves, buttons, model and answers."""
    if run.recipe is None or run.state == "uploaded":
        st.markdown(f"#### {plain(run.name)}")
        st.markdown(tr("An uploaded model. You can open it by its name on every page."))
        _model(run)
        if run.recipe is not None:
            _curves(run, run.recipe, read_curves(run.folder / runs.METRICS))
        _remove(run)
        return
    is_active = run.state in UNFINISHED
    st.fragment(_live, run_every=REFRESH if is_active else None)(run.id, run.state)
    if not is_active:
        if run.checkpoint is not None:
            _model(run)
        if run.state == "done":
            show_results(run)
            what_the_label_reads(run)
        _remove(run)


def _live(identifier: str, drawn_state: State) -> None:
    """Draw the changing part of a run in training; rerun the whole page when its state changes."""
    with part_of_page():
        run = supervisor().find(identifier)
        if run.state != drawn_state:
            st.rerun()
        if run.recipe is None:
            return
        curves = read_curves(run.folder / runs.METRICS)
        _state(run, run.recipe, progress_of(curves, run.recipe.iterations))
        _curves(run, run.recipe, curves)


def _curves(run: Run, recipe: Recipe, curves: pd.DataFrame) -> None:
    """Draw how a run has learned."""
    show_learning(run, recipe, curves)
    if run.state not in UNFINISHED and not curves.empty:
        numbers(lambda: curves, "training-curves", label=tr("Download the curves (CSV)"))


def _state(run: Run, recipe: Recipe, now: RunProgress) -> None:
    """Draw the state with the progress, beside the buttons."""
    words, buttons = st.columns([5, 1.6], vertical_alignment="center")
    with buttons:
        _buttons(run)
    with words:
        if run.state == "queued":
            place, seconds = supervisor().place_in_queue(run.id), supervisor().seconds_to_wait(run.id)
            waiting = _waiting(place or 1, is_known=place is not None)
            if seconds is not None and seconds >= 1:
                begins = tr("It begins in about {time}.", time=duration(seconds))
                waiting = f"{waiting} {begins}"
            st.info(waiting, icon=":material/hourglass_empty:")
        elif run.state == "running":
            st.progress(now.share, _doing(run, recipe, now))
        elif run.state == "done":
            done = tr("**Done:** {n} iterations in {time}.", n=f"{recipe.iterations:,}", time=duration(now.seconds))
            st.progress(1.0, f":green[:material/check_circle:] {done}")
        else:
            _ended_early(run, recipe, now)


def _ended_early(run: Run, recipe: Recipe, now: RunProgress) -> None:
    show, icon = (st.error, "error") if run.state == "failed" else (st.warning, "pause_circle")
    words = tr(ENDED_EARLY[run.state], message=plain(run.status.message), **_iterations_so_far(now, recipe))
    show(words, icon=f":material/{icon}:")


def _doing(run: Run, recipe: Recipe, now: RunProgress) -> str:
    """Return what a job is doing, at which iteration, and the time that is left."""
    doing = plain(tr("Stopping: saving its state") if run.is_stopping else run.status.message or tr("Training"))
    if not now.iteration:
        return f"**{doing}**"
    words = tr("**{doing}** · iteration {iteration} of {all}", doing=doing, **_iterations_so_far(now, recipe))
    if now.seconds_left is None or now.share == 1:
        return words
    left = tr("{time} left", time=duration(now.seconds_left))
    return f"{words} · {left}"


def _waiting(place: int, *, is_known: bool) -> str:
    """Describe the place in the queue; if it is unknown, do not promise that the run starts next."""
    if place == 1 and is_known:
        return tr("**Waiting, place {place} in the queue.** It starts next. You may close this tab.", place=place)
    return tr(
        "**Waiting, place {place} in the queue.** {before} before it. You may close this tab.",
        place=place,
        before=place - 1,
    )


def _iterations_so_far(now: RunProgress, recipe: Recipe) -> dict[str, str]:
    return {"iteration": f"{now.iteration:,}", "all": f"{recipe.iterations:,}"}


def _buttons(run: Run) -> None:
    if not may_change(run):
        st.caption(tr("Another reader's training"))
    elif run.state in UNFINISHED:
        why = tr("It saves its state first, so that you can resume it.") if run.state == "running" else None
        if st.button(tr("Stop"), icon=":material/stop:", disabled=run.is_stopping, help=why, width="stretch"):
            supervisor().stop(run.id)
            run_again()
    elif run.is_resumable and st.button(tr("Resume"), icon=":material/play_arrow:", type="primary", width="stretch"):
        supervisor().resume(run.id)
        run_again()
    if run.state not in UNFINISHED:
        _offer_over_time(run, width="stretch")


def _model(run: Run) -> None:
    """Draw the model of a run: its links, and its file."""
    name = model_name(run)
    if name is None:
        return
    st.markdown(tr("#### Open the model on"))
    query = {"model": name}
    with st.container(horizontal=True):
        for page in FIRST_PAGES[run.recipe.task] if run.recipe else (ATTENTION,):
            link(page, query)
    st.caption(tr("It is in the list of models on every page. Its full name, for links: `{name}`", name=name))
    _offer_file(run)


def _offer_file(run: Run) -> None:
    """Draw the button that packs the model, and then the one that saves the file."""
    packed_now = (run.id, run.status.since)
    with st.container(horizontal=True):
        if st.button(
            tr("Download the model (.zip)"),
            key="pack-model",
            icon=":material/arrow_downward:",
            help=tr(
                "Weights as safetensors, configuration, tokenizer, card, curves, snapshots. Open it again under “New "
                "training”."
            ),
        ):
            st.session_state[PACKED] = (packed_now, zip_model(run))
        packed, content = st.session_state.get(PACKED, (None, b""))
        if packed == packed_now:
            # Made before it is pressed: a file made by the press is gone with the next run of the list of trainings.
            st.download_button(
                tr("Save"),
                content,
                file_name=f"{run.name}.zip",
                mime="application/zip",
                type="primary",
                icon=":material/download:",
                on_click="ignore",
            )
        if run.state == "uploaded":
            _offer_over_time(run)


def _offer_over_time(run: Run, *, width: Literal["content", "stretch"] = "content") -> None:
    """Draw the button that shows a run in "Attention over time", if it has snapshots."""
    if len(runs.snapshots_of(run.folder)) > 1:
        label = tr("See it over time")
        if st.button(label, icon=":material/timeline:", on_click=_over_time, args=(run,), width=width):
            run_again()


def _over_time(run: Run) -> None:
    """Show this run in "Attention over time"."""
    choose(lab=LAB_VIEWS[1], history=over_time_name(run))
    begin_anew()


def _remove(run: Run) -> None:
    if not may_change(run):
        return
    with st.popover(tr("Delete"), icon=":material/delete:"):
        st.markdown(tr("This removes the model, its snapshots and its data from this server."))
        st.button(tr("Delete it"), type="primary", on_click=_delete, args=(run.id,))


def _delete(identifier: str) -> None:
    """Delete a run, in a callback; an error is shown at the top of the page."""
    with readable_errors():
        supervisor().delete(identifier)
        forget(identifier)
        choose(run="")
