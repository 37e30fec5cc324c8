"""How long a training waits follows from what those before it take."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from lab import runs
from lab.jobs.waiting import note_expected, seconds_to_wait
from lab.recipe import Recipe
from lab.runs import Run, Status
from tests.closeness import assert_close

RECIPE = Recipe(task="copy", name="tiny", n_layers=1, n_heads=2, d_model=8, d_ff=8, n_tokens=8, iterations=100, rows=2)


def made(folder: Path, expected: float | None) -> Run:
    run = runs.create(folder, RECIPE, None)
    if expected is not None:
        note_expected(run, expected)
    return run


@pytest.mark.parametrize(
    ("jobs", "before", "wait"),
    [(1, (), 0), (1, (60, 30), 90), (2, (60, 30), 30), (2, (60, 30, 20, 20), 60), (3, (60, 30), 0)],
)
def test_those_before_are_shared_among_the_jobs(tmp_path: Path, jobs: int, before: tuple[int, ...], wait: int) -> None:
    waiting = [made(tmp_path, seconds) for seconds in before]
    assert seconds_to_wait([], waiting, jobs) == wait


def test_a_running_training_counts_with_what_is_left_of_it(tmp_path: Path) -> None:
    run = made(tmp_path, 60)
    runs.write_status(run.folder, Status(state="running", since=time.time() - 1000))
    run = runs.find(tmp_path, run.id)
    assert seconds_to_wait([run], [], 1) == 0, "it takes longer than was thought"
    lines = [{"step": at, "loss": 1.0, "seconds": 2.0 * at, "tokens": 9, "rate": 0.1} for at in range(1, 51)]
    (run.folder / runs.METRICS).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    left = seconds_to_wait([run], [made(tmp_path, 7)], 1)
    assert left is not None
    assert_close(left, 107.0)


def test_a_training_that_nobody_estimated_leaves_the_wait_unknown(tmp_path: Path) -> None:
    assert seconds_to_wait([], [made(tmp_path, None)], 1) is None
    broken = made(tmp_path, 5)
    (broken.folder / "expected.txt").write_text("soon", encoding="ascii")
    assert seconds_to_wait([], [broken], 1) is None
