"""A recipe that is trained in a moment, and programs that stand for jobs of the lab."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from lab import questions
from lab.data import samples
from lab.data.given import Given
from lab.recipe import GENERATED, Recipe, TaskName

QUICK = Recipe(
    task="copy",
    name="quick",
    n_layers=1,
    n_heads=2,
    d_model=16,
    d_ff=16,
    n_tokens=8,
    d_vocab=64,
    iterations=12,
    rows=8,
    learning_rate=1e-2,
    snapshots=3,
)
HOLD = """
import os, pathlib, sys, time
from lab.jobs.locks import holding, write_whole
place = pathlib.Path(sys.argv[1])
with holding(place / "alive", patience=5):
    write_whole(place / "pid", str(os.getpid()))
    time.sleep(300)
"""
HOLDER = (sys.executable, "-c", HOLD)
"""A job that lives, and does nothing: it begins in a moment, while a real one has to open torch."""
SLEEPER = (sys.executable, "-c", "import time; time.sleep(60)")
"""A job that never takes its lock."""


def first_rows(task: TaskName) -> Given | None:
    """Return the first rows of the sample of a task; None for one that makes its own."""
    if task in GENERATED:
        return None
    given = samples.take(task, samples.sample(task))
    return replace(given, learned=given.learned[:200], held_out=given.held_out[:40])


@contextmanager
def few_rows() -> Iterator[None]:
    """Let a training make, measure and answer fewer rows: most of the time of a short one."""
    with pytest.MonkeyPatch.context() as patch:
        for name, number in (("SEQUENCES", 400), ("HELD_OUT_SEQUENCES", 40)):
            patch.setattr(samples, name, number)
        for name, number in (("SENTENCES", 4), ("PAIRS", 8), ("TEXTS", 20), ("WRITTEN", 6)):
            patch.setattr(questions, name, number)
        yield
