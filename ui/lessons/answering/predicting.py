"""The reader's predictions: a token, a head, a number, or one of several choices; they can be skipped."""

from __future__ import annotations

import re
from collections.abc import Hashable

import streamlit as st

from lessons import KINDS, Ask, Outcome
from lessons.verdicts import is_right, step_of, verdict, written_number
from ui.lessons.answering.progress import name_of, predictions
from ui.lessons.answering.receipts import RIGHT, WRONG
from ui.lessons.answering.receipts import SKIPPED as SKIPPED_MARK
from ui.state.patterns import A_GUESS, SKIPPED
from ui.state.plain import plain
from ui.state.selection import choose, selection
from viz.kit.language import said, to_say, tr

_TOLD = "headlight_told_prediction"
_GUESS = re.compile(A_GUESS)
NOT_MOVED = "?"
"""The place of a slider that has not been moved."""
TAP = {
    "token": to_say("Tap a token"),
    "head": to_say("Tap a head"),
    "choice": to_say("Tap one of these"),
    "number": to_say("Move to your number"),
}


def is_predicted(about: Hashable) -> bool:
    """Return whether the reader has made or skipped this prediction."""
    return name_of(about) in predictions()


def agree_with_class(about: Hashable, outcome: Outcome) -> None:
    """Take over the prediction that a page in front of a class brings, and let the class of this session see its."""
    guess = selection().lesson_guess
    if guess != st.session_state.get(_TOLD, ""):
        take_over_prediction(about, outcome, guess)
    st.session_state[_TOLD] = written_prediction(about)
    choose(lesson_guess=st.session_state[_TOLD])


def take_over_prediction(about: Hashable, outcome: Outcome, guess: str) -> None:
    """Predict as a page in front of a class has, SKIPPED or a number; nothing happens for anything else."""
    if guess == SKIPPED:
        _predict(about, None)
    elif _GUESS.fullmatch(guess) and (not outcome.options or 0 <= float(guess) < len(outcome.options)):
        _predict(about, float(guess))


def written_prediction(about: Hashable) -> str:
    """Return a prediction for `take_over_prediction`; empty for none."""
    known = predictions().get(name_of(about))
    return ("" if not is_predicted(about) else SKIPPED) if known is None else f"{known:.6f}"


def ask_for_prediction(about: Hashable, ask: Ask, outcome: Outcome, key: str) -> None:
    """Draw the options of the question, or its slider, and a button to skip it."""
    if outcome.options:
        labels = [plain(text) for text in outcome.options]
        st.pills(
            said(TAP[KINDS[ask.what].tap]),
            range(len(labels)),
            key=f"tap-{key}",
            format_func=labels.__getitem__,
            on_change=_predict_option,
            args=(about, f"tap-{key}"),
        )
        st.button(tr("Skip"), key=f"skip-{key}", on_click=_predict, args=(about, None), icon=":material/skip_next:")
        return
    guess = _line(outcome, key)
    with st.container(horizontal=True):
        st.button(
            tr("That is my guess"),
            key=f"guess-{key}",
            type="primary",
            disabled=guess is None,
            on_click=_predict,
            args=(about, guess),
            icon=":material/check:",
        )
        st.button(tr("Skip"), key=f"skip-{key}", on_click=_predict, args=(about, None), icon=":material/skip_next:")


def mark_of(about: Hashable, outcome: Outcome) -> str:
    """Return the mark of a prediction, one of `receipts.SIGNS`; empty for none yet."""
    if not is_predicted(about):
        return ""
    prediction = predictions()[name_of(about)]
    return SKIPPED_MARK if prediction is None else RIGHT if is_right(prediction, outcome) else WRONG


def say_verdict(about: Hashable, outcome: Outcome, key: str) -> None:
    """Show the reader's prediction and whether it was right."""
    prediction = predictions()[name_of(about)]
    words = plain(verdict(prediction, outcome))
    with st.container(horizontal=True, vertical_alignment="center"):
        if prediction is not None and is_right(prediction, outcome):
            st.markdown(f":green[:material/check_circle:] **{words}**")
        else:
            st.markdown(f":material/arrow_forward: **{words}**")
        st.button(tr("Predict again"), key=f"again-{key}", type="tertiary", on_click=_forget, args=(about,))


def _line(outcome: Outcome, key: str) -> float | None:
    """Draw the slider of a number, and return the number; None until it is moved, so that nothing is proposed."""
    step, low = step_of(outcome), outcome.low
    values = [low + step * place for place in range(round((outcome.high - low) / step) + 1)]
    chosen: int | None = st.select_slider(
        said(TAP["number"]),
        [None, *range(len(values))],
        key=f"line-{key}",
        format_func=lambda place: NOT_MOVED if place is None else written_number(values[place], outcome),
    )
    return None if chosen is None else values[chosen]


def _predict_option(about: Hashable, key: str) -> None:
    chosen = st.session_state[key]
    if chosen is not None:
        _predict(about, float(chosen))


def _predict(about: Hashable, value: float | None) -> None:
    predictions()[name_of(about)] = value


def _forget(about: Hashable) -> None:
    predictions().pop(name_of(about), None)
