"""Transformers whose attention is recorded: `load` a model, `record` a text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.opening.registry import load

# Read when huggingface_hub is imported, so it stands before everything: nothing is told to anybody.
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

__all__ = ["load"]


def __getattr__(name: str) -> object:
    """Import torch and transformers when a model is asked for, not when a picture reads `models.values.record`."""
    if name == "load":
        from models.opening.registry import load

        return load
    raise AttributeError(f"module 'models' has no attribute {name!r}")
