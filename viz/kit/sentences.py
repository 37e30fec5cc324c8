"""Small parts of sentences that are made from numbers: lists, counts and names of dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from viz.kit.language import shown, tr, trn

NAMED = 5
"""The most items of a list that are named."""


def join_list(parts: Iterable[object]) -> str:
    """Join parts into a list: "a", "a and b", "a, b and c"; empty for no parts."""
    *first, last = [shown(part) if isinstance(part, str) else str(part) for part in parts] or [""]
    return tr("{some} and {last}", some=", ".join(first), last=last) if first else last


def join_clauses(clauses: Iterable[str]) -> str:
    """Join clauses into one sentence as the reader's language does: "a; b"."""
    return reduce(lambda some, last: tr("{some}; {last}", some=some, last=last), clauses)


def list_dimensions(dimensions: Sequence[int], *, most: int = NAMED) -> str:
    """Return dimensions in words: "dimension 4", "dimensions 4 and 9", "dimensions 4, 9, 1, 7, 3 and 6 more"."""
    if len(dimensions) > most:
        first = ", ".join(map(str, dimensions[:most]))
        return tr("dimensions {dimensions} and {n} more", dimensions=first, n=len(dimensions) - most)
    named = join_list(dimensions)
    return trn("dimension {dimensions}", "dimensions {dimensions}", len(dimensions), dimensions=named)


def capitalise(sentence: str) -> str:
    """Return the sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]
