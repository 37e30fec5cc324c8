"""The model that reads in the browser, joined into one script: `frontend/engine/` is the transformer,
`frontend/tokenizers/` cuts texts, `frontend/reading/` goes from a text to guesses, and `frontend/answers/` answers the
questions of lessons."""

from __future__ import annotations

from pathlib import Path

from viz.viewer.joining import join_modules

FRONTEND = Path(__file__).with_name("frontend")
ENGINE_FOLDERS = tuple(FRONTEND / name for name in ("engine", "tokenizers", "reading"))
ANSWERS = FRONTEND / "answers"
WORKER, ANSWERING = "worker.js", "answering_worker.js"
"""The modules that a worker of the browser runs."""


def engine_script(entry: str = WORKER) -> str:
    """Return a module of the engine or of the answers, and all that it imports, as one script."""
    return join_modules((entry,), _read)


def _read(name: str) -> str:
    folders = (*ENGINE_FOLDERS, ANSWERS, FRONTEND)
    return next(folder / name for folder in folders if (folder / name).is_file()).read_text(encoding="utf-8")
