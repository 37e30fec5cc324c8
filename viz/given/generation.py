"""The attention of a generation: a tuple of steps, each a tuple of layers, put together to one matrix a head.

With a cache of keys and values, the first step reads the prompt and every later one a single token, whose row is all
that is returned. Without a cache every step returns all rows anew, and the last has them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.values.errors import RecordError
from models.values.record import Array
from models.values.wording import worded
from viz.given.arrays import is_nested_numbers, is_sequence
from viz.given.layers import Layers, layer_of


def is_generation(value: Any) -> bool:
    """Return whether a value is a sequence of steps of layers, each an array [n_batch, n_heads, n_query, n_key]."""
    is_nested = is_sequence(value) and bool(value) and is_sequence(value[0]) and not is_nested_numbers(value)
    return is_nested and all(
        is_sequence(step) and any(getattr(layer, "ndim", 0) == 4 for layer in step) for step in value
    )


def assembled_layers(steps: Sequence[Sequence[Any]], *, item: int | None, name: str, is_cross: bool) -> Layers:
    """Return the weights of all tokens that were read, row by row; layers may see as many keys as their windows are
    wide. Raises RecordError for steps that do not follow each other."""
    n_layers = len(steps[0])
    for number, step in enumerate(steps):
        if len(step) != n_layers:
            raise RecordError(
                worded(
                    "{name}[{step}] has {n} layers, {name}[0] has {first}: every step of a generation has all layers.",
                    name=name,
                    step=number,
                    n=len(step),
                    first=n_layers,
                )
            )
    place = _cross_rows if is_cross else _causal_rows
    numbers = [layer for layer in range(n_layers) if steps[0][layer] is not None]
    weights = []
    for layer in numbers:
        named = [(step[layer], f"{name}[{number}][{layer}]") for number, step in enumerate(steps)]
        blocks = [layer_of(value, item=item, name=of_step) for value, of_step in named]
        weights.append(place(blocks, name))
    own = () if len(numbers) == n_layers else tuple(numbers)
    return Layers(weights=tuple(weights), numbers=own, is_written=True)


def _new_rows(blocks: Sequence[Array], name: str) -> list[Array]:
    """Return the rows [n_heads, n_new, n_key] that each step adds: one, or all but those before without a cache."""
    rows, n_seen = [blocks[0]], blocks[0].shape[1]
    for number, block in enumerate(blocks[1:], start=1):
        n_rows = block.shape[1]
        if n_rows not in (1, n_seen + 1):
            raise RecordError(
                worded(
                    "{name}[{step}] has {n} rows, expected 1 or {all}: a step reads the one token written before it, "
                    "or without a cache the whole text.",
                    name=name,
                    step=number,
                    n=n_rows,
                    all=n_seen + 1,
                )
            )
        rows.append(block[:, -1:])
        n_seen += 1
    return rows


def _causal_rows(blocks: Sequence[Array], name: str) -> Array:
    """Return one causal matrix of a layer [n_heads, n, n].

    A cache may keep only the last keys (a window), or have room for keys still to come (a static cache).
    """
    rows = _new_rows(blocks, name)
    n = sum(block.shape[1] for block in rows)
    whole = np.zeros((blocks[0].shape[0], n, n), np.float32)
    n_seen = 0
    for block in rows:
        n_rows, n_key = block.shape[1:]
        start, n_seen = n_seen, n_seen + n_rows
        n_kept = min(n_key, n_seen)
        whole[:, start:n_seen, n_seen - n_kept : n_seen] = block[:, :, :n_kept]
    return whole


def _cross_rows(blocks: Sequence[Array], name: str) -> Array:
    """Return the rows of all steps over the same keys [n_heads, n, n_key]."""
    return np.concatenate(_new_rows(blocks, name), axis=1)
