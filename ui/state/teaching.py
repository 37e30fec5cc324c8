"""The room that this session teaches, if any: the class sees what the teacher sees.

One tab teaches. Other tabs of the teacher know the room and send nothing, and a page in a frame never does.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from ui.shared import room_file
from ui.shared.room_values import RoomError, SharedView
from ui.shared.rooms import rooms
from ui.shared.student_names import student_name

_ROOM, _FORGOTTEN = "headlight_room", "headlight_room_forgotten"
NOT_SHOWN = ("class_room", "make_a_lesson", "")
"""Pages that only the teacher sees: the class keeps the previous page."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaughtRoom:
    """A room whose key this session has; `tab` is the name of the browser's tab."""

    letters: str
    key: str
    tab: str


def teach(letters: str, key: str, tab: str = "", *, by_force: bool = False) -> None:
    """Start to teach a room in this session, if the key is its teacher's and no other tab teaches it, or `by_force`.
    `tab` is the name that this tab had before it was loaded again."""
    if is_framed() or not rooms().is_taught(letters, key):
        return
    room = TaughtRoom(letters=letters, key=key, tab=tab or secrets.token_urlsafe(12))
    rooms().take_up(letters, key, room.tab, by_force=by_force)
    st.session_state[_ROOM] = room
    st.session_state[_FORGOTTEN] = False


def is_framed() -> bool:
    """Return whether the app is shown in a frame: on a wall, on a telephone, in another site."""
    return bool(st.context.is_embedded)


def known_room() -> TaughtRoom | None:
    """Return the room whose key this session has, whether or not another tab teaches it; None once it is closed."""
    room: TaughtRoom | None = st.session_state.get(_ROOM)
    if room is not None and not _ask_file(rooms().is_taught, room.letters, room.key, unknown=True):
        teach_no_more()
        return None
    return room


def taught() -> tuple[str, str] | None:
    """Return the letters and the key of the room that this session teaches."""
    room = known_room()
    if room is None or not _ask_file(rooms().teaches, room.letters, room.tab, unknown=False):
        return None
    return room.letters, room.key


def _ask_file(question: Callable[[str, str], bool], *values: str, unknown: bool) -> bool:
    """Return the answer of the shared file, or what is assumed while it cannot be read."""
    try:
        return question(*values)
    except sqlite3.Error:
        _log.exception("The room of this session could not be read.")
        return unknown


def browsers_of_class() -> dict[str, str]:
    """Return the words of the browsers that have joined the room that this session teaches, with the names of their
    students; empty for one whose place in the room was given away."""
    room = taught()
    if room is None:
        return {}
    try:
        places = rooms().browsers(room[0]).items()
    except sqlite3.Error:
        _log.exception("The browsers of the room %s could not be read.", room[0])
        return {}
    return {browser: "" if place is None else student_name(place) for browser, place in places}


def teach_no_more() -> None:
    """Stop teaching in this session, and let its browser forget the room."""
    st.session_state.pop(_ROOM, None)
    st.session_state[_FORGOTTEN] = True


def forgotten() -> bool:
    """Return whether this session has stopped teaching a room."""
    return bool(st.session_state.get(_FORGOTTEN, False))


def sign(text: str) -> str:
    """Return the signature of a text by this server, the same in all its processes."""
    return room_file.sign(text, rooms().secret)


def seen_by_class() -> SharedView | None:
    """Return the view of the room that this session teaches; None if it teaches none."""
    room = taught()
    try:
        return None if room is None else rooms().room(room[0]).view
    except RoomError:  # it was closed a moment ago
        return None


def show_class(page: str, choices: Mapping[str, str]) -> None:
    """Show the class a page, by the name of its file, with these choices; nothing happens if none is taught."""
    room = None if page in NOT_SHOWN else taught()
    if room is None:
        return
    try:
        rooms().show(*room, page=page, choices=choices)
    except RoomError:  # it was closed, or its day is over
        teach_no_more()
    except sqlite3.Error:
        _log.exception("The room %s was not told what its teacher sees.", room[0])
