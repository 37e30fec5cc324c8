"""The one recorder, and the one place to intervene.

All attention passes `attend`: of transformers by `models.huggingface.attention_interface`, of the model from scratch by
the function that stands in `models.scratch.attention.attention_function`. That context variable holds all state of the
recorder, so nothing is stored on a module, and one cached model serves many threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import torch
from torch import Tensor

from models.recording.attention_call import AttentionCall, fused_output, output_and_weights, uniform_weights
from models.scratch.attention import attention_function, scaled_dot_product_attention
from models.values.arguments.check import check_arguments
from models.values.record import Kind

Intervention = Literal["zero", "uniform"] | Tensor
"""New weights of a head: none, the same for every visible key, or a tensor [n_query, n_key]."""
ReplaceOutput = Callable[[AttentionCall, int], Tensor | None]
"""Takes a call and its layer, and returns another output [b, n_heads, n_query, d_head], or None to keep its own."""


@dataclass(slots=True)
class _Replacement:
    """Replaces outputs, and counts the calls of each kind, because the order of the calls gives the layer.

    With `n_layers` the count begins again with every pass.
    """

    replace_output: ReplaceOutput
    next_layers: dict[Kind, int]
    n_layers: Mapping[Kind, int] | None = None

    def __call__(self, call: AttentionCall) -> Tensor | None:
        layer = self.next_layers.get(call.kind, 0)
        self.next_layers[call.kind] = layer + 1
        return self.replace_output(call, layer if self.n_layers is None else layer % self.n_layers[call.kind])


@dataclass(frozen=True, slots=True)
class _Observer:
    """Computes attention in place of the model: keeps the calls, replaces outputs, or does both."""

    calls: list[AttentionCall] | None = None
    replacement: _Replacement | None = None

    def __call__(self, *, kind: Kind, bias: Tensor | None, **arguments: Any) -> Tensor:
        """Stand in for `models.scratch.attention.scaled_dot_product_attention`."""
        is_causal = kind == "decoder" and bias is None
        return attend(AttentionCall(kind=kind, bias=bias, is_causal=is_causal, **arguments))

    def observe(self, call: AttentionCall) -> Tensor:
        """Return the output of a call [b, n_heads, n_query, d_head]."""
        if self.calls is not None:
            self.calls.append(call)
        output = None if self.replacement is None else self.replacement(call)
        return fused_output(call) if output is None else output


def attend(call: AttentionCall) -> Tensor:
    """Return the output of a call [b, n_heads, n_query, d_head]; all attention that can be recorded passes here.

    A model in half precision may have queries and keys in float32 (GPT-J): then all is computed in float32.
    """
    dtype = torch.promote_types(torch.promote_types(call.query.dtype, call.key.dtype), call.value.dtype)
    same = call.in_dtype(dtype)
    observer = attention_function.get()
    output = observer.observe(same) if isinstance(observer, _Observer) else fused_output(same)
    return output.to(call.value.dtype)


@contextmanager
def recording() -> Iterator[list[AttentionCall]]:
    """Keep every attention call made inside the block, in order. Of nested blocks, the innermost keeps them."""
    calls: list[AttentionCall] = []
    with _computing_attention(replace(_observer(), calls=calls)):
        yield calls


@contextmanager
def replacing_outputs(replace_output: ReplaceOutput, first_layers: Mapping[Kind, int] | None = None) -> Iterator[None]:
    """Replace outputs of attention in the one forward pass made inside the block.

    The first call of a kind is that of layer 0, or of its layer in `first_layers` for a pass that begins higher.
    """
    replacement = _Replacement(replace_output, dict(first_layers or {}))
    with _computing_attention(replace(_observer(), replacement=replacement)):
        yield


@contextmanager
def replacing_outputs_always(replace_output: ReplaceOutput, n_layers: Mapping[Kind, int]) -> Iterator[None]:
    """Replace outputs of attention in every pass made inside the block, even inside `suspend_observer`: while a text is
    written, token by token."""
    replacement = _Replacement(replace_output, {}, n_layers)
    with _computing_attention(replace(_observer(), replacement=replacement)):
        yield


@check_arguments
def intervening(changes: Mapping[tuple[Kind, int, int], Intervention]) -> AbstractContextManager[None]:
    """Change the weights of heads, named (kind, layer, head), in the one forward pass made inside the block."""

    def replace_output(call: AttentionCall, layer: int) -> Tensor | None:
        of_layer = {
            head: change
            for (kind, layer_of_head, head), change in changes.items()
            if (kind, layer_of_head) == (call.kind, layer)
        }
        return output_and_weights(call, partial(_change_weights, call, of_layer))[0] if of_layer else None

    return replacing_outputs(replace_output)


@contextmanager
def suspend_observer() -> Iterator[None]:
    """Neither record nor intervene inside the block: for a pass other than the one that a person looks at.

    `replacing_outputs_always` stays in force.
    """
    replacement = _observer().replacement
    lasts = replacement is not None and replacement.n_layers is not None
    with _computing_attention(_Observer(replacement=replacement) if lasts else scaled_dot_product_attention):
        yield


def is_observed() -> bool:
    """Return whether passes of this thread are recorded or changed."""
    return isinstance(attention_function.get(), _Observer)


@contextmanager
def _computing_attention(function: Callable[..., Tensor]) -> Iterator[None]:
    """Have a function compute all attention inside the block."""
    token = attention_function.set(function)
    try:
        yield
    finally:
        attention_function.reset(token)


def _observer() -> _Observer:
    """Return the observer of this thread, or one that does nothing."""
    current = attention_function.get()
    return current if isinstance(current, _Observer) else _Observer()


def _change_weights(call: AttentionCall, changes: Mapping[int, Intervention], weights: Tensor) -> Tensor:
    """Return the weights of a call [b, n_heads, n_query, n_key] with those of some heads changed."""
    changed = weights.clone()
    for head, change in changes.items():
        if isinstance(change, Tensor):
            changed[:, head] = change.to(weights)
        else:
            changed[:, head] = 0 if change == "zero" else uniform_weights(call)[:, head]
    return changed
