"""The recordings that readers look at, by the keys under which their browsers fetch the numbers.

A key cannot be guessed, is told to the browser of one session only, and ends with that session. Streamlit keeps the
session of a reader who has gone for two minutes, in case of a return, and lets go of it when the next one leaves, which
may be never: so keys end by a clock of ours.
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
"""Seconds for which a reader may have gone before the keys end: just before Streamlit would begin a new session."""
LOOK = 2.0
"""Seconds between two looks at who is here."""
THREAD = "keys"
_OPEN = "headlight_open_recordings"


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class OpenRecording:
    """A recording that a session looks at, and the key under which its browser fetches the numbers."""

    key: str
    name: str
    recording: Recording
    session: str


KEYS: WeakValueDictionary[str, OpenRecording] = WeakValueDictionary()
"""The open recordings, by key."""
_starting = threading.Lock()


def offer(recording: Recording) -> OpenRecording:
    """Let this session's browser fetch a recording. The last two stay: what is under way may still arrive."""
    kept: list[OpenRecording] = [known for known in st.session_state.get(_OPEN, []) if known.key in KEYS]
    for known in kept:
        if known.recording is recording:
            return known
    key, run = secrets.token_urlsafe(24), get_script_run_ctx(suppress_warning=True)
    made = OpenRecording(
        key=key,
        name=hashlib.sha256(key.encode()).hexdigest()[:12],
        recording=recording,
        session="" if run is None else run.session_id,
    )
    for old in kept[:-1]:
        KEYS.pop(old.key, None)
    st.session_state[_OPEN] = [*kept[-1:], made]
    KEYS[key] = made
    return made


class Absences:
    """Since when the readers have been gone whose keys are open."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def look(self, is_here: Callable[[str], bool], now: float) -> None:
        """See who is here, and end the keys of those who have been gone for too long."""
        opened = [each for known in KEYS.valuerefs() if (each := known()) is not None]
        gone = {session for session in {each.session for each in opened} if not is_here(session)}
        self._since = {session: self._since.get(session, now) for session in gone}
        for each in opened:
            if now - self._since.get(each.session, now) >= AWAY:
                KEYS.pop(each.key, None)


def end_keys_beside() -> threading.Thread:
    """End the keys of those who have gone, in a thread of its own from now on; once in a process."""
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
