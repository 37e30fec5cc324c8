"""How long a training waits: by the estimates of those before it, and by how fast the running ones are."""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence

from lab.jobs.locks import write_whole
from lab.metrics import progress_of, read_curves
from lab.runs import METRICS, Run

EXPECTED = "expected.txt"
"""The file with the seconds that a run was estimated to take."""


def note_expected(run: Run, seconds: float) -> None:
    """Write down how long a run is estimated to take."""
    write_whole(run.folder / EXPECTED, f"{seconds:.1f}")


def seconds_to_wait(running: Sequence[Run], before: Sequence[Run], jobs: int) -> float | None:
    """Return the seconds until a run begins that waits after `before`, in order, where `jobs` train at once; None if
    one of them was not estimated."""
    left = [_seconds_left(run) for run in running]
    waits = [_expected_time(run) for run in before]
    known = [seconds for seconds in left if seconds is not None]
    if len(known) < len(left) or None in waits:
        return None
    free_in = [*known, *(0.0 for _ in range(jobs - len(known)))]
    heapq.heapify(free_in)
    for seconds in waits:
        heapq.heapreplace(free_in, free_in[0] + (seconds or 0.0))
    return free_in[0] if free_in else None


def _seconds_left(run: Run) -> float | None:
    """Return how long a run goes on, measured if it is far enough, else as it was estimated."""
    if run.recipe is not None:
        measured = progress_of(read_curves(run.folder / METRICS), run.recipe.iterations).seconds_left
        if measured is not None:
            return measured
    expected = _expected_time(run)
    return None if expected is None else max(expected - (time.time() - run.status.since), 0.0)


def _expected_time(run: Run) -> float | None:
    try:
        return float((run.folder / EXPECTED).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
