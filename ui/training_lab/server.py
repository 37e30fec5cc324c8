"""The training lab of this server: one supervisor for all sessions, and the runs that a session may see."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakValueDictionary

import streamlit as st

from lab import runs
from lab.jobs.locks import holding, write_whole
from lab.jobs.supervisor import Supervisor
from lab.limits import Limits, read_limits
from lab.runs import UNFINISHED, Run
from lab.uploads.checkpoints import model_name
from models.opening.restriction import is_restricted
from models.training.snapshots.over_time import RunFolder
from models.values.errors import LabError
from models.values.wording import worded_n
from ui.desk.clients import browser_of_session, client_of_session, is_this_computer
from ui.state.selection import choose
from ui.state.teaching import browsers_of_class
from ui.training_lab.words import ABOUT_RUNS

MOST_UNFINISHED = 3
"""The most unfinished trainings of one session, on a server with private runs."""
MOST_LISTED = 20
"""The number of models in the list of models, the newest; the others open from the page of their run."""
_KNOWN, _NEXT = "headlight_lab_runs", "headlight_lab_next"
_SUPERVISORS: dict[Limits, Supervisor] = {}
_starting = threading.Lock()
_KEY = ".key"
_PATIENCE = 20.0
"""Seconds to wait for another process that creates the key."""
_TRIALS: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()


def supervisor() -> Supervisor:
    """Return the supervisor of the runs of this server. Raises LabError for invalid settings."""
    limits = read_limits()
    with _starting:
        if limits not in _SUPERVISORS:
            _SUPERVISORS[limits] = Supervisor(limits)
        return _SUPERVISORS[limits].begin()


def client() -> str:
    """Return the client of the lab: a digest of this session's address, keyed with a secret stored beside the runs.
    Empty where runs are not private."""
    return _digest(client_of_session()) if read_limits().is_private else ""


def owner() -> str:
    """Return a digest of this session's browser, which finds its runs by it."""
    return _digest(browser_of_session())


def may_change(run: Run) -> bool:
    """Return whether this session may stop, resume and delete a run: whoever started it, and whoever sits at the
    computer of the server. What no browser has started may be changed by whoever sees it."""
    return run.owner in ("", owner()) or sees_all()


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), key=_key(read_limits().folder), digest_size=12).hexdigest()


def _key(folder: Path) -> bytes:
    file = folder / _KEY
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with holding(folder / f"{_KEY}.lock", patience=_PATIENCE):
            if not file.exists():
                write_whole(file, secrets.token_hex(32))
    return file.read_text(encoding="ascii").encode()


@contextmanager
def one_trial(client_digest: str) -> Iterator[None]:
    """Hold the client's lock, so that one uploaded model at a time is opened in a process of its own."""
    with _starting:
        lock = _TRIALS.setdefault(client_digest, threading.Lock())
    with lock:
        yield


def remember(identifier: str) -> None:
    """Let this session see a run."""
    known: tuple[str, ...] = st.session_state.get(_KNOWN, ())
    if identifier and identifier not in known:
        st.session_state[_KNOWN] = (identifier, *known)


def show_next(identifier: str) -> None:
    """Show a run at the next draw of the page: its widget cannot be changed once it is drawn."""
    remember(identifier)
    st.session_state[_NEXT] = identifier


def take_next() -> None:
    """Choose the run of `show_next`, if any. Call before the runs' widget is drawn."""
    if _NEXT in st.session_state:
        choose(run=st.session_state.pop(_NEXT))


def forget(identifier: str) -> None:
    """Remove a run from this session's list."""
    st.session_state[_KNOWN] = tuple(known for known in st.session_state.get(_KNOWN, ()) if known != identifier)


def known_runs() -> tuple[Run, ...]:
    """Return the runs that this session may see, the newest first: its browser's, those whose link was followed, for a
    teacher those of the class, and for whoever sits at the computer of the server all."""
    limits = read_limits()
    found = runs.all_runs(limits.folder)
    if limits.is_private and not sees_all():
        seen = {owner(), *students()}
        by_link = {*st.session_state.get(_KNOWN, ()), st.session_state.get("run", "")}
        found = tuple(run for run in found if run.owner in seen or run.id in by_link)
    _look_after(found)
    return found


def students() -> dict[str, str]:
    """Return the names of the students of the class that this session teaches, by the digests of their browsers."""
    return {_digest(browser): name for browser, name in browsers_of_class().items()}


def sees_all() -> bool:
    """Return whether this session sees the runs of all: the teacher, at the computer of the server. Where strangers
    come, behind proxies that may hide who they are, nobody does."""
    return is_this_computer() and not is_restricted()


def _look_after(listed: Iterable[Run]) -> None:
    """Start the supervisor if a run is unfinished, so that those of an earlier server go on."""
    if any(run.state in UNFINISHED for run in listed):
        supervisor()


def expect_few_unfinished() -> None:
    """Raise LabError if this session has enough trainings under way on a server that strangers share."""
    if read_limits().is_private and not sees_all():
        mine = owner()
        unfinished = sum(run.state in UNFINISHED and run.owner == mine for run in known_runs())
        if unfinished >= MOST_UNFINISHED:
            raise LabError(
                worded_n(
                    "You have {n} training waiting or running, the most for one person on this server. Wait until it "
                    "ends, or stop it.",
                    "You have {n} trainings waiting or running, the most for one person on this server. Wait until one "
                    "ends, or stop one.",
                    unfinished,
                )
            )


def lab_models() -> tuple[str, ...]:
    """Return the names of the models of the runs that this session may see; empty without a lab."""
    try:
        names = [model_name(run) for run in known_runs() if run.state not in UNFINISHED][:MOST_LISTED]
    except LabError:
        return ()
    return tuple(name for name in names if name is not None)


def runs_over_time() -> tuple[RunFolder, ...]:
    """Return the runs with several snapshots, for "Attention over time"."""
    shown = [run for run in known_runs() if len(runs.snapshots_of(run.folder)) > 1]
    return tuple(
        RunFolder(name=over_time_name(run), folder=Path(run.folder), about=ABOUT_RUNS[run.state]) for run in shown
    )


def over_time_name(run: Run) -> str:
    """Return the name of a run in "Attention over time"."""
    return f"{run.name} ({run.id[:4]})"
