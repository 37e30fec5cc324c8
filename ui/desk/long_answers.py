"""Answers that take long: the reader sees the progress, may stop the work, and resume it later."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from functools import update_wrapper
from time import monotonic
from typing import Concatenate

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from models.opening.registry import Model
from ui.desk.ask import Answer, Asked, open_model
from ui.desk.cache import CancelledError
from ui.desk.long_work import LongWork, WorkProgress, workers_for
from ui.state.selection import run_again
from viz.kit.language import said, tr

PATIENCE = 0.5
"""The seconds after which a reader sees the progress, and can stop the work."""
CHECK_EVERY = 0.25
"""Seconds between two updates of the progress."""
RUN_FOR = 1.0
"""The seconds after which a click takes effect."""
_STOPPED, _FINISHED = "headlight_stopped_work", "headlight_finished_work"
ByName = Callable[Concatenate[str, str, Asked], Answer]
LongQuestion = Callable[Concatenate[Model, WorkProgress, Asked], Answer]
Begin = Callable[[], tuple[Future[Answer], WorkProgress]]


def long_question(says: str) -> Callable[[LongQuestion[Asked, Answer]], ByName[Asked, Answer | None]]:
    """Decorate a slow function of a model so that pages call it by the model's name and device; answers are cached.

    The function gets a `WorkProgress` to report to; `says`, a sentence of `to_say`, is shown while it runs. The result
    is None for a reader who has stopped it, and a button to go on is drawn instead.
    """

    def by_name(
        question: Callable[Concatenate[Model, WorkProgress, Asked], Answer],
    ) -> Callable[Concatenate[str, str, Asked], Answer | None]:
        work: LongWork[tuple[object, ...], Answer] = LongWork(question.__name__)

        def ask(name: str, device: str, /, *args: Asked.args, **choices: Asked.kwargs) -> Answer | None:
            model = open_model(name, device)
            key = model.info.identity, args, frozenset(choices.items())

            def begin() -> tuple[Future[Answer], WorkProgress]:
                return work.ask(key, lambda progress: question(model, progress, *args, **choices), workers_for(model))

            return _wait_for(begin, (question.__name__, key), said(says))

        update_wrapper(ask, question)
        return ask

    return by_name


def _wait_for(begin: Begin[Answer], work: Hashable, says: str) -> Answer | None:
    """Wait for the answer with the progress shown; None if the reader has stopped the work."""
    place = st.container(horizontal=True, vertical_alignment="center")
    # Always drawn: otherwise all that follows would move up by one in the next run and lose the focus. Its elements
    # keep their place from run to run, and with it the focus and clicks that fall between two runs.
    stopped: set[Hashable] = st.session_state.setdefault(_STOPPED, set())
    finished: dict[Hashable, Future[Answer]] = st.session_state.setdefault(_FINISHED, {})
    if work in stopped:
        place.caption(tr("{work}: stopped.", work=says))
        place.button(
            tr("Go on"),
            key=f"go-on-{hash(work)}",
            icon=":material/play_arrow:",
            on_click=stopped.discard,
            args=(work,),
        )
        return None
    while True:
        future, progress = (finished.pop(work), None) if work in finished else begin()
        if progress is not None and not wait([future], timeout=PATIENCE).done:
            _show_progress(place, future, progress, work, says)
            finished[work] = future
            _run_again()  # and take the bar away
        try:
            return future.result()
        except CancelledError:  # the work was cancelled just before this reader asked for it
            continue


def _show_progress(
    place: DeltaGenerator, future: Future[Answer], progress: WorkProgress, work: Hashable, says: str
) -> None:
    """Show the progress of the work until it is done, beside a button that stops it.

    Ends the run every RUN_FOR seconds and goes on in the next one: Streamlit handles a click in a fragment only between
    two runs.
    """

    def report() -> tuple[float, str]:
        done, of = progress.look()
        return done / of if of else 0.0, f"{says}: {how_far(done, of, monotonic() - progress.begun)}"

    since = monotonic()
    bar = place.progress(*report())
    place.button(tr("Stop"), key=f"stop-{hash(work)}", icon=":material/stop:", on_click=_stop, args=(work,))
    while not wait([future], timeout=CHECK_EVERY).done:
        bar.progress(*report())
        if monotonic() - since > RUN_FOR:
            _run_again()


def how_far(done: int, of: int, seconds: float) -> str:
    """Describe the progress of some work, with an estimate of the remaining time."""
    if not of:
        return tr("{n} s", n=f"{seconds:.0f}")
    if not done:
        return tr("{done} of {all}", done="0", all=f"{of:,}")
    left = seconds * (of - done) / done
    return tr("{done} of {all}, about {n} s left", done=f"{done:,}", all=f"{of:,}", n=f"{left:,.0f}")


def _run_again() -> None:
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # the whole page runs
        run_again()


def _stop(work: Hashable) -> None:
    st.session_state[_STOPPED].add(work)
