"""Models of transformers as ours: files, configuration, passes, recording, writing. What any model of ours shares lies
elsewhere.

What opens them is loaded when it is asked for: it brings most of transformers, two seconds of a processor, and an
embedded model needs nothing of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from models.huggingface.model import load_huggingface as load_huggingface

__all__ = ["load_huggingface"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("models.huggingface.model"), name)
