"""Copies of a model whose layers are called by way of somebody else, who may keep what passes, change it or leave the
layer out: a pass that begins at a layer takes what the layers below it gave before.

What a body does around its layers (masks, rotary angles, position biases) it does as always.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

from torch import Tensor, nn

from models.recording.recorder import recording
from models.recording.watched_copy import InsteadOfForward, Module, with_twins

Own = Callable[..., Any]
"""The layer itself, to be called with what it is given."""
Through = Callable[[int, Own, tuple[Any, ...], dict[str, Any]], Any]
"""Is told the number of a layer, the layer, and its arguments, and gives what the layer is to give."""


def with_layer_calls(model: Module, stacks: Sequence[tuple[Sequence[str], Through]]) -> Module:
    """A copy for one pass whose layers, named stack by stack, are called by way of the `Through` beside them. The layer
    is the order of the calls, so that one module may be all layers of a stack (ALBERT)."""
    changes: dict[str, Callable[[nn.Module], None]] = {}
    for names, through in stacks:
        passed = count()
        changes |= dict.fromkeys(names, partial(_call_through, through=through, passed=passed))
    return with_twins(model, changes)


def _call_through(module: nn.Module, *, through: Through, passed: count[int]) -> None:
    def call(own: Own, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return through(next(passed), own, args, kwargs)

    InsteadOfForward(module=module, through=call).put_on(module)


def calling_blocks(body: nn.Module, blocks: Sequence[str], run: Callable[[nn.Module], object]) -> tuple[int, ...]:
    """In which of the blocks each call of attention is made, in the order of the calls; empty if not all blocks run,
    one after the other. `run` takes a copy of the body through a text."""
    n_calls = list[int]()

    def counting(_number: int, own: Own, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        gave = own(*args, **kwargs)
        n_calls.append(len(calls))
        return gave

    with recording() as calls:
        run(with_layer_calls(body, [(blocks, counting)]))
    if len(n_calls) != len(blocks):
        return ()
    made = zip([0, *n_calls[:-1]], n_calls, strict=True)
    return tuple(number for number, (before, after) in enumerate(made) for _ in range(before, after))


def first_tensor(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Tensor:
    """The first tensor that a layer is given, or gives: its hidden states. Raises TypeError if there is none."""
    for value in (*args, *kwargs.values()):
        found = value[0] if isinstance(value, tuple) and value else value
        if isinstance(found, Tensor) and found.dim() == 3:
            return found
    raise TypeError("a layer passed no hidden states [b, n_tokens, d_model].")


def with_first_tensor(
    args: tuple[Any, ...], kwargs: Mapping[str, Any], new: Tensor
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The same arguments with other hidden states."""
    old = first_tensor(args, kwargs)

    def exchanged(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(exchanged, value))
        return new if value is old else value

    return tuple(map(exchanged, args)), {name: exchanged(value) for name, value in kwargs.items()}


def for_rows(gave: Any, n_rows: int) -> Any:
    """What a layer gave for a batch of one, for a batch of the same text `n_rows` times: views, no copies."""
    if isinstance(gave, tuple):
        return tuple(for_rows(each, n_rows) for each in gave)
    if isinstance(gave, Tensor) and gave.dim() and len(gave) == 1:
        return gave.expand(n_rows, *gave.shape[1:])
    return gave
