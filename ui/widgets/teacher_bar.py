"""The teacher's bar on every page, while this session teaches a room; and how a session finds the room of its
browser."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from ui.state.routes import address, frontend
from ui.state.teaching import forgotten, taught, teach

_KEY, _ASKING = "headlight_teacher_bar", "headlight_known_room"
"""Where the bar stands, and where nothing stands that asks the browser for its room."""
_FRONTEND = frontend()
_bar = st.components.v2.component(
    _KEY,
    html=(
        f'<link rel="stylesheet" href="{_FRONTEND}/teacher_bar.css">'
        f'<link rel="stylesheet" href="{_FRONTEND}/room_question.css"><div data-bar></div>'
    ),
    js=(
        f"const module = import(new URL({json.dumps(f'{_FRONTEND}/teacher_bar.js')}, location.origin).href);\n"
        "export default async (component) => (await module).openComponent(component);\n"
    ),
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
        "letters": letters, "key": key, "socket": address(f"rooms/{letters}/socket"), "rooms": address("room"),
    }  # fmt: skip


def _heard() -> None:
    """The browser knows a room that it has opened; the key has to fit."""
    known = (st.session_state.get(_ASKING) or {}).get("known")
    if isinstance(known, dict) and taught() is None:
        teach(str(known.get("letters", "")), str(known.get("key", "")))
