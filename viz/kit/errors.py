"""The error of every picture, and the check that a record has queries and keys."""

from __future__ import annotations

from models.values.errors import HeadlightError, SelectionError
from models.values.record import AttentionRecord
from models.values.wording import to_say

NO_VECTORS = to_say(
    "Of this attention only its weights are recorded, without scores, queries, keys and values: either only the "
    "weights were given, or the model mixes more than queries and keys into them. Show the weights instead."
)


class PictureError(HeadlightError, ValueError):
    """This record cannot be shown in the way that was asked for."""


def expect_in_range(**places: tuple[int, int]) -> None:
    """Raise SelectionError for a layer, head or position out of range; each comes with the number that there are."""
    for name, (index, size) in places.items():
        if not 0 <= index < size:
            raise SelectionError(f"{name} {index} was asked for, but there are {name}s 0 to {size - 1} only.")


def expect_vectors(record: AttentionRecord) -> None:
    """Raise PictureError for a record of weights alone, which has no scores, queries, keys and values."""
    if not record.has_vectors:
        raise PictureError(NO_VECTORS)
