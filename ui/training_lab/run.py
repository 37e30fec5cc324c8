"""One run: its state, its curves as they grow, its buttons, and its answers at the end."""

from __future__ import annotations

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
from ui.training_lab.over_time import begin_anew
from ui.training_lab.pooling import what_the_label_reads
from ui.training_lab.results import show_results
from ui.training_lab.server import forget, over_time_name, supervisor
from ui.training_lab.states import ENDED_EARLY
from ui.training_lab.words import duration
from ui.widgets.frame import part_of_page, readable_errors, theme
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import tr
from viz.training.curves import FILES, curve_figure, curves_of

REFRESH = 1.5
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
    if run.recipe is None:
        st.markdown(f"#### {plain(run.name)}")
        st.markdown(tr("An uploaded model. You can open it by its name on every page."))
        _model(run)
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
        now = progress_of(curves, run.recipe.iterations)
        _heading(run, run.recipe, now)
        _buttons(run)
        if curves.empty:
            return
        for measures in curves_of(curves):
            left, right, widths = two_columns()
            for place, measure, width in zip((left, right), measures, widths, strict=True):
                with place:
                    iterations = run.recipe.iterations
                    figure = curve_figure(curves, iterations=iterations, measure=measure, theme=theme(), width=width)
                    picture(figure, FILES[measure])
        if run.state not in UNFINISHED:
            numbers(lambda: curves, "training-curves", label=tr("Download the curves (CSV)"))


def _heading(run: Run, recipe: Recipe, now: RunProgress) -> None:
    """Draw the state, the progress, the speed and the remaining time."""
    st.markdown(f"#### {plain(recipe.name)}")
    place = supervisor().place_in_queue(run.id)
    if run.state == "queued":
        st.info(_waiting(place or 1, is_known=place is not None), icon=":material/hourglass_empty:")
    elif run.state == "running":
        doing = tr("Stopping: saving its state") if run.is_stopping else run.status.message or tr("Training")
        st.progress(
            now.share,
            tr("**{doing}** · iteration {iteration} of {all}", doing=plain(doing), **_iterations_so_far(now, recipe)),
        )
    elif run.state == "done":
        st.success(
            tr(
                "**Done:** {iterations} iterations in {time}.",
                iterations=f"{recipe.iterations:,}",
                time=duration(now.seconds),
            ),
            icon=":material/check_circle:",
        )
    else:
        show = st.error if run.state == "failed" else st.warning
        icon = ":material/error:" if run.state == "failed" else ":material/pause_circle:"
        show(
            tr(ENDED_EARLY[run.state], message=plain(run.status.message), **_iterations_so_far(now, recipe)), icon=icon
        )
    _measures(run, now)


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


def _measures(run: Run, now: RunProgress) -> None:
    if not now.iteration:
        return
    with st.container(horizontal=True):
        if run.state == "running":
            left = "…" if now.seconds_left is None else duration(now.seconds_left)
            st.metric(tr("Time left"), left, width="content")
        speed = "…" if now.tokens_per_second is None else f"{now.tokens_per_second:,.0f}"
        st.metric(tr("Tokens a second"), speed, width="content")
        st.metric(tr("Tokens read"), f"{now.tokens:,}", width="content")
        if "accuracy" in now.held_out:
            st.metric(tr("Answers right, held out"), f"{now.held_out['accuracy']:.0%}", width="content")
        if "exact_match" in now.held_out:
            st.metric(tr("Whole rows right, held out"), f"{now.held_out['exact_match']:.0%}", width="content")
        if "next_accuracy" in now.held_out:
            st.metric(
                tr("Next sentence right, held out"),
                f"{now.held_out['next_accuracy']:.1%}",
                width="content",
                help=tr(
                    "Pairs that follow and pairs that do not count the same: always giving one answer scores 50 %."
                ),
            )


def _buttons(run: Run) -> None:
    with st.container(horizontal=True):
        if run.state in UNFINISHED:
            why = tr("It saves its state first, so that you can resume it.") if run.state == "running" else None
            if st.button(tr("Stop"), icon=":material/stop:", disabled=run.is_stopping, help=why):
                supervisor().stop(run.id)
                run_again()
        if run.is_resumable and st.button(tr("Resume"), icon=":material/play_arrow:", type="primary"):
            supervisor().resume(run.id)
            run_again()


def _model(run: Run) -> None:
    """Draw the model of a run: its links, and its file."""
    name = model_name(run)
    if name is None:
        return
    st.markdown(tr("#### Open the model on"))
    query = {"model": name}
    with st.container(horizontal=True):
        for page in FIRST_PAGES[run.recipe.task] if run.recipe else (ATTENTION, MASKED_WORDS, TRANSLATION):
            link(page, query)
    if len(runs.snapshots_of(run.folder)) > 1:
        st.button(tr("See its attention over time"), icon=":material/timeline:", on_click=_over_time, args=(run,))
    st.caption(tr("It is in the list of models on every page. Its full name, for links: `{name}`", name=name))
    st.download_button(
        tr("Download the model (.zip)"),
        lambda: zip_model(run),
        file_name=f"{run.name}.zip",
        mime="application/zip",
        icon=":material/download:",
        on_click="ignore",
        help=tr("Weights as safetensors, configuration, tokenizer, card. Open it again under “New training”."),
    )


def _over_time(run: Run) -> None:
    """Show this run in "Attention over time"."""
    choose(lab=LAB_VIEWS[1], history=over_time_name(run))
    begin_anew()


def _remove(run: Run) -> None:
    with st.popover(tr("Delete"), icon=":material/delete:"):
        st.markdown(tr("This removes the model, its snapshots and its data from this server."))
        st.button(tr("Delete it"), type="primary", on_click=_delete, args=(run.id,))


def _delete(identifier: str) -> None:
    """Delete a run, in a callback; an error is shown at the top of the page."""
    with readable_errors():
        supervisor().delete(identifier)
        forget(identifier)
        choose(run="")
