"""Attention: every token asks all tokens a question, and takes from each as much as its answer fits.

"Attention Is All You Need", section 3.2. Masks are boolean, True where a token may be attended to.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from models.recording.recorder import AttentionCall, attend
from models.scratch.cache import AttentionCache
from models.scratch.config import TransformerConfig
from models.values.record import Kind


def scaled_dot_product_attention(
    *, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float, kind: Kind = "encoder",
    dropout: float = 0.0,
) -> Tensor:  # fmt: skip
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_head) + bias) V   (equation 1; `scale` is 1 / sqrt(d_head)).

    `query` [b, n_heads, n_query, d_head], `key` and `value` [b, n_heads, n_key, d_head], `bias` broadcastable to
    [b, n_heads, n_query, n_key]. Returns [b, n_heads, n_query, d_head]. This is the choke point of the scratch
    transformer: the call is reported to the recorder, which computes it with PyTorch's fused kernel.
    """
    call = AttentionCall(kind=kind, query=query, key=key, value=value, bias=bias, scale=scale)
    return attend(call, dropout=dropout)


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
            query=query, key=key, value=value, bias=bias, scale=query.shape[-1] ** -0.5, kind=self.kind,
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
