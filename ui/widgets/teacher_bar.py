"""The teacher's bar on every page while this session teaches a room, and how a session finds the room that its browser
remembers."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.state.routes import address
from ui.state.teaching import forgotten, taught, teach
from ui.widgets.browser.browser_side import in_each_language

_KEY, _ASKING = "headlight_teacher_bar", "headlight_known_room"
"""The keys of the bar and of the invisible component that asks the browser for its room."""
_bar = in_each_language(
    _KEY, module="teacher_bar.js", html="<div data-bar></div>", styles=("teacher_bar.css", "room_question.css")
)


def teacher_bar() -> None:
    """Draw the bar if this session teaches; else ask the browser whether it remembers a room."""
    room = taught()
    if room is not None:
        _bar(key=_KEY, data=_bar_data(*room))
    else:
        _bar(key=_ASKING, data={"closed": forgotten()}, on_known_change=_take_known_room)


def _bar_data(letters: str, key: str) -> dict[str, Any]:
    return {
        "letters": letters,
        "key": key,
        "socket": address(f"rooms/{letters}/socket"),
        "rooms": address("room"),
    }


def _take_known_room() -> None:
    """Teach the room that the browser remembers, if its key fits."""
    known = (st.session_state.get(_ASKING) or {}).get("known")
    if isinstance(known, dict) and taught() is None:
        teach(str(known.get("letters", "")), str(known.get("key", "")))
