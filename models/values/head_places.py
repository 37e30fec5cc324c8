"""All heads of a model in the order in which they are always listed: layer by layer."""

from __future__ import annotations


def head_places(n_layers: int, n_heads: int) -> list[tuple[int, int]]:
    """(layer, head) of every head."""
    return [(layer, head) for layer in range(n_layers) for head in range(n_heads)]
