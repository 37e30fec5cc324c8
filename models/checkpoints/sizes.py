"""A configuration's sizes, checked against the shapes of the weights before anything is built.

A number of layers of a billion costs nothing to write down, and building them never ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from models.values.errors import ModelLoadError
from models.values.wording import worded

CONFIG, WEIGHTS = "config.json", "model*.safetensors"
FREE_LAYERS = 256
"""So many layers may share their weights, as ALBERT's do; more need as many tensors."""
FREE_POSITIONS = 2**24
"""Rotary positions have no weights of their own, and neither have the samples of a sound that are read at once, so
that any number could be said."""
FREE_SIZE = 1024
"""Sizes that few weights show: of kernels, of buckets."""
_LAYERS = re.compile(r"(^|_)n?_?(layers?|blocks|groups|depth)$")
_POSITIONS = re.compile(r"position|window|max_length|max_target|max_source|n_ctx|(acoustic|audio)\w*chunk")
_TABLES = re.compile(r"ngram_vocab_size")
_LAYERS_WITH_TABLES = "ple_layer_ids"
_SIZES = re.compile(r"size|dim|embd|heads?$|inner|width|channels|experts|buckets|^d_|rank")


def expect_sizes(folder: Path, name: str) -> None:
    """Raise ModelLoadError if the configuration in a folder asks for more than its weights are."""
    try:
        shapes = list(_shapes(folder))
        asked = list(_numbers(json.loads((folder / CONFIG).read_text(encoding="utf-8"))))
        sides = [max(shape) for shape in shapes if shape] or [1]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, SafetensorError):
        return  # what opens the files says what is wrong with them
    for field, value in asked if shapes else ():
        most = _most(field, sides)
        if most is not None and value > most:
            raise ModelLoadError(
                name,
                worded(
                    "{model} says {field} {value}, but its weights, {n} tensors of at most {largest} rows or columns, "
                    "do not fit that. Its files do not belong together, so choose another model.",
                    model=name,
                    field=field,
                    value=f"{value:,}",
                    n=f"{len(shapes):,}",
                    largest=f"{max(sides):,}",
                ),
            )


def _most(field: str, sides: Sequence[int]) -> int | None:
    """The most that a field may say of weights with these longest sides; None for one that is no size."""
    if _LAYERS.search(field):
        return max(FREE_LAYERS, len(sides))
    if _POSITIONS.search(field):
        return max(FREE_POSITIONS, *sides)
    if _TABLES.search(field):
        return max(FREE_SIZE, sum(sides))
    if _SIZES.search(field):
        return max(FREE_SIZE, 4 * max(sides))
    return None


def _numbers(content: Any, field: str = "") -> Iterator[tuple[str, int]]:
    """The whole numbers of a configuration, those of its parts among them, by the names of their fields; without those
    of tables that no layer has."""
    if isinstance(content, Mapping):
        is_without = not content.get(_LAYERS_WITH_TABLES, True)
        for name, value in content.items():
            if not (is_without and _TABLES.search(str(name))):
                yield from _numbers(value, str(name))
    elif type(content) is int:
        yield field, content


def _shapes(folder: Path) -> Iterator[tuple[int, ...]]:
    """The shape of every tensor, from the headers alone."""
    for file in folder.glob(WEIGHTS):
        with safe_open(file, framework="numpy") as opened:
            for name in opened.offset_keys():
                yield tuple(opened.get_slice(name).get_shape())
