"""The room that this session teaches, if any: whatever the teacher sees, the class is shown."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping

import streamlit as st

from ui.shared.room_values import RoomError
from ui.shared.rooms import rooms

_ROOM, _FORGOTTEN = "headlight_room", "headlight_room_forgotten"
NOT_SHOWN = ("class_room", "make_a_lesson", "")
"""Pages that are the teacher's alone: the class sees what it saw before."""
_log = logging.getLogger(__name__)


def teach(letters: str, key: str) -> None:
    """From now on this session teaches that room, if the key is its teacher's."""
    if rooms().is_taught(letters, key):
        st.session_state[_ROOM] = letters, key
        st.session_state[_FORGOTTEN] = False


def taught() -> tuple[str, str] | None:
    """Return the letters and the key of the room that this session teaches."""
    found: tuple[str, str] | None = st.session_state.get(_ROOM)
    return found


def teach_no_more() -> None:
    """This session teaches no room any more, and its browser forgets the room, too."""
    st.session_state.pop(_ROOM, None)
    st.session_state[_FORGOTTEN] = True


def forgotten() -> bool:
    """Return whether this session has taught a room, and does not any more."""
    return bool(st.session_state.get(_FORGOTTEN, False))


def show_class(page: str, choices: Mapping[str, str]) -> None:
    """Let the class see a page, by the name of its file, with these choices; nothing happens where none is taught."""
    room = taught()
    if room is None or page in NOT_SHOWN:
        return
    try:
        rooms().show(*room, page=page, choices=choices)
    except RoomError:  # it was closed, or its day is over
        teach_no_more()
    except sqlite3.Error:
        _log.exception("The room %s was not told what its teacher sees.", room[0])
