"""Settings of the place where Headlight runs: whether it opens the models of its list only, and where it writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

CURATED_ONLY = "HEADLIGHT_CURATED_ONLY"
YES = frozenset({"1", "true", "yes", "on"})
"""Values of a setting that mean "on", in lower case."""
_ROOT = Path(__file__).resolve().parents[2]
WRITTEN = _ROOT / "runs" if (_ROOT / "run.py").is_file() else Path.home() / ".headlights"
"""The folder for trainings, rooms and short links: of a clone `runs/`; of an installed package, whose own folder may
not be written to, one of the user's."""


def is_restricted(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether HEADLIGHT_CURATED_ONLY restricts the models."""
    return environment.get(CURATED_ONLY, "").lower() in YES
