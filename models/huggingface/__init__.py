"""Models of transformers as ours: files, configuration, passes, recording, writing. What any model of ours shares lies
elsewhere.

What opens them is loaded when it is asked for: it brings most of transformers, two seconds of a processor, and an
embedded model needs nothing of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from models.huggingface.in_memory import open_transformers as open_transformers
    from models.huggingface.in_memory import own_tokenizer as own_tokenizer
    from models.huggingface.model import load_huggingface as load_huggingface

_ROOMS = {
    "load_huggingface": "models.huggingface.model",
    "open_transformers": "models.huggingface.in_memory",
    "own_tokenizer": "models.huggingface.in_memory",
}
__all__ = list(_ROOMS)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ROOMS[name]), name)
