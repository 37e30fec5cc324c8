"""Transformers whose attention is recorded: `load` a model, `record` a text. docs/library.md says what is public."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.model import Model
    from models.opening.registry import load
    from models.values.errors import (
        ArgumentError,
        DeviceError,
        DeviceMemoryError,
        HeadlightError,
        MissingCapabilityError,
        ModelError,
        ModelLoadError,
        ModelNotFoundError,
        RecordError,
        SelectionError,
        TextError,
        UnsupportedModelError,
    )
    from models.values.record import AttentionRecord, ModelInfo, Recording, Token
    from models.values.writing import Writing

# Read when huggingface_hub and Ray are imported, so it stands before everything: nothing is told to anybody.
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

__all__ = [
    "ArgumentError",
    "AttentionRecord",
    "DeviceError",
    "DeviceMemoryError",
    "HeadlightError",
    "MissingCapabilityError",
    "Model",
    "ModelError",
    "ModelInfo",
    "ModelLoadError",
    "ModelNotFoundError",
    "RecordError",
    "Recording",
    "SelectionError",
    "TextError",
    "Token",
    "UnsupportedModelError",
    "Writing",
    "load",
]
_HOMES = {
    "load": "models.opening.registry",
    "Model": "models.model",
    "AttentionRecord": "models.values.record",
    "ModelInfo": "models.values.record",
    "Recording": "models.values.record",
    "Token": "models.values.record",
    "Writing": "models.values.writing",
}
"""Where a public name lives; the errors, which are not here, live together."""


def __getattr__(name: str) -> object:
    """Import torch and transformers when a model is asked for, not when a picture reads `models.values.record`."""
    if name not in __all__:
        raise AttributeError(f"module 'models' has no attribute {name!r}")
    member: object = vars(import_module(_HOMES.get(name, "models.values.errors")))[name]
    return member
