"""Choices that outlive their widgets, without undoing what the reader does meanwhile.

Streamlit's `persist_state="session"` keeps a value, too, and sends nothing. But where the app has just set a slider (a
click in the viewer, an example) and the reader turns it before that has arrived, nothing sends the reader's value
again: browser and server then disagree. `keep` sends it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

QUIET = 3.0
"""Seconds after a run by which the browser has drawn everything."""
_MEMORY = "headlight_kept"


@dataclass(slots=True)
class _Memory:
    """The known choices of a session, by name."""

    page: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    """The values at the end of the last run."""
    sent: dict[str, float] = field(default_factory=dict)
    """The end of the last run that has sent it to the browser; infinite while that run goes on."""
    left: set[str] = field(default_factory=set)
    """The names of the choices that this run leaves alone."""


def keep(defaults: Mapping[str, Any], *, page: str | None = None) -> None:
    """Keep every choice, whether this run draws its widget or not. Call at the start of a page, with its name, or of a
    fragment, and call `settle` at the end.

    Assigning the key of a widget to itself keeps its value where no widget is drawn. It also sends the value to the
    browser, which then loses what the reader has done meanwhile, such as repeated presses of an arrow key. So a choice
    that the reader has just changed is left alone, unless an older value of it may still be on its way to the browser:
    then only sending the new one makes the two agree.
    """
    state, now = st.session_state, monotonic()
    memory: _Memory = state.setdefault(_MEMORY, _Memory())
    is_new_page = page is not None and page != memory.page
    memory.left.clear()
    for name, default in defaults.items():
        known = memory.values.get(name, default)
        value = state.get(name, known)
        if value != known and not is_new_page and now - memory.sent[name] > QUIET:
            memory.left.add(name)
        else:
            state[name] = value
            memory.sent[name] = inf
        memory.values[name] = value
    memory.page = memory.page if page is None else page


def has_changed() -> bool:
    """Return whether any choice differs from the end of the last run. Call before `keep`."""
    state = st.session_state
    memory: _Memory = state.get(_MEMORY, _Memory())
    return any(state.get(name, value) != value for name, value in memory.values.items())


def settle() -> None:
    """Remember the choices at the end of a run, and keep those that it has left alone."""
    state, now = st.session_state, monotonic()
    memory: _Memory = state[_MEMORY]
    memory.sent = {name: min(sent, now) for name, sent in memory.sent.items()}
    for name in memory.left:
        with suppress(StreamlitAPIException):  # its widget exists and keeps it
            state[name] = state[name]
    memory.values = {name: state[name] for name in memory.values}
