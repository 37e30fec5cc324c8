"""What tests of pages share: what `ui/script.py` does before a page, one search for components, and small corpora."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pytest
from streamlit.components.v2 import manifest_scanner

from ui.switchboard import small_task, ways
from ui.training_lab.source import register_lab

register_lab()


@pytest.fixture(scope="session", autouse=True)
def _installed_components() -> Iterator[None]:
    """Let Streamlit read once which installed packages bring components: each new `AppTest` reads them all again."""
    with pytest.MonkeyPatch.context() as patch:
        once = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the Switchboard a small corpus for means, and a small task for the curve of the heads that are needed."""
    monkeypatch.setattr(ways, "N_TEXTS", 10)
    monkeypatch.setattr(small_task, "N_EXAMPLES", small_task.LEAST)
