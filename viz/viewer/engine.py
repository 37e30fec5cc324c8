"""The model that reads in the browser: its modules, `frontend/engine/`, joined into one script."""

from __future__ import annotations

from pathlib import Path

from viz.viewer.joining import join_modules

ENGINE = Path(__file__).with_name("frontend") / "engine"
WORKER = "worker.js"
"""The module that a worker of the browser runs."""


def engine_script(entry: str = WORKER) -> str:
    """Return a module of the engine and all that it imports as one script."""
    return join_modules((entry,), _read)


def _read(name: str) -> str:
    return (ENGINE / name).read_text(encoding="utf-8")
