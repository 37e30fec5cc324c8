"""What every test shares: no network, two threads, and a browser where there is one."""

from __future__ import annotations

import os

os.environ |= {
    "HF_HUB_OFFLINE": "1",  # read when huggingface_hub is imported, so before anything else
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "OMP_NUM_THREADS": "2",
    "TOKENIZERS_PARALLELISM": "false",
}

import platform

import pytest

import run


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser. A test without one is skipped, or fails where CI=true says that none may be."""
    path = run.find_browser()
    if path is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(run.no_browser(platform.system()))
    return path
