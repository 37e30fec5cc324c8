"""Copies of a model whose layers are called by a function of ours, which may keep states, change them or skip a layer.

A pass that begins at a layer takes what the layers below it gave in an earlier pass. Everything that a model does
around its layers (masks, rotary angles, position biases) stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

from torch import Tensor, nn

from models.recording.recorder import recording
from models.recording.watched_copy import Module, ReplacedForward, with_twins

Layer = Callable[..., Any]
"""The forward of a layer."""
CallLayer = Callable[[int, Layer, tuple[Any, ...], dict[str, Any]], Any]
"""Takes the number of a layer, the layer, and its arguments, and returns an output in its place."""


def with_layer_calls(model: Module, stacks: Sequence[tuple[Sequence[str], CallLayer]]) -> Module:
    """Copy a model for one pass, and have the named layers of every stack called by the `CallLayer` beside them.

    The order of the calls gives the number of the layer, so that one module may be all layers of a stack (ALBERT).
    """
    changes: dict[str, Callable[[nn.Module], None]] = {}
    for names, call_layer in stacks:
        numbers = count()
        changes |= dict.fromkeys(names, partial(_set_forward, call_layer=call_layer, numbers=numbers))
    return with_twins(model, changes)


def _set_forward(module: nn.Module, *, call_layer: CallLayer, numbers: count[int]) -> None:
    def call(layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return call_layer(next(numbers), layer, args, kwargs)

    ReplacedForward(module=module, call=call).put_on(module)


def blocks_of_calls(body: nn.Module, blocks: Sequence[str], run: Callable[[nn.Module], object]) -> tuple[int, ...]:
    """Return the number of the block that makes each call of attention, in the order of the calls.

    `run` takes a copy of the body through a text. Empty if the blocks do not all run, one after the other.
    """
    n_calls = list[int]()

    def count_calls(_number: int, layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        output = layer(*args, **kwargs)
        n_calls.append(len(calls))
        return output

    with recording() as calls:
        run(with_layer_calls(body, [(blocks, count_calls)]))
    if len(n_calls) != len(blocks):
        return ()
    bounds = zip([0, *n_calls[:-1]], n_calls, strict=True)
    return tuple(number for number, (begin, end) in enumerate(bounds) for _ in range(begin, end))


def first_tensor(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Tensor:
    """Return the hidden states among a layer's arguments, or in its output: the first tensor of three dimensions.

    Raises TypeError if there is none.
    """
    for value in (*args, *kwargs.values()):
        tensor = value[0] if isinstance(value, tuple | list) and value else value
        if isinstance(tensor, Tensor) and tensor.dim() == 3:
            return tensor
    raise TypeError("a layer passed no hidden states [b, n_tokens, d_model].")


def with_first_tensor(
    args: tuple[Any, ...], kwargs: Mapping[str, Any], new: Tensor
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the same arguments with other hidden states."""
    old = first_tensor(args, kwargs)

    def exchange(value: Any) -> Any:
        if isinstance(value, tuple | list):
            return _same_row(value, map(exchange, value))
        return new if value is old else value

    return tuple(map(exchange, args)), {name: exchange(value) for name, value in kwargs.items()}


def expand_rows(output: Any, n_rows: int) -> Any:
    """Repeat a layer's output for one text `n_rows` times: views, no copies."""
    if isinstance(output, tuple | list):
        return _same_row(output, (expand_rows(part, n_rows) for part in output))
    if isinstance(output, Tensor) and output.dim() and len(output) == 1:
        return output.expand(n_rows, *output.shape[1:])
    return output


def _same_row(like: tuple[Any, ...] | list[Any], values: Iterable[Any]) -> Any:
    """Return a tuple or list (GPT-1) of other values, with the names that its fields have (Reformer)."""
    same: Any = type(like)
    return same(*values) if hasattr(like, "_fields") else same(values)
