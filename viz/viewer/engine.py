"""The model that reads in the browser: its modules, `frontend/engine/`, joined into one script; and with those that
answer the questions of lessons, `frontend/answers/`."""

from __future__ import annotations

from pathlib import Path

from viz.viewer.joining import join_modules

FRONTEND = Path(__file__).with_name("frontend")
ENGINE, ANSWERS = FRONTEND / "engine", FRONTEND / "answers"
WORKER, ANSWERING = "worker.js", "answering_worker.js"
"""The modules that a worker of the browser runs."""


def engine_script(entry: str = WORKER) -> str:
    """Return a module of the engine or of the answers, and all that it imports, as one script."""
    return join_modules((entry,), _read)


def _read(name: str) -> str:
    folders = (ENGINE, ANSWERS, FRONTEND)
    return next(folder / name for folder in folders if (folder / name).is_file()).read_text(encoding="utf-8")
