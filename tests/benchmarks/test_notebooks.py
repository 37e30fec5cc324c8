"""The comparison of notebooks runs, as small as it can be: it measures nothing."""

from __future__ import annotations

import re

from benchmarks.notebooks import TASKS
from tests.benchmarks.told import told_by


def test_notebooks_runs(chromium: str) -> None:
    told = told_by("notebooks", "--longest", "32", browser=chromium)
    assert told.startswith("| task | Headlight | bertviz |")
    assert [task for task in TASKS if f"| {task}" not in told] == []
    assert re.search(
        r"(?m)^\| opened by a stranger \| the viewer, from the file alone; not trusted: a picture \|", told
    )
    assert re.search(r"(?m)^\| from opening to the first picture \| [\d.]+ s \|", told)
