"""The teacher's bar on every page while this session teaches a room, and how a session finds the room that its browser
remembers."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.state.addresses import read_address
from ui.state.navigation import PAGES, go_to, page_file
from ui.state.routes import address
from ui.state.selection import take_over
from ui.state.teaching import NOT_SHOWN, TaughtRoom, forgotten, is_framed, known_room, seen_by_class, teach
from ui.widgets.browser.browser_side import in_each_language

_KEY, _ASKING = "headlight_teacher_bar", "headlight_known_room"
"""The keys of the bar and of the invisible component that asks the browser for its room."""
_CAME, _RETURNS = "headlight_came_by_link", "headlight_returns_to"
"""Whether the session began with choices in its address or on a page that no class sees, and the page to return to."""
_bar = in_each_language(
    _KEY, module="teacher_bar.js", html="<div data-bar></div>", styles=("teacher_bar.css", "room_question.css")
)


def teacher_bar(page: str) -> None:
    """Draw the bar if this session knows a room; else ask the browser whether it remembers one. A page in a frame has
    none: it follows. `page` is the name of this page's file."""
    if is_framed():
        return
    st.session_state.setdefault(_CAME, page in NOT_SHOWN or bool(set(st.query_params) - {"lang"}))
    if shown := st.session_state.pop(_RETURNS, None):
        go_to(shown)
    room = known_room()
    if room is not None:
        _bar(key=_KEY, data=_bar_data(room), on_taken_change=_take_over, on_resumed_change=_go_on)
    else:
        _bar(key=_ASKING, data={"closed": forgotten()}, on_known_change=_take_known_room)


def _bar_data(room: TaughtRoom) -> dict[str, Any]:
    return {
        "letters": room.letters,
        "key": room.key,
        "tab": room.tab,
        "socket": address(f"rooms/{room.letters}/socket"),
        "rooms": address("room"),
    }


def _take_known_room() -> None:
    """Teach the room that the browser remembers, if its key fits."""
    known = (st.session_state.get(_ASKING) or {}).get("known")
    if isinstance(known, dict) and known_room() is None:
        teach(*(str(known.get(name, "")) for name in ("letters", "key", "tab")))
        _return_to_class()


def _return_to_class() -> None:
    """Show this session what the class sees, so that a tab that is opened again at "/" does not show the class a new
    beginning; a session that came by a link shows what the link says."""
    view = None if st.session_state[_CAME] else seen_by_class()
    page = next((page for page in PAGES if view and page_file(page.title) == view.page), None)
    if view is not None and page is not None:
        take_over({name: value for name, value in read_address(view.choices).items() if name != "lang"})
        st.session_state[_RETURNS] = page


def _take_over() -> None:
    """Teach the room in this tab, in place of the one that does."""
    room = known_room()
    if room is not None:
        teach(room.letters, room.key, room.tab, by_force=True)


def _go_on() -> None:
    """Let the page run after a pause: at its end the class sees what is on it."""
