"""What every test shares: its environment, and a browser where there is one."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from tests import environment
from tests.chromium import explain_missing, find_browser

__all__ = ["environment"]  # imported before anything that reads it

BROWSER = Path(__file__).parent / "browser"
MOST_PROCESSES = 4
"""Each may have an app, a browser and models of its own: about 2 GB."""
YOUNG_OBJECTS = 10_000
"""The number of new objects after which the youngest generation is collected."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many processes run tests: one more than processors, as the tests of the browser wait for it half the time."""
    return min((os.cpu_count() or 1) + 1, MOST_PROCESSES)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Set aside what collecting has brought in: to look through torch and thousands of tests for garbage takes long."""
    gc.disable()
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the files of the browser among the others: they wait half the time, and the others compute meanwhile."""
    files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
    waiting = [tests for tests in files if BROWSER in tests[0].path.parents]
    computing = [tests for tests in files if BROWSER not in tests[0].path.parents]
    order = sorted(
        (((n + 0.5) / len(kind), tests) for kind in (waiting, computing) for n, tests in enumerate(kind)),
        key=itemgetter(0),
    )
    items[:] = [item for _, tests in order for item in tests]


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
    path = find_browser(shell_first=True)
    if path is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(explain_missing())
    return path
