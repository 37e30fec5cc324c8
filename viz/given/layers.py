"""The layers of attention that somebody has, whatever axes it came with: [n_heads, n_query, n_key] for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.values.errors import RecordError, SelectionError
from models.values.record import Array
from models.values.wording import worded
from viz.given.arrays import NOT_RETURNED, is_nested_numbers, is_sequence, to_array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layers:
    """The weights of all layers of one kind, each [n_heads, n_query, n_key]; `numbers` are the model's own numbers of
    them, empty where none is left out. `is_written` says that a generation was put together step by step."""

    weights: tuple[Array, ...]
    numbers: tuple[int, ...] = ()
    is_written: bool = False

    @property
    def n_query(self) -> int:
        return int(self.weights[0].shape[1])

    @property
    def n_key(self) -> int:
        return int(self.weights[0].shape[2])

    @property
    def is_square(self) -> bool:
        return self.n_query == self.n_key

    @property
    def is_causal(self) -> bool:
        """Whether no query looks at a later key."""
        above = ~np.tri(self.n_query, self.n_key, dtype=np.bool_)
        return self.is_square and self.n_query > 1 and not any(layer[:, above].any() for layer in self.weights)


def layers_of(value: Any, *, item: int | None, name: str = "attention") -> Layers:
    """Return the layers of an array, or of a list with one array for each layer.

    An array of two axes is one head, of three the heads of a layer, of four those of layers, of five those of layers of
    a batch, or of a batch of one first; an array of a list has the axes of its layer, and may have that of a batch
    first. With `item` the axis of the batch is there: in an array of at most four axes it is the first. Raises
    RecordError for other shapes, SelectionError for an item that there is not.
    """
    if is_sequence(value) and not is_nested_numbers(value):
        return _of_list(value, item=item, name=name)
    array = to_array(value, name)
    if array.ndim == 5 and item is None and len(array) == 1:
        array = array[0]
    if array.ndim == 5:
        layers = [_of_layer(layer, item=item, name=f"{name}[{number}]") for number, layer in enumerate(array)]
    elif item is None and array.ndim == 4:
        layers = list(array)
    else:
        layers = [_of_layer(array, item=item, name=name)]
    return Layers(weights=_of_one_shape(layers, name))


def batch_item(array: Array, item: int | None, name: str) -> Array:
    """Return one text of a batch, whose axis is the first. Raises RecordError if there are several and none is
    chosen."""
    n_items = len(array)
    if item is None and n_items != 1:
        raise RecordError(
            worded(
                "{name} has the shape {shape}: a batch of {n} texts. Choose one of them, counted from 0, for instance "
                "item=0.",
                name=name,
                shape=list(array.shape),
                n=n_items,
            )
        )
    chosen = item or 0
    if not 0 <= chosen < n_items:
        raise SelectionError(
            worded(
                "item is {item}, but {name} is a batch of {n} texts: choose from 0 to {last}.",
                item=chosen,
                name=name,
                n=n_items,
                last=n_items - 1,
            )
        )
    one: Array = array[chosen]
    return one


def _of_list(values: Sequence[Any], *, item: int | None, name: str) -> Layers:
    numbers = [number for number, value in enumerate(values) if value is not None]
    if not numbers:
        raise RecordError(worded(NOT_RETURNED, name=name))
    layers = []
    for number in numbers:
        of_layer = f"{name}[{number}]"
        layers.append(layer_of(values[number], item=item, name=of_layer))
    weights = _of_one_shape(layers, name)
    return Layers(weights=weights, numbers=() if len(numbers) == len(values) else tuple(numbers))


def layer_of(value: Any, *, item: int | None, name: str) -> Array:
    """Return one layer [n_heads, n_query, n_key] of a value that may have an axis for a batch first."""
    return _of_layer(to_array(value, name), item=item, name=name)


def _of_layer(array: Array, *, item: int | None, name: str) -> Array:
    """Return a layer [n_heads, n_query, n_key]; its batch is the first axis of four, or with `item` of any number."""
    if array.ndim == 4 or (item is not None and array.ndim == 3):
        return _of_layer(batch_item(array, item, name), item=None, name=name)
    if array.ndim == 2 and item is None:
        return array[None]
    if array.ndim != 3:
        raise RecordError(_unfit_shape(array, name, has_item=item is not None))
    return array


def _unfit_shape(array: Array, name: str, *, has_item: bool) -> str:
    if has_item:
        return worded(
            "{name} has the shape {shape}, which has no axis of a batch for item=. Leave item= out.",
            name=name,
            shape=list(array.shape),
        )
    return worded(
        "{name} has the shape {shape}, expected [n_query, n_key], [n_heads, n_query, n_key] or "
        "[n_layers, n_heads, n_query, n_key], or a list with an array for each layer.",
        name=name,
        shape=list(array.shape),
    )


def _of_one_shape(layers: Sequence[Array], name: str) -> tuple[Array, ...]:
    if not layers or not layers[0].size:
        shape = list(layers[0].shape) if layers else []
        raise RecordError(
            worded(
                "{name} holds no numbers: its shape is {shape}. Give the weights of one token at least.",
                name=name,
                shape=shape,
            )
        )
    for number, layer in enumerate(layers):
        if layer.shape != layers[0].shape:
            raise RecordError(
                worded(
                    "Layer {layer} of {name} has the shape {shape}, layer 0 {first}. Give layers of one shape, or show "
                    "each by itself.",
                    layer=number,
                    name=name,
                    shape=list(layer.shape),
                    first=list(layers[0].shape),
                )
            )
    return tuple(layers)
