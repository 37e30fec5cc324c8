"""Token ids as configurations give them."""

from __future__ import annotations

from typing import Any


def ids_of(given: Any) -> frozenset[int]:
    """One id, several, or none, as a set."""
    if given is None:
        return frozenset()
    return frozenset(int(each) for each in (given if isinstance(given, list | tuple) else [given]))
