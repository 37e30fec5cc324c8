"""The folder for what the app writes: trainings, rooms and short links."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_OF_A_CLONE = "run.py"
WRITTEN = _ROOT / "runs" if (_ROOT / _OF_A_CLONE).is_file() else Path.home() / ".headlights"
"""In a clone `runs/`; of an installed package, whose own folder may not be written to, a folder of the user's."""
