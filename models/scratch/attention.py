"""Attention: every token asks all tokens a question, and takes from each as much as its answer fits.

"Attention Is All You Need", section 3.2: `attention` is its equation 1 line by line, `MultiHeadAttention` its section
3.2.2. Masks are boolean, True where a token may be attended to.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from typing import Literal, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.scratch.cache import AttentionCache
from models.scratch.config import TransformerConfig

Kind = Literal["encoder", "decoder", "cross"]
"""The three uses of attention in section 3.2.3: of the encoder, of the decoder, and of the decoder to the encoder."""


def attention(
    *,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None = None,
    scale: float,
    soft_cap: float | None = None,
    dropout: float = 0.0,
    change: Callable[[Tensor], Tensor] | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_head) + bias) V   (equation 1; `scale` is 1 / sqrt(d_head)).

    `query` [b, n_heads, n_query, d_head], `key` and `value` [b, n_heads, n_key, d_head], `bias` broadcastable to
    [b, n_heads, n_query, n_key], see `mask_to_bias`. Gives the output [b, n_heads, n_query, d_head] and the weights.
    Two lines are not in the paper: `soft_cap` bounds the scores as Gemma 2 does (2024, section 2), and `change` makes
    other weights of the weights, for somebody who wants to know what a head is good for.
    """
    scores = query @ key.transpose(-2, -1)  # [b, n_heads, n_query, n_key]
    scores = scores * scale  # [b, n_heads, n_query, n_key]
    if soft_cap is not None:
        scores = torch.tanh(scores / soft_cap) * soft_cap  # [b, n_heads, n_query, n_key]
    if bias is not None:
        scores = scores + bias  # [b, n_heads, n_query, n_key], minus infinity where a query may not look
    weights = scores.softmax(dim=-1)  # [b, n_heads, n_query, n_key], every row sums to 1
    if change is not None:
        weights = change(weights)  # [b, n_heads, n_query, n_key]
    kept = functional.dropout(weights, dropout)  # [b, n_heads, n_query, n_key], all of them except in training
    return kept @ value, weights  # [b, n_heads, n_query, d_head], [b, n_heads, n_query, n_key]


def fused_attention(
    *,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None = None,
    scale: float,
    soft_cap: float | None = None,
    dropout: float = 0.0,
) -> Tensor:
    """The output of `attention` [b, n_heads, n_query, d_head], computed by PyTorch in one kernel, which never has all
    weights in memory at once (Dao et al. 2022, "FlashAttention"). It knows no soft cap: that is done line by line."""
    if soft_cap is not None:
        return attention(query=query, key=key, value=value, bias=bias, scale=scale, soft_cap=soft_cap, dropout=dropout)[
            0
        ]
    return functional.scaled_dot_product_attention(query, key, value, attn_mask=bias, dropout_p=dropout, scale=scale)


class Attend(Protocol):
    """What computes attention; arguments and output as `fused_attention`, and the kind of attention that asks."""

    def __call__(
        self,
        *,
        kind: Kind,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        bias: Tensor | None,
        scale: float,
        soft_cap: float | None,
        dropout: float,
    ) -> Tensor: ...


attends_instead: ContextVar[Attend | None] = ContextVar("headlight_attends_instead", default=None)
"""Who computes the attention of this thread in place of the fused kernel; usually nobody. A recorder sets it."""


def scaled_dot_product_attention(
    *,
    kind: Kind = "encoder",
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    scale: float,
    soft_cap: float | None = None,
    dropout: float = 0.0,
) -> Tensor:
    """Equation 1, as every layer computes it; arguments and output as `fused_attention`.

    This is the choke point: all attention passes here, so that whoever stands in `attends_instead` sees all of it.
    """
    instead = attends_instead.get()
    if instead is not None:
        return instead(
            kind=kind, query=query, key=key, value=value, bias=bias, scale=scale, soft_cap=soft_cap, dropout=dropout
        )
    return fused_attention(
        query=query, key=key, value=value, bias=bias, scale=scale, soft_cap=soft_cap, dropout=dropout
    )


def mask_to_bias(mask: Tensor) -> Tensor:
    """What a boolean mask adds to the scores: 0 where it is True, minus infinity where it is False.

    Minus infinity, and not a large negative number: exp(-inf) is exactly 0, so a hidden token keeps no weight at all.
    """
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -math.inf)


def causal_mask(n_query: int, n_key: int, *, device: torch.device | None = None) -> Tensor:
    """Whether a query may see a key [n_query, n_key]: itself and what stands before it (section 3.2.3).

    The queries are the last `n_query` of the `n_key` positions.
    """
    return torch.ones(n_query, n_key, dtype=torch.bool, device=device).tril(diagonal=n_key - n_query)


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_0, ..., head_h) W_O   (section 3.2.2).

    The heads share one matrix per projection: head h owns the rows h * d_head to (h + 1) * d_head of W_Q, W_K, W_V.
    """

    def __init__(self, config: TransformerConfig, kind: Kind = "encoder") -> None:
        super().__init__()
        self.kind: Kind = kind
        self.n_heads = config.n_heads
        self.dropout = config.dropout
        self.query = nn.Linear(config.d_model, config.d_model)  # W_Q
        self.key = nn.Linear(config.d_model, config.d_model)  # W_K
        self.value = nn.Linear(config.d_model, config.d_model)  # W_V
        self.output = nn.Linear(config.d_model, config.d_model)  # W_O

    def forward(
        self,
        x: Tensor,
        bias: Tensor | None = None,
        *,
        memory: Tensor | None = None,
        cache: AttentionCache | None = None,
    ) -> Tensor:
        """Every token of `x` [b, n_query, d_model] attends to every token that `bias` lets it see.

        It looks at `x` itself, or in cross attention at `memory` [b, n_key, d_model], the encoder's output; and at the
        tokens whose keys and values are in the `cache`, which come first.
        """
        read = x if memory is None else memory  # [b, n_key, d_model]
        query = self._split(self.query(x))  # [b, n_heads, n_query, d_head]
        key, value = self._split(self.key(read)), self._split(self.value(read))  # [b, n_heads, n_key, d_head]
        if cache is not None:
            key, value = cache.extended(key, value)  # [b, n_heads, n_cached + n_key, d_head]
        mixed = scaled_dot_product_attention(
            kind=self.kind, query=query, key=key, value=value, bias=bias, scale=query.shape[-1] ** -0.5,
            dropout=self.dropout if self.training else 0.0,
        )  # [b, n_heads, n_query, d_head]  # fmt: skip
        merged: Tensor = self.output(self._merge(mixed))  # [b, n_query, d_model]
        return merged

    def _split(self, x: Tensor) -> Tensor:
        """[b, n_tokens, d_model] -> [b, n_heads, n_tokens, d_head]"""
        b, n_tokens, d_model = x.shape
        return x.view(b, n_tokens, self.n_heads, d_model // self.n_heads).transpose(1, 2)

    def _merge(self, x: Tensor) -> Tensor:
        """[b, n_heads, n_tokens, d_head] -> [b, n_tokens, d_model]"""
        return x.transpose(1, 2).flatten(start_dim=2)
