"""The teacher's bar on every page, while this session teaches a room; and how a session finds the room of its
browser."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.state.routes import address
from ui.state.teaching import forgotten, taught, teach
from ui.widgets.browser_side import in_each_language

_KEY, _ASKING = "headlight_teacher_bar", "headlight_known_room"
"""The keys of the bar and of the invisible element that asks the browser for its room."""
_bar = in_each_language(
    _KEY, module="teacher_bar.js", html="<div data-bar></div>", styles=("teacher_bar.css", "room_question.css")
)


def teacher_bar() -> None:
    """Draw the bar, if this session teaches; else ask the browser whether it has a room."""
    room = taught()
    if room is not None:
        _bar(key=_KEY, data=_told(*room))
    else:
        _bar(key=_ASKING, data={"closed": forgotten()}, on_known_change=_heard)


def _told(letters: str, key: str) -> dict[str, Any]:
    return {
        "letters": letters,
        "key": key,
        "socket": address(f"rooms/{letters}/socket"),
        "rooms": address("room"),
    }


def _heard() -> None:
    """The browser knows a room that it has opened; the key has to fit."""
    known = (st.session_state.get(_ASKING) or {}).get("known")
    if isinstance(known, dict) and taught() is None:
        teach(str(known.get("letters", "")), str(known.get("key", "")))
