"""A stranger's file of attention, within bounds: of its bytes, its heads, its tokens and their texts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.values.errors import RecordError
from models.values.record import Recording
from models.values.wording import worded
from viz.given.files import read_attention_bytes
from viz.given.recording import recording_of_file

MOST_BYTES = 32_000_000
"""Of all arrays of a file, unpacked."""
MOST_HEADS, MOST_TOKENS, MOST_LETTERS = 4096, 4096, 400
"""Heads of all layers, tokens of an axis, letters of a token or of the name of a model."""


def recording_of_strangers_file(content: bytes, name: str) -> Recording:
    """Return the recording of what is in a file that somebody hands over. Raises RecordError, in a sentence to read,
    for any file that cannot be shown."""
    file = read_attention_bytes(content, name=name, most=MOST_BYTES)
    longest = max((len(text) for texts in file.tokens.values() for text in texts), default=0)
    if longest > MOST_LETTERS or len(file.model) > MOST_LETTERS:
        raise RecordError(
            worded(
                "{name} has a token of {n} letters, more than can be shown ({most}).",
                name=name,
                n=longest,
                most=MOST_LETTERS,
            )
        )
    arrays = _arrays(file.attention)
    n_heads = sum(math.prod(array.shape[:-2]) for array in arrays)
    n_tokens = max(side for array in arrays for side in array.shape[-2:])
    if n_heads > MOST_HEADS or n_tokens > MOST_TOKENS:
        raise RecordError(
            worded(
                "{name} has {heads} heads and {tokens} tokens, more than can be shown here ({most_heads} and "
                "{most_tokens}). Keep fewer layers, or a shorter text.",
                name=name,
                heads=n_heads,
                tokens=n_tokens,
                most_heads=MOST_HEADS,
                most_tokens=MOST_TOKENS,
            )
        )
    return recording_of_file(file)


def _arrays(attention: Any) -> tuple[NDArray[Any], ...]:
    """Return the arrays of a file that may be attention."""
    if isinstance(attention, np.ndarray):
        return (attention,)
    return tuple(attention.values() if isinstance(attention, Mapping) else attention)
