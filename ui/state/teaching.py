"""The room that this session teaches, if any: the class sees what the teacher sees."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping

import streamlit as st

from ui.shared.room_values import RoomError
from ui.shared.rooms import rooms

_ROOM, _FORGOTTEN = "headlight_room", "headlight_room_forgotten"
NOT_SHOWN = ("class_room", "make_a_lesson", "")
"""Pages that only the teacher sees: the class keeps the previous page."""
_log = logging.getLogger(__name__)


def teach(letters: str, key: str) -> None:
    """Start to teach a room in this session, if the key is its teacher's."""
    if rooms().is_taught(letters, key):
        st.session_state[_ROOM] = letters, key
        st.session_state[_FORGOTTEN] = False


def taught() -> tuple[str, str] | None:
    """Return the letters and the key of the room that this session teaches."""
    room: tuple[str, str] | None = st.session_state.get(_ROOM)
    return room


def teach_no_more() -> None:
    """Stop teaching in this session, and let its browser forget the room."""
    st.session_state.pop(_ROOM, None)
    st.session_state[_FORGOTTEN] = True


def forgotten() -> bool:
    """Return whether this session has stopped teaching a room."""
    return bool(st.session_state.get(_FORGOTTEN, False))


def show_class(page: str, choices: Mapping[str, str]) -> None:
    """Show the class a page, by the name of its file, with these choices; nothing happens if none is taught."""
    room = taught()
    if room is None or page in NOT_SHOWN:
        return
    try:
        rooms().show(*room, page=page, choices=choices)
    except RoomError:  # it was closed, or its day is over
        teach_no_more()
    except sqlite3.Error:
        _log.exception("The room %s was not told what its teacher sees.", room[0])
