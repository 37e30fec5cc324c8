"""The one recorder, and the one place to intervene.

Every attention of ours, scratch or Hugging Face, passes `models.scratch.attention.scaled_dot_product_attention`. While
`recording()` is open in this thread, its calls are kept; while `intervening()` is open, the heads it names are changed,
and while `altering()` is, whatever somebody else puts in their place. The state lives in a ContextVar: nothing is
stored on a module, so one cached model serves many threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from models.scratch.attention import (
    attends_instead,
    attention,
    fused_attention,
    in_dtype,
    scaled_dot_product_attention,
    with_future_hidden,
)
from models.values.arguments.check import check_arguments
from models.values.record import Kind

Intervention = Literal["zero", "uniform"] | Tensor
"""What a head's weights become: nothing, the same for every visible key, or a tensor [n_query, n_key]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionCall:
    """The arguments of one call, batch dimension kept.

    query [b, n_heads, n_query, d_head], key and value [b, n_heads, n_key, d_head], bias broadcastable to
    [b, n_heads, n_query, n_key] or None; `is_causal` hides the future as well, without a mask in memory. `sinks` are
    the logits of attention sinks, broadcastable to [b, n_heads, n_query, 1], or None. `dropout` is for training alone,
    and never part of a recording.
    """

    kind: Kind
    query: Tensor
    key: Tensor
    value: Tensor
    bias: Tensor | None
    scale: float
    is_causal: bool = False
    soft_cap: float | None = None
    sinks: Tensor | None = None
    dropout: float = 0.0

    @property
    def whole_bias(self) -> Tensor | None:
        """All that is added to the scores, a causal mask among it; None if nothing is."""
        if not self.is_causal:
            return self.bias
        n_query, n_key = self.query.shape[2], self.key.shape[2]
        return with_future_hidden(self.bias, n_query, n_key, device=self.query.device)


Instead = Callable[[AttentionCall, int], Tensor | None]
"""Gives what stands in place of the output of a call [b, n_heads, n_query, d_head], which is that of a layer; None for
one that stays as it is."""


class _Alterations:
    """What is put in the place of outputs, and how many calls of each kind have passed: the layer is the order of the
    calls. With `n_layers` it goes on through every pass."""

    def __init__(
        self, instead: Instead, first_layers: Mapping[Kind, int], n_layers: Mapping[Kind, int] | None = None
    ) -> None:
        self.instead = instead
        self.passed = dict(first_layers)
        self.n_layers = n_layers

    def __call__(self, call: AttentionCall) -> Tensor | None:
        layer = self.passed.get(call.kind, 0)
        self.passed[call.kind] = layer + 1
        return self.instead(call, layer if self.n_layers is None else layer % self.n_layers[call.kind])


@dataclass(frozen=True, slots=True)
class _Observer:
    """Computes attention in place of the fused kernel: keeps the calls, alters what is to be altered, or both."""

    calls: list[AttentionCall] | None = None
    alterations: _Alterations | None = None

    def __call__(
        self, *, kind: Kind, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, is_causal: bool,
        scale: float, soft_cap: float | None, sinks: Tensor | None, dropout: float,
    ) -> Tensor:  # fmt: skip
        """As `models.scratch.attention.Attend`."""
        call = AttentionCall(
            kind=kind, query=query, key=key, value=value, bias=bias, is_causal=is_causal, scale=scale,
            soft_cap=soft_cap, sinks=sinks, dropout=dropout,
        )  # fmt: skip
        if self.calls is not None:
            self.calls.append(call)
        altered = None if self.alterations is None else self.alterations(call)
        return fused(call) if altered is None else altered


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
def altering(instead: Instead, first_layers: Mapping[Kind, int] | None = None) -> Iterator[None]:
    """Put something in the place of outputs, in the one forward pass made inside the block. The first call of a kind is
    that of layer 0, or of its layer in `first_layers`, where the pass begins higher."""
    token = attends_instead.set(replace(_observer(), alterations=_Alterations(instead, first_layers or {})))
    try:
        yield
    finally:
        attends_instead.reset(token)


@contextmanager
def altering_always(instead: Instead, n_layers: Mapping[Kind, int]) -> Iterator[None]:
    """Put something in the place of outputs in every pass made inside the block, also where nobody else may alter
    anything: while a text is written, token by token."""
    token = attends_instead.set(replace(_observer(), alterations=_Alterations(instead, {}, n_layers)))
    try:
        yield
    finally:
        attends_instead.reset(token)


@check_arguments
def intervening(changes: Mapping[tuple[Kind, int, int], Intervention]) -> AbstractContextManager[None]:
    """Change the weights of heads, named (kind, layer, head), in the one forward pass made inside the block."""

    def instead(call: AttentionCall, layer: int) -> Tensor | None:
        of_layer = {head: change for (kind, at, head), change in changes.items() if (kind, at) == (call.kind, layer)}
        return written_out(call, partial(_changed, call=call, changes=of_layer))[0] if of_layer else None

    return altering(instead)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Neither record nor intervene inside the block: for a pass that is not the one a person looks at. What is altered
    always stays altered."""
    alterations = _observer().alterations
    lasts = alterations is not None and alterations.n_layers is not None
    token = attends_instead.set(_Observer(alterations=alterations) if lasts else None)
    try:
        yield
    finally:
        attends_instead.reset(token)


def is_observed() -> bool:
    """Whether anybody records or alters passes of this thread."""
    return attends_instead.get() is not None


def _observer() -> _Observer:
    """Who observes this thread already; one who does nothing if there is nobody."""
    now = attends_instead.get()
    return now if isinstance(now, _Observer) else _Observer()


def attend(call: AttentionCall) -> Tensor:
    """The output of a call [b, n_heads, n_query, d_head], by way of the choke point of all attention. A model in half
    precision may have queries and keys in float32, for its scores alone (GPT-J): then all is computed in float32."""
    dtype = torch.promote_types(torch.promote_types(call.query.dtype, call.key.dtype), call.value.dtype)
    output = scaled_dot_product_attention(
        kind=call.kind, query=call.query.to(dtype), key=call.key.to(dtype), value=call.value.to(dtype), bias=call.bias,
        is_causal=call.is_causal, scale=call.scale, soft_cap=call.soft_cap, sinks=call.sinks, dropout=call.dropout,
    )  # fmt: skip
    return output.to(call.value.dtype)


def beside(query: Tensor, bias: Tensor) -> Tensor:
    """A bias in the numbers of the queries that it stands beside."""
    return in_dtype(bias, query.dtype)


def explicit_weights(call: AttentionCall) -> Tensor:
    """The weights of a call [b, n_heads, n_query, n_key], by the lines of the equation."""
    return written_out(call)[1]


def written_out(call: AttentionCall, change: Callable[[Tensor], Tensor] | None = None) -> tuple[Tensor, Tensor]:
    """The output and the weights of a call, line by line, after a `change` of the weights."""
    return attention(
        query=call.query, key=call.key, value=call.value, bias=call.whole_bias, scale=call.scale,
        soft_cap=call.soft_cap, sinks=call.sinks, dropout=call.dropout, change=change,
    )  # fmt: skip


def fused(call: AttentionCall) -> Tensor:
    """The output of a call, in one kernel."""
    return fused_attention(
        query=call.query, key=call.key, value=call.value, bias=call.bias, is_causal=call.is_causal,
        scale=call.scale, soft_cap=call.soft_cap, sinks=call.sinks, dropout=call.dropout,
    )  # fmt: skip


def evenly(call: AttentionCall) -> Tensor:
    """The weights of a call if every query looked at all that it may see alike [b, n_heads, n_query, n_key].

    What a sink takes stays with it: the tokens share what they have now.
    """
    b, n_heads, n_query, _ = call.query.shape
    shape = (b, n_heads, n_query, call.key.shape[2])
    bias = call.whole_bias
    bias = call.query.new_zeros(shape) if bias is None else bias.expand(shape)
    visible = torch.isfinite(bias).to(call.query)  # [b, n_heads, n_query, n_key]
    alike = visible / visible.sum(dim=-1, keepdim=True).clamp(min=1)  # [b, n_heads, n_query, n_key]
    return alike if call.sinks is None else alike * explicit_weights(call).sum(dim=-1, keepdim=True)


def _changed(weights: Tensor, *, call: AttentionCall, changes: Mapping[int, Intervention]) -> Tensor:
    changed = weights.clone()
    for head, change in changes.items():
        if isinstance(change, Tensor):
            changed[:, head] = change.to(weights)
        else:
            changed[:, head] = 0 if change == "zero" else evenly(call)[:, head]
    return changed
