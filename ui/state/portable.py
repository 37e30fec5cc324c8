"""The models that travel in a page that reads: embedded ones with an LM head, their weights in 8 bits."""

from __future__ import annotations

from functools import cache, lru_cache

from models.checkpoints import eight_bits
from models.opening.registry import embedded_folder, is_embedded
from models.values.errors import MissingCapabilityError
from models.values.record.portable import PortableModel
from models.values.wording import worded


@cache
def is_portable(name: str) -> bool:
    """Return whether a model can travel in a page."""
    folder = embedded_folder(name) if is_embedded(name) else None
    return folder is not None and eight_bits.is_portable(folder)


@lru_cache(maxsize=2)
def portable_model(name: str) -> PortableModel:
    """Return a model that can travel. Raises MissingCapabilityError for any other."""
    folder = embedded_folder(name) if is_portable(name) else None
    if folder is None:
        raise MissingCapabilityError(name, worded("This model cannot be put into a page that reads by itself."))
    return eight_bits.portable_model(folder, name)
