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
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import sdpa_mask

from models.recording.attention_call import AttentionCall, cast_bias
from models.recording.recorder import attend
from models.values.errors import UnsupportedModelError
from models.values.record import Kind
from models.values.wording import worded

IMPLEMENTATION = "headlight"
SUMS_KEPT = 2
"""One for the attention of a decoder to itself and one for cross attention, which take turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """The model whose forward pass this thread is in, and the kind of attention of each of its modules, by id()."""

    name: str
    kinds: Mapping[int, Kind]
    sums: deque[tuple[Tensor, Tensor, Tensor]] = field(default_factory=lambda: deque(maxlen=SUMS_KEPT))
    """Position biases, masks and their sums: T5 gives all its layers the same two."""
    converted: deque[tuple[Tensor, Tensor]] = field(default_factory=lambda: deque(maxlen=2 * SUMS_KEPT))
    """Biases of another type than the queries, beside the same in the type of these."""


class _Choice(NamedTuple):
    """The only keys, or the only blocks of keys, that queries see, where they choose some before they look."""

    keys: Tensor | None
    blocks: Tensor | None
    position_ids: Tensor | None


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
    s_aux: Tensor | None = None,
    sinks: Tensor | None = None,
    indices: Tensor | None = None,
    block_indices: Tensor | None = None,
    position_ids: Tensor | None = None,
    **_: object,
) -> tuple[Tensor, None]:
    """Compute attention, called by transformers: query [b, n_heads, n_query, d_head], key and value [b, n_kv_heads,
    n_key, d_head] -> output [b, n_query, n_heads, d_head].

    `s_aux` [n_heads] are the logits of attention sinks, one a head, or `sinks` [b, n_heads, n_query, 1], one a query;
    `indices` [b, n_query, n_chosen] the only keys that a query may see, or `block_indices` [b, n_groups, n_query,
    n_chosen] the only blocks of keys. Raises UnsupportedModelError if the module does not say where the blocks are.
    """
    causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
    bias = _bias(query, key, attention_mask, position_bias, is_causal=causal)
    call = AttentionCall(
        kind=_kind_of(module, is_causal=causal),
        query=query,
        key=_repeat_heads(key, query.shape[1]),  # [b, n_heads, n_key, d_head]
        value=_repeat_heads(value, query.shape[1]),  # [b, n_heads, n_key, d_head]
        bias=_hide_unchosen(bias, module, query, key, _Choice(indices, block_indices, position_ids)),
        scale=query.shape[-1] ** -0.5 if scaling is None else float(scaling),
        soft_cap=softcap,
        sinks=sinks if s_aux is None else s_aux.view(1, -1, 1, 1),
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


def _kind_of(module: nn.Module, *, is_causal: bool) -> Kind:
    now = _running.get()
    kind = None if now is None else now.kinds.get(id(module))
    return kind or ("decoder" if is_causal else "encoder")


def _repeat_heads(heads: Tensor, n_heads: int) -> Tensor:
    """Grouped heads [b, n_kv_heads, n, d_head] -> [b, n_heads, n, d_head] (Ainslie et al. 2023, "GQA")."""
    n_repeats = n_heads // heads.shape[1]
    return heads if n_repeats == 1 else heads.repeat_interleave(n_repeats, dim=1)


def _bias(
    query: Tensor, key: Tensor, mask: Tensor | None, position_bias: Tensor | None, *, is_causal: bool
) -> Tensor | None:
    """Mask and position bias in one, broadcastable to [b, n_heads, n_query, n_key]; None if there is neither."""
    mask, position_bias = _beside(query, mask), _beside(query, position_bias)
    n_query, n_key = query.shape[2], key.shape[2]
    if mask is None and is_causal and n_query > 1:
        mask = torch.ones(n_query, n_key, dtype=torch.bool, device=query.device).tril()[None, None]
    if mask is not None and mask.dtype == torch.bool:
        mask = _as_bias(mask, query.dtype)  # [b, 1, n_query, n_key]
    if position_bias is None or mask is None:
        return mask if position_bias is None else position_bias
    return _sum_of(position_bias, mask)


def _beside(query: Tensor, bias: Tensor | None) -> Tensor | None:
    """A mask or a bias in the numbers of the queries, one for all layers that are given the same."""
    if bias is None or bias.dtype in {query.dtype, torch.bool}:
        return bias
    now = _running.get()
    known = deque[tuple[Tensor, Tensor]]() if now is None else now.converted
    converted_bias = next((same for given, same in known if given is bias and same.dtype == query.dtype), None)
    if converted_bias is None:
        converted_bias = cast_bias(bias, query.dtype)
        known.append((bias, converted_bias))
    return converted_bias


def _hide_unchosen(
    bias: Tensor | None, module: nn.Module, query: Tensor, key: Tensor, choice: _Choice
) -> Tensor | None:
    """The bias with the keys hidden that queries have not chosen, where they choose some."""
    if choice.keys is not None:
        bias = _with_hidden(bias, _not_chosen(choice.keys, key.shape[2]), query.dtype)
    if choice.blocks is not None:
        positions = choice.position_ids
        outside = _outside_blocks(module, choice.blocks, query=query, key=key, bias=bias, position_ids=positions)
        bias = _with_hidden(bias, outside, query.dtype)
    return bias


def _not_chosen(chosen: Tensor, n_key: int) -> Tensor:
    """Which keys are hidden [b, 1, n_query, n_key] where each query has chosen some before it looks: DeepSeek-AI 2025,
    "DeepSeek-V3.2", section 2.1."""
    hidden = torch.ones(*chosen.shape[:-1], n_key, dtype=torch.bool, device=chosen.device)  # [b, n_query, n_key]
    return hidden.scatter(-1, chosen.long(), False)[:, None]  # [b, 1, n_query, n_key]


def _outside_blocks(
    module: nn.Module, chosen: Tensor, *, query: Tensor, key: Tensor, bias: Tensor | None, position_ids: Tensor | None
) -> Tensor:
    """Which keys are hidden [b, n_heads, n_query, n_key] where queries choose blocks of them (MiniMax M3): the module
    itself says which keys are in a block. Raises UnsupportedModelError if it does not."""
    mask_of = getattr(getattr(module, "indexer", None), "build_block_mask", None)
    if mask_of is None:
        raise _unknown_blocks(module)
    visible = None if bias is None else torch.isfinite(bias)  # [b, 1, n_query, n_key]
    mask: Tensor = mask_of(chosen, visible, key.shape[2], query.dtype, query.device, position_ids)
    return mask < 0


def _unknown_blocks(module: nn.Module) -> UnsupportedModelError:
    now = _running.get()
    name = type(module).__name__ if now is None else now.name
    return UnsupportedModelError(
        name,
        worded(
            "The attention of {model} chooses blocks of keys and does not say which keys are in a block, so it cannot "
            "be recorded. Choose another model, such as BERT, GPT-2 or Llama.",
            model=name,
        ),
    )


def _with_hidden(bias: Tensor | None, hidden: Tensor, dtype: torch.dtype) -> Tensor | None:
    """The bias with more keys hidden; itself where all of these are hidden already, so that layers can share it."""
    if bias is None:
        return _as_bias(~hidden, dtype) if bool(hidden.any()) else None
    return bias.masked_fill(hidden, -torch.inf) if bool((hidden & torch.isfinite(bias)).any()) else bias


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
