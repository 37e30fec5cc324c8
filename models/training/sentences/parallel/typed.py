"""Sentences as people type them."""

from __future__ import annotations

import numpy as np

CARELESS = 0.3
"""The fraction of sources that begin with a small letter, and the fraction that ends without its mark: readers type
like that. The targets stay as they should be."""


def careless(source: str, chance: np.random.Generator) -> str:
    """The source as readers type it: sometimes without its capital, sometimes without its full stop."""
    if chance.random() < CARELESS:
        source = source[0].lower() + source[1:]
    if chance.random() < CARELESS:
        source = source.rstrip(".?")
    return source
