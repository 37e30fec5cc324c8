"""Headlight's attention inside transformers: one attention function and one mask builder, under one name.

Both are needed. For a name without a mask builder transformers builds no mask at all, and causal and padding masks
silently vanish. Masks come from the library's own boolean builder, so windows, padding and causality are its business;
we write them as numbers to add, minus infinity where a query may not look.
https://huggingface.co/docs/transformers/attention_interface
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import sdpa_mask

from models.recording.recorder import AttentionCall, attend
from models.values.errors import UnsupportedModelError
from models.values.record import Kind
from models.values.wording import worded

IMPLEMENTATION = "headlight"
SUMS_KEPT = 2
"""One for the attention of a decoder to itself and one for cross attention, which take turns."""
OTHER_MATHEMATICS = ("s_aux", "sinks", "indices", "block_indices")
"""Arguments with which a softmax is no longer softmax(scale * q @ k.T + bias): attention sinks, sparse keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """The model whose forward pass this thread is in, and the kind of attention of each of its modules, by id()."""

    name: str
    kinds: Mapping[int, Kind]
    sums: deque[tuple[Tensor, Tensor, Tensor]] = field(default_factory=lambda: deque(maxlen=SUMS_KEPT))
    """Position biases, masks and their sums: T5 gives all its layers the same two."""


_running: ContextVar[_Running | None] = ContextVar("headlight_running", default=None)


@contextmanager
def running(name: str, kinds: Mapping[int, Kind]) -> Iterator[None]:
    """Tell the attention function which model runs inside the block."""
    token = _running.set(_Running(name=name, kinds=kinds))
    try:
        yield
    finally:
        _running.reset(token)


def headlight_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    scaling: float | None = None,
    dropout: float = 0.0,
    is_causal: bool | None = None,
    position_bias: Tensor | None = None,
    softcap: float | None = None,
    **others: object,
) -> tuple[Tensor, None]:
    """What transformers calls: query [b, n_heads, n_query, d_head], key and value [b, n_kv_heads, n_key, d_head].

    Gives the output [b, n_query, n_heads, d_head]. Raises UnsupportedModelError for attention that is no plain softmax.
    """
    _refuse_other_mathematics(module, others)
    n_repeats = query.shape[1] // key.shape[1]
    causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
    call = AttentionCall(
        kind=_kind_of(module, is_causal=causal),
        query=query,
        key=_repeated(key, n_repeats),  # [b, n_heads, n_key, d_head]
        value=_repeated(value, n_repeats),  # [b, n_heads, n_key, d_head]
        bias=_bias(query, key, attention_mask, position_bias, is_causal=causal),
        scale=query.shape[-1] ** -0.5 if scaling is None else float(scaling),
        soft_cap=softcap,
        dropout=dropout,
    )
    return attend(call).transpose(1, 2).contiguous(), None  # [b, n_query, n_heads, d_head]


def headlight_mask(*, dtype: torch.dtype = torch.float32, **arguments: Any) -> Tensor | None:
    """The mask as a bias [b, 1, n_query, n_key], built once for all layers; None if every query may look everywhere."""
    arguments["allow_is_causal_skip"] = False  # otherwise every layer would have to build its own causal mask
    visible = sdpa_mask(**arguments)  # [b, 1, n_query, n_key], True = may attend
    return None if visible is None else _as_bias(_seeing(visible), dtype)


def _seeing(visible: Tensor) -> Tensor:
    """The same where several texts share a pass, with all in sight of a padded query that saw nothing, because no token
    of its text is in its window: a softmax over nothing is not a number, and 0 times that is none either."""
    return visible if visible.shape[0] == 1 else visible | ~visible.any(dim=-1, keepdim=True)


def _refuse_other_mathematics(module: nn.Module, others: Mapping[str, object]) -> None:
    for argument in OTHER_MATHEMATICS:
        if others.get(argument) is not None:
            now = _running.get()
            name = type(module).__name__ if now is None else now.name
            raise UnsupportedModelError(
                name,
                worded(
                    "The attention of {model} is not a plain softmax over its keys (it uses {argument}), so it cannot "
                    "be recorded. Choose another model, such as BERT, GPT-2 or Llama.",
                    model=name,
                    argument=repr(argument),
                ),
            )


def _kind_of(module: nn.Module, *, is_causal: bool) -> Kind:
    now = _running.get()
    kind = None if now is None else now.kinds.get(id(module))
    return kind or ("decoder" if is_causal else "encoder")


def _repeated(heads: Tensor, n_repeats: int) -> Tensor:
    """Grouped heads [b, n_kv_heads, n, d_head] -> [b, n_heads, n, d_head] (Ainslie et al. 2023, "GQA")."""
    return heads if n_repeats == 1 else heads.repeat_interleave(n_repeats, dim=1)


def _bias(
    query: Tensor, key: Tensor, mask: Tensor | None, position_bias: Tensor | None, *, is_causal: bool
) -> Tensor | None:
    """Mask and position bias in one, broadcastable to [b, n_heads, n_query, n_key]; None if there is neither."""
    n_query, n_key = query.shape[2], key.shape[2]
    if mask is None and is_causal and n_query > 1:
        mask = torch.ones(n_query, n_key, dtype=torch.bool, device=query.device).tril()[None, None]
    if mask is not None and mask.dtype == torch.bool:
        mask = _as_bias(mask, query.dtype)  # [b, 1, n_query, n_key]
    if position_bias is None or mask is None:
        return mask if position_bias is None else position_bias
    return _sum_of(position_bias, mask)


def _sum_of(position_bias: Tensor, mask: Tensor) -> Tensor:
    """The sum [b, n_heads, n_query, n_key], one for all layers that are given the same two: it can be large."""
    now = _running.get()
    known = deque[tuple[Tensor, Tensor, Tensor]]() if now is None else now.sums
    total = next((total for one, other, total in known if one is position_bias and other is mask), None)
    if total is None:
        total = position_bias + mask
        known.append((position_bias, mask, total))
    return total


def _as_bias(visible: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.zeros(visible.shape, dtype=dtype, device=visible.device).masked_fill_(~visible, -torch.inf)


AttentionInterface.register(IMPLEMENTATION, headlight_attention)
AttentionMaskInterface.register(IMPLEMENTATION, headlight_mask)
