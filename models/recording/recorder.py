"""The one recorder, and the one place to intervene.

Every attention function of ours, scratch or Hugging Face, hands its call to `attend`. While `recording()` is open in
this thread, the call is kept; while `intervening()` is open, the heads it names are changed. The state lives in
ContextVars: nothing is stored on a module, so one cached model serves many threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from models.values.record import Kind

Change = Literal["zero", "uniform"] | Tensor
"""What a head's weights become: nothing, the same for every visible key, or a tensor [n_query, n_key]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionCall:
    """The arguments of one call, batch dimension kept.

    query [b, n_heads, n_query, d_head], key and value [b, n_heads, n_key, d_head], bias broadcastable to
    [b, n_heads, n_query, n_key] or None.
    """

    kind: Kind
    query: Tensor
    key: Tensor
    value: Tensor
    bias: Tensor | None
    scale: float
    soft_cap: float | None = None


class _Intervention:
    """The changes asked for, and how many calls of each kind have passed: the layer is the order of the calls."""

    def __init__(self, changes: Mapping[tuple[Kind, int, int], Change]) -> None:
        self.changes = changes
        self.passed: dict[Kind, int] = {}

    def next_layer(self, kind: Kind) -> dict[int, Change]:
        layer = self.passed.get(kind, 0)
        self.passed[kind] = layer + 1
        return {head: change for (of, at, head), change in self.changes.items() if of == kind and at == layer}


_calls: ContextVar[list[AttentionCall] | None] = ContextVar("headlight_calls", default=None)
_intervention: ContextVar[_Intervention | None] = ContextVar("headlight_intervention", default=None)


@contextmanager
def recording() -> Iterator[list[AttentionCall]]:
    """Keep every attention call made inside the block, in order. Blocks may nest: the innermost one keeps."""
    calls: list[AttentionCall] = []
    token = _calls.set(calls)
    try:
        yield calls
    finally:
        _calls.reset(token)


@contextmanager
def intervening(changes: Mapping[tuple[Kind, int, int], Change]) -> Iterator[None]:
    """Change the weights of heads, named (kind, layer, head), in the one forward pass made inside the block."""
    token = _intervention.set(_Intervention(changes))
    try:
        yield
    finally:
        _intervention.reset(token)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Neither record nor intervene inside the block: for a pass that is not the one a person looks at."""
    calls, intervention = _calls.set(None), _intervention.set(None)
    try:
        yield
    finally:
        _intervention.reset(intervention)
        _calls.reset(calls)


def attend(call: AttentionCall, *, dropout: float = 0.0) -> Tensor:
    """Report the call and compute softmax(scale * q @ k.T + bias) @ v, [b, n_heads, n_query, d_head].

    Runs through PyTorch's fused kernel unless a soft cap or an intervention needs the weights themselves. `dropout`
    is for training alone, and never part of what is recorded.
    """
    calls, intervention = _calls.get(), _intervention.get()
    if calls is not None:
        calls.append(call)
    changes = intervention.next_layer(call.kind) if intervention is not None else {}
    if call.soft_cap is None and not changes:
        return functional.scaled_dot_product_attention(
            call.query, call.key, call.value, attn_mask=call.bias, dropout_p=dropout, scale=call.scale
        )
    weights = _changed(explicit_weights(call), call, changes)  # [b, n_heads, n_query, n_key]
    return functional.dropout(weights, dropout) @ call.value  # [b, n_heads, n_query, d_head]


def explicit_weights(call: AttentionCall) -> Tensor:
    """The weights [b, n_heads, n_query, n_key], written out."""
    scores = call.query @ call.key.transpose(-2, -1)  # [b, n_heads, n_query, n_key]
    scores = scores * call.scale
    if call.soft_cap is not None:
        scores = torch.tanh(scores / call.soft_cap) * call.soft_cap
    if call.bias is not None:
        scores = scores + call.bias
    return scores.softmax(dim=-1)


def _changed(weights: Tensor, call: AttentionCall, changes: Mapping[int, Change]) -> Tensor:
    weights = weights.clone() if changes else weights
    for head, change in changes.items():
        if isinstance(change, Tensor):
            weights[:, head] = change.to(weights)
        elif change == "zero":
            weights[:, head] = 0
        else:
            visible = torch.isfinite(_bias_of(call, weights)[:, head]).to(weights)  # [b, n_query, n_key]
            weights[:, head] = visible / visible.sum(dim=-1, keepdim=True).clamp(min=1)
    return weights


def _bias_of(call: AttentionCall, weights: Tensor) -> Tensor:
    return torch.zeros_like(weights) if call.bias is None else call.bias.expand_as(weights)
