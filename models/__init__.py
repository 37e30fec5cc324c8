"""Transformers whose attention is recorded: `load` a model, `record` a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.registry import load

__all__ = ["load"]


def __getattr__(name: str) -> object:
    """Import torch and transformers when a model is asked for, not when a picture reads `models.record`."""
    if name == "load":
        from models.registry import load

        return load
    raise AttributeError(f"module 'models' has no attribute {name!r}")
