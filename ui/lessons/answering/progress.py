"""How far the reader is in the lessons: steps, lessons that are done, and predictions. The browser keeps them, too."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from typing import Any

import streamlit as st

from ui.lessons.answering.receipts import SIGNS
from ui.state.teaching import is_framed

MOST_KEPT = 500
"""The most predictions that the browser keeps, the newest."""
_PREDICTED, _STEPS, _DONE = "headlight_predictions", "headlight_lesson_steps", "headlight_lessons_done"
_MARKS = "headlight_lesson_marks"
_KEY, _ASKED = "headlight_progress_keeper", "headlight_progress_known"

_JAVASCRIPT = """
const PLACE = "headlight-progress";
const read = () => {
  try { return JSON.parse(localStorage.getItem(PLACE)); } catch { return null; }
};
export default function ({ data, setStateValue }) {
  const before = data.asks ? read() : null;
  // Only a browser that knows something tells it: a message undoes a click on another page that came just before.
  if (before !== null) return setStateValue("kept", before);
  if (data.kept === null) return;
  try { localStorage.setItem(PLACE, JSON.stringify(data.kept)); } catch { /* a browser that keeps nothing */ }
}
"""
_keeper = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def predictions() -> dict[str, float | None]:
    """Return this reader's predictions by the names of their questions, None for a skipped one."""
    known: dict[str, float | None] = st.session_state.setdefault(_PREDICTED, {})
    return known


def name_of(about: Hashable) -> str:
    """Return the name of a question, which is the same after a restart."""
    return hashlib.sha256(repr(about).encode()).hexdigest()[:20]


def steps() -> dict[str, int]:
    """Return the current step of the reader in each lesson."""
    known: dict[str, int] = st.session_state.setdefault(_STEPS, {})
    return known


def marks() -> dict[str, dict[str, str]]:
    """Return how the steps of each lesson were answered at the first try, one of `receipts.SIGNS` by step."""
    known: dict[str, dict[str, str]] = st.session_state.setdefault(_MARKS, {})
    return known


def done_lessons() -> set[str]:
    """Return the lessons whose last step the reader has answered."""
    known: set[str] = st.session_state.setdefault(_DONE, set())
    return known


def keep_progress() -> None:
    """Draw the invisible keeper, which asks until the browser tells what it keeps, and writes. A framed page only
    follows a teacher."""
    if is_framed():
        return
    state = st.session_state
    kept = (state.get(_KEY) or {}).get("kept")
    if not state.get(_ASKED) and kept is not None:
        state[_ASKED] = True
        _take_over(kept)
        st.rerun()
    data = {"kept": _progress(), "asks": not state.get(_ASKED)}
    _keeper(key=_KEY, data=data, height=1, on_kept_change=lambda: None)


def _progress() -> dict[str, Any] | None:
    """Return what the browser keeps, None for a reader who has not begun."""
    newest = dict(list(predictions().items())[-MOST_KEPT:])
    if not (newest or steps() or done_lessons()):
        return None
    return {"steps": steps(), "done": sorted(done_lessons()), "marks": marks(), "predictions": newest}


def _take_over(kept: Any) -> None:
    """Take over what the browser has kept, as far as this session does not know better; a browser may say anything."""
    if not isinstance(kept, dict):
        return
    for name, number in _items(kept.get("steps")):
        if type(number) is int and 0 <= number < MOST_KEPT:
            steps().setdefault(name, number)
    for name, of_steps in _items(kept.get("marks")):
        taken = marks().setdefault(name, {})
        for step, mark in _items(of_steps)[:MOST_KEPT]:
            if mark in SIGNS:
                taken.setdefault(step, mark)
    names = kept.get("done")
    if isinstance(names, list):
        done_lessons().update(name for name in names if isinstance(name, str))
    for name, value in _items(kept.get("predictions"))[-MOST_KEPT:]:
        if value is None or (type(value) in (int, float) and abs(value) < 1e9):
            predictions().setdefault(name, value)


def _items(table: Any) -> list[tuple[str, Any]]:
    return list(table.items()) if isinstance(table, dict) else []
