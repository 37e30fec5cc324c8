"""Choices that outlive their widgets, without taking back what the reader does meanwhile.

Streamlit's own `persist_state="session"` keeps a value, too, and sends nothing. But where the app has just set a slider
(a click in the viewer, an example) and the reader turns it before that has arrived, nothing sends the reader's value
again: the browser shows one and the server has the other. `keep` sends it; so it stays.
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
"""Seconds from the end of a run until the browser has surely drawn what the run has sent."""
_MEMORY = "headlight_kept"


@dataclass(slots=True)
class _Memory:
    """The known choices of a session, by name."""

    page: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    """At the end of the last run."""
    sent: dict[str, float] = field(default_factory=dict)
    """The end of the last run that has sent it to the browser; infinite while that goes on."""
    left: set[str] = field(default_factory=set)
    """The names of the choices that this run does not change."""


def keep(defaults: Mapping[str, Any], *, page: str | None = None) -> None:
    """Keep every choice, whether this run draws its widget or not. Call at the start of a page, with its name, or of a
    fragment; and `settle` at its end.

    Assigning the key of a widget to itself keeps its value where no widget is drawn. It also sends the value to the
    browser, where it takes back what the reader has done meanwhile: of an arrow key that is pressed again and again,
    steps were lost. So a choice that the reader has just changed is left alone, unless an older value of it may still
    be on its way to the browser: then only sending the new one makes the two agree.
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
    """Return whether a choice is another one than at the end of the last run. Call before `keep`."""
    state = st.session_state
    memory: _Memory = state.get(_MEMORY, _Memory())
    return any(state.get(name, value) != value for name, value in memory.values.items())


def settle() -> None:
    """Remember the choices as they are at the end of a run, and keep those that it has left alone."""
    state, now = st.session_state, monotonic()
    memory: _Memory = state[_MEMORY]
    memory.sent = {name: min(sent, now) for name, sent in memory.sent.items()}
    for name in memory.left:
        with suppress(StreamlitAPIException):  # its widget is there, and keeps it
            state[name] = state[name]
    memory.values = {name: state[name] for name in memory.values}
