"""Streamlit's own readings of a session, while a run that another one has replaced may still be writing to it.

Streamlit interrupts a run for the next one, and gives each a lock of its own over the session that both share. What
goes through all of the session may then find that it "changed size during iteration", and the reader gets an error in
the place of the page: here it is read once more.
"""

from __future__ import annotations

from collections.abc import Iterator

from streamlit.runtime.state.session_state import SessionState, WStates

from ui.state.selection import read_steadily

READS_ALL = ("_compact_state", "_keys", "_remove_stale_widgets", "_reset_triggers")
"""The methods of a session that go through all of it, and may be called again."""


def read_sessions_steadily() -> None:
    """Let all sessions of this process be read once more when they change meanwhile."""
    for name in READS_ALL:
        setattr(SessionState, name, read_steadily(getattr(SessionState, name)))
    WStates.__iter__ = _iterate  # type: ignore[method-assign]


def _iterate(widgets: WStates) -> Iterator[str]:
    """Iterate over the widgets of this moment: nothing interrupts the copying of a dictionary's keys."""
    return iter(list(widgets.states))
