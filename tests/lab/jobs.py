"""A recipe that is trained in a moment, and programs that stand for jobs of the lab."""

from __future__ import annotations

import sys

from lab.recipe import Recipe

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
