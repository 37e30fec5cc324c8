"""The one recorder, and the one place to intervene.

Every attention of ours, scratch or Hugging Face, passes `models.scratch.attention.scaled_dot_product_attention`. While
`recording()` is open in this thread, its calls are kept; while `intervening()` is open, the heads it names are changed.
The state lives in a ContextVar: nothing is stored on a module, so one cached model serves many threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from models.scratch.attention import attends_instead, attention, fused_attention, scaled_dot_product_attention
from models.values.record import Kind

Intervention = Literal["zero", "uniform"] | Tensor
"""What a head's weights become: nothing, the same for every visible key, or a tensor [n_query, n_key]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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

    def __init__(self, changes: Mapping[tuple[Kind, int, int], Intervention]) -> None:
        self.changes = changes
        self.passed: dict[Kind, int] = {}

    def next_layer(self, kind: Kind) -> dict[int, Intervention]:
        layer = self.passed.get(kind, 0)
        self.passed[kind] = layer + 1
        return {head: change for (of, at, head), change in self.changes.items() if of == kind and at == layer}


@dataclass(frozen=True, slots=True)
class _Observer:
    """Computes attention in place of the fused kernel: keeps the calls, changes what is to be changed, or both."""

    calls: list[AttentionCall] | None = None
    intervention: _Intervention | None = None

    def __call__(
        self, *, kind: Kind, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float,
        soft_cap: float | None, dropout: float,
    ) -> Tensor:  # fmt: skip
        """As `models.scratch.attention.Attend`; `dropout` is for training alone, and never part of a recording."""
        call = AttentionCall(
            kind=kind, query=query, key=key, value=value, bias=bias, scale=scale, soft_cap=soft_cap
        )  # fmt: skip
        if self.calls is not None:
            self.calls.append(call)
        changes = {} if self.intervention is None else self.intervention.next_layer(kind)
        if changes:
            return _written_out(call, dropout=dropout, changes=changes)[0]
        return fused_attention(
            query=query, key=key, value=value, bias=bias, scale=scale, soft_cap=soft_cap, dropout=dropout
        )


@contextmanager
def recording() -> Iterator[list[AttentionCall]]:
    """Keep every attention call made inside the block, in order. Blocks may nest: the innermost one keeps."""
    calls: list[AttentionCall] = []
    token = attends_instead.set(replace(_observer(), calls=calls))
    try:
        yield calls
    finally:
        attends_instead.reset(token)


@contextmanager
def intervening(changes: Mapping[tuple[Kind, int, int], Intervention]) -> Iterator[None]:
    """Change the weights of heads, named (kind, layer, head), in the one forward pass made inside the block."""
    token = attends_instead.set(replace(_observer(), intervention=_Intervention(changes)))
    try:
        yield
    finally:
        attends_instead.reset(token)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Neither record nor intervene inside the block: for a pass that is not the one a person looks at."""
    token = attends_instead.set(None)
    try:
        yield
    finally:
        attends_instead.reset(token)


def _observer() -> _Observer:
    """Who observes this thread already; one who does nothing if there is nobody."""
    now = attends_instead.get()
    return now if isinstance(now, _Observer) else _Observer()


def attend(call: AttentionCall, *, dropout: float = 0.0) -> Tensor:
    """The output of a call [b, n_heads, n_query, d_head], by way of the choke point of all attention."""
    return scaled_dot_product_attention(
        kind=call.kind, query=call.query, key=call.key, value=call.value, bias=call.bias, scale=call.scale,
        soft_cap=call.soft_cap, dropout=dropout,
    )  # fmt: skip


def explicit_weights(call: AttentionCall) -> Tensor:
    """The weights of a call [b, n_heads, n_query, n_key], by the lines of the equation."""
    return _written_out(call)[1]


def _written_out(
    call: AttentionCall, *, dropout: float = 0.0, changes: Mapping[int, Intervention] | None = None
) -> tuple[Tensor, Tensor]:
    """The output and the weights of a call, those of some heads changed."""
    return attention(
        query=call.query, key=call.key, value=call.value, bias=call.bias, scale=call.scale, soft_cap=call.soft_cap,
        dropout=dropout, change=partial(_changed, call=call, changes=changes) if changes else None,
    )  # fmt: skip


def _changed(weights: Tensor, *, call: AttentionCall, changes: Mapping[int, Intervention]) -> Tensor:
    changed = weights.clone()
    for head, change in changes.items():
        if isinstance(change, Tensor):
            changed[:, head] = change.to(weights)
        elif change == "zero":
            changed[:, head] = 0
        else:
            visible = torch.isfinite(_bias_of(call, weights)[:, head]).to(weights)  # [b, n_query, n_key]
            changed[:, head] = visible / visible.sum(dim=-1, keepdim=True).clamp(min=1)
    return changed


def _bias_of(call: AttentionCall, weights: Tensor) -> Tensor:
    return torch.zeros_like(weights) if call.bias is None else call.bias.expand_as(weights)
