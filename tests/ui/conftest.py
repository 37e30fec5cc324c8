"""Fixtures for all tests of pages. Like `app.py`, this module registers the lab before any page runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import app_test, local_script_runner

import lessons
from models.analysis.over_texts.corpus import sample_texts
from ui.desk import clients
from ui.heads.switchboard import small_task, ways
from ui.training_lab.source import register_lab

register_lab()

__all__ = ["lessons"]  # imported before a page of that name, whose folder `AppTest` puts first on the path
LEAST_LETTERS = 20
"""The fewest letters of a text that `few_texts` takes: a shorter one may have a single word."""


@pytest.fixture(autouse=True)
def _at_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader sits at the computer of the server: an `AppTest` comes from no address."""
    monkeypatch.setattr(clients, "client_of_session", lambda: clients.UNKNOWN)


@pytest.fixture(scope="session", autouse=True)
def _installed_components() -> Iterator[None]:
    """Let Streamlit search the installed packages for components once: it does so again for each new `AppTest`."""
    with pytest.MonkeyPatch.context() as patch:
        once = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


class StateByKey(Mapping[str, Any]):
    """The state of a session, of which one key is looked up at a time."""

    def __init__(self, state: SafeSessionState) -> None:
        self._lock, self._state = state._lock, state._state

    def __getitem__(self, key: str) -> Any:
        with self._lock:
            return self._state[key]

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter(self._state.filtered_state)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@pytest.fixture(scope="session", autouse=True)
def _state_by_key() -> Iterator[None]:
    """Let Streamlit look up the one key that it asks for: it puts the whole state together for every text input and
    every list to choose from, which is a third of the time of a page with many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SafeSessionState, "filtered_state", property(StateByKey))
        yield


def wait_for_run(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    """Wait for the thread of a run. Raises TimeoutError."""
    thread = runner._script_thread
    if thread is not None:
        thread.join(timeout)
        if thread.is_alive():
            runner.request_stop()
            raise TimeoutError(f"The page has not finished within {timeout} s.")


@pytest.fixture(scope="session", autouse=True)
def _light_runs() -> Iterator[None]:
    """Let an `AppTest` wait for its thread, which it otherwise interrupts every millisecond, and make the stand-in of
    the server once: it is as dear as the run of a small page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait_for_run)
        patch.setattr(app_test, "MagicMock", functools.cache(MagicMock))
        yield


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Save a tiny model of a family when it is first asked for; no test changes its folder."""
    from tests.models.huggingface.families import FAMILIES, save  # takes seconds, and not every test needs it

    return functools.cache(lambda family: save(FAMILIES[family], tmp_path_factory.mktemp(family)))


@pytest.fixture
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the Switchboard few short sentences for means, and for the curve of the heads that are needed."""
    short = tuple(sorted((text for text in sample_texts() if len(text) >= LEAST_LETTERS), key=len)[:100])
    monkeypatch.setattr(ways, "sample_texts", lambda _languages: short)
    monkeypatch.setattr(ways, "N_TEXTS", 10)
    monkeypatch.setattr(small_task, "N_EXAMPLES", small_task.LEAST)
