"""The recordings that readers look at, by the keys under which their browsers fetch the numbers.

A key cannot be guessed, is sent to the browser of one session only, and expires with that session. Streamlit keeps the
session of a disconnected reader for two minutes, in case of a return, and removes it only when the next one
disconnects, which may be never: so the keys expire by a timer here.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from models.values.record import Recording

AWAY = 110.0
"""Seconds after which the keys of a disconnected reader expire, just before Streamlit would begin a new session."""
LOOK = 2.0
"""Seconds between two checks which readers are connected."""
THREAD = "keys"
_OPEN = "headlight_open_recordings"


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class OpenRecording:
    """A recording that a session shows, and the key under which its browser fetches the numbers."""

    key: str
    name: str
    recording: Recording
    session: str


KEYS: WeakValueDictionary[str, OpenRecording] = WeakValueDictionary()
"""The open recordings, by key."""
_starting = threading.Lock()


def offer(recording: Recording) -> OpenRecording:
    """Let this session's browser fetch a recording. The last two stay available for requests under way."""
    still_open: list[OpenRecording] = [known for known in st.session_state.get(_OPEN, []) if known.key in KEYS]
    for known in still_open:
        if known.recording is recording:
            return known
    key, run = secrets.token_urlsafe(24), get_script_run_ctx(suppress_warning=True)
    opened = OpenRecording(
        key=key,
        name=hashlib.sha256(key.encode()).hexdigest()[:12],
        recording=recording,
        session="" if run is None else run.session_id,
    )
    for old in still_open[:-1]:
        KEYS.pop(old.key, None)
    st.session_state[_OPEN] = [*still_open[-1:], opened]
    KEYS[key] = opened
    return opened


class Absences:
    """The times since which readers with open keys have been disconnected."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def look(self, is_here: Callable[[str], bool], now: float) -> None:
        """Check which readers are connected, and expire the keys of those who have been away for too long."""
        open_now = [opened for reference in KEYS.valuerefs() if (opened := reference()) is not None]
        gone = {session for session in {opened.session for opened in open_now} if not is_here(session)}
        self._since = {session: self._since.get(session, now) for session in gone}
        for opened in open_now:
            if now - self._since.get(opened.session, now) >= AWAY:
                KEYS.pop(opened.key, None)


def end_keys_beside() -> threading.Thread:
    """Start the thread of this process that expires keys, unless it runs."""
    with _starting:
        running = next((thread for thread in threading.enumerate() if thread.name == THREAD), None)
        if running is not None:
            return running
        thread = threading.Thread(target=_watch, name=THREAD, daemon=True)
        thread.start()
        return thread


def _watch() -> None:
    absences = Absences()
    while True:
        time.sleep(LOOK)
        if runtime.exists():
            absences.look(runtime.get_instance().is_active_session, time.monotonic())
