"""The lesson that the reader is writing: its text in the session, which the browser keeps as well."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from lessons.drafts import DraftValue, Path, put, read_draft, write_draft
from models.values.errors import LessonError
from ui.lessons.library import first_lesson, unpack_lesson
from ui.state.selection import selection

TEXT = "headlight_lesson_being_made"
_BEFORE = "headlight_lesson_before"
"""The text that was replaced last, for Undo."""
_BROUGHT = "headlight_lesson_brought"
"""The packed lesson of the link that the draft began with; empty without one."""
_KEY = "headlight_lesson_keeper"

_JAVASCRIPT = """
const PLACE = "headlight-lesson";
const read = () => {
  try { return JSON.parse(localStorage.getItem(PLACE) ?? "{}"); } catch { return {}; }
};
export default function ({ data, setStateValue }) {
  if (data.text === null) {
    const kept = read();
    setStateValue("kept", { text: String(kept.text ?? ""), brought: String(kept.brought ?? "") });
    return;
  }
  try { localStorage.setItem(PLACE, JSON.stringify(data)); } catch { /* a browser that keeps nothing */ }
}
"""
_keeper = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def is_draft_known() -> bool:
    """Return whether this session has the draft; else ask the browser, whose answer runs the page again."""
    state = st.session_state
    if TEXT not in state:
        kept = (state.get(_KEY) or {}).get("kept")
        if kept is None:
            _keeper(key=_KEY, data={"text": None}, height=1, on_kept_change=lambda: None)
            return False
        state[TEXT] = str(kept.get("text", "")) or first_lesson()
        state[_BROUGHT] = str(kept.get("brought", ""))
    brought = selection().lesson_text
    if brought and brought != state.get(_BROUGHT):
        know_link(brought)
        with suppress(LessonError):
            replace_draft(unpack_lesson(brought))
    return True


def know_link(packed: str) -> None:
    """Remember that the draft is newer than the lesson of this link, which the address of the page may hold."""
    st.session_state[_BROUGHT] = packed


def keep_in_browser() -> None:
    """Draw the invisible keeper: the browser keeps the draft. Call after all that changes it."""
    data = {"text": draft_text(), "brought": st.session_state.get(_BROUGHT, "")}
    _keeper(key=_KEY, data=data, height=1, on_kept_change=lambda: None)


def draft_text() -> str:
    """Return the text of the draft."""
    return str(st.session_state[TEXT])


def replace_draft(text: str) -> None:
    """Replace the draft by another text; `undo` takes the old one back."""
    if text != st.session_state.get(TEXT):
        st.session_state[_BEFORE] = st.session_state.get(TEXT)
        st.session_state[TEXT] = text


def can_undo() -> bool:
    """Return whether a draft has been replaced."""
    return bool(st.session_state.get(_BEFORE))


def undo() -> None:
    """Take the replaced draft back; a second undo undoes the first."""
    if can_undo():
        replace_draft(st.session_state[_BEFORE])


def put_in_draft(path: Path, value: DraftValue | None) -> None:
    """Change one entry of the draft."""
    st.session_state[TEXT] = write_draft(put(read_draft(draft_text()), path, value))
