"""What every test shares: no network, one thread, and a browser where there is one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ |= {
    "HEADLIGHT_SHARED": str(Path(tempfile.mkdtemp(prefix="headlight-tests-")) / "shared.sqlite"),
    "HF_HUB_OFFLINE": "1",  # read when huggingface_hub is imported, so before anything else
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "OMP_NUM_THREADS": os.environ.get("HEADLIGHT_TEST_THREADS", "1"),  # the other processors run other tests
    "TOKENIZERS_PARALLELISM": "false",
}

import platform

import pytest

import run

MOST_PROCESSES = 4
"""Each may have an app, a browser and models of its own: about 2 GB."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many processes run tests: one more than processors, as the tests of the browser wait for it half the time."""
    return min((os.cpu_count() or 1) + 1, MOST_PROCESSES)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what tests have found, beside whether they passed: `record_property("found", ...)`."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    found = [words for report in reports for name, words in getattr(report, "user_properties", ()) if name == "found"]
    if found:
        terminalreporter.section("found")
        terminalreporter.write("\n".join(dict.fromkeys(found)) + "\n")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser. A test without one is skipped, or fails where CI=true says that none may be."""
    path = run.find_browser(shell_first=True)
    if path is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(run.no_browser(platform.system()))
    return path
