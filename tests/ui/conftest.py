"""Fixtures for all tests of pages. Like `app.py`, this module registers the lab before any page runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

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
