"""Answers of a model that take long: the reader sees how far they are, may stop them, and go on later."""

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
OfName = Callable[Concatenate[str, str, Asked], Answer]
LongQuestion = Callable[Concatenate[Model, WorkProgress, Asked], Answer]
Begin = Callable[[], tuple[Future[Answer], WorkProgress]]


def long_asked(says: str) -> Callable[[LongQuestion[Asked, Answer]], OfName[Asked, Answer | None]]:
    """Make a question to a model that takes long one that pages ask by its name and device; the answer is kept.

    The question is handed a `WorkProgress` to tell how far it is; `says`, a sentence of `to_say`, is what a reader sees
    who waits. The answer is None for a reader who has stopped it: a button to go on stands there then.
    """

    def of_name(
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

    return of_name


def _wait_for(begin: Begin[Answer], work: Hashable, says: str) -> Answer | None:
    """Return the answer as soon as it is there; None if the reader has stopped the work."""
    place = st.container(horizontal=True, vertical_alignment="center")
    # It is always there: else all that follows would move up by one in the next run, and lose the focus. What is drawn
    # in it keeps its place from run to run, and with it the focus, and a click that falls between two runs.
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
        except CancelledError:  # just when this reader came, nobody else was waiting any more
            continue


def _show_progress(
    place: DeltaGenerator, future: Future[Answer], progress: WorkProgress, work: Hashable, says: str
) -> None:
    """Show the progress of the work until it is done, beside a button that stops it.

    Ends the run now and then, to go on in the next one: Streamlit hears a click in a fragment only between two runs.
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
    """Return the elapsed time of some work, and an estimate of the remaining time."""
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
