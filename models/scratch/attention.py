"""Attention: every token asks all tokens a question, and takes from each as much as its answer fits.

"Attention Is All You Need", section 3.2: `attention` is its equation 1 line by line, `MultiHeadAttention` its section
3.2.2. Masks are boolean, True where a token may be attended to. Grouped queries: Ainslie et al. 2023, "GQA".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.scratch.cache import AttentionCache
from models.scratch.config import TransformerConfig
from models.scratch.rotary import rotate

Kind = Literal["encoder", "decoder", "cross"]
"""The three uses of attention in section 3.2.3: of the encoder, of the decoder, and of the decoder to the encoder."""


def attention(
    *, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None = None, scale: float, dropout: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_head) + bias) V   (equation 1; `scale` is 1 / sqrt(d_head)).

    `query` [b, n_heads, n_query, d_head], `key` and `value` [b, n_heads, n_key, d_head], `bias` broadcastable to
    [b, n_heads, n_query, n_key], see `mask_to_bias`. Returns the output [b, n_heads, n_query, d_head] and the weights
    [b, n_heads, n_query, n_key]. In training, `dropout` is the share of weights that count for nothing.
    """
    scores = query @ key.transpose(-2, -1)  # [b, n_heads, n_query, n_key]
    scores = scores * scale  # [b, n_heads, n_query, n_key]
    if bias is not None:
        scores = scores + bias  # [b, n_heads, n_query, n_key], minus infinity where a query may not look
    weights = scores.softmax(dim=-1)  # [b, n_heads, n_query, n_key], every row sums to 1
    return functional.dropout(weights, dropout) @ value, weights  # [b, n_heads, n_query, d_head], and as above


def scaled_dot_product_attention(
    *,
    kind: Kind = "encoder",
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None = None,
    scale: float,
    dropout: float = 0.0,
) -> Tensor:
    """Return the output of `attention` by PyTorch's own function, which never holds all weights in memory at once.

    Without a bias, a "decoder" hides from every query the keys after it, as if `causal_mask` were in the bias.
    Dao et al. 2022, "FlashAttention".
    """
    n_query, n_key = query.shape[2], key.shape[2]
    is_causal = kind == "decoder" and bias is None
    if is_causal and 1 < n_query < n_key:  # PyTorch's own causal mask fits a whole text; one last token sees all of it
        bias = mask_to_bias(causal_mask(n_query, n_key, device=query.device))  # [n_query, n_key]
    bias = None if bias is None else bias.to(query.dtype)
    return functional.scaled_dot_product_attention(
        query, key, value, attn_mask=bias, is_causal=is_causal and n_query == n_key, dropout_p=dropout, scale=scale
    )  # [b, n_heads, n_query, d_head]


attention_function: ContextVar[Callable[..., Tensor]] = ContextVar(
    "attention_function", default=scaled_dot_product_attention
)
"""The function that computes all attention; to watch or change it, set another one that takes the same arguments."""


def mask_to_bias(mask: Tensor) -> Tensor:
    """Return what a boolean mask adds to the scores: 0 where it is True, minus infinity where it is False.

    Minus infinity, and not a large negative number: exp(-inf) is exactly 0, so a hidden token keeps no weight at all.
    """
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -math.inf)


def causal_mask(n_query: int, n_key: int, *, device: torch.device | None = None) -> Tensor:
    """Return whether a query may see a key [n_query, n_key]: itself and what stands before it (section 3.2.3).

    The queries are the last `n_query` of the `n_key` positions.
    """
    return torch.ones(n_query, n_key, dtype=torch.bool, device=device).tril(diagonal=n_key - n_query)


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_0, ..., head_h) W_O   (section 3.2.2).

    The heads share one matrix per projection: head h owns the rows h * d_head to (h + 1) * d_head of W_Q, W_K, W_V.
    With fewer heads of keys and values than of queries, W_K and W_V are so much smaller, and neighbours share: head h
    reads the keys and values of group h // (n_heads / n_groups) (Ainslie et al. 2023, section 2.2 and figure 2).
    """

    def __init__(self, config: TransformerConfig, kind: Kind = "encoder") -> None:
        super().__init__()
        self.kind: Kind = kind
        self.n_heads, self.n_groups, self.d_head = config.n_heads, config.n_groups, config.d_head
        self.dropout = config.dropout
        d_groups = config.n_groups * config.d_head
        self.query = nn.Linear(config.d_model, config.d_model, bias=config.biases)  # W_Q
        self.key = nn.Linear(config.d_model, d_groups, bias=config.biases)  # W_K
        self.value = nn.Linear(config.d_model, d_groups, bias=config.biases)  # W_V
        self.output = nn.Linear(config.d_model, config.d_model, bias=config.biases)  # W_O

    def forward(
        self,
        x: Tensor,
        bias: Tensor | None = None,
        *,
        angles: Tensor | None = None,
        memory: Tensor | None = None,
        cache: AttentionCache | None = None,
    ) -> Tensor:
        """Let every token of `x` [b, n_query, d_model] attend to every token that `bias` lets it see; in a decoder, if
        no bias says otherwise, to itself and those before it.

        It looks at `x` itself, or in cross attention at `memory` [b, n_key, d_model], the encoder's output; and at the
        tokens whose keys and values are in the `cache`, which come first. Rotary positions come as `angles`
        [n_query, d_head / 2].
        """
        read = x if memory is None else memory  # [b, n_key, d_model]
        query = self._split_heads(self.query(x))  # [b, n_heads, n_query, d_head]
        key = self._split_heads(self.key(read))  # [b, n_groups, n_key, d_head]
        value = self._split_heads(self.value(read))  # [b, n_groups, n_key, d_head]
        if angles is not None:
            query, key = rotate(query, angles), rotate(key, angles)
        if cache is not None:
            key, value = cache.extend(key, value)  # [b, n_groups, n_cached + n_key, d_head]
        key, value = self._repeat(key), self._repeat(value)  # [b, n_heads, n_cached + n_key, d_head]
        compute, dropout = attention_function.get(), self.dropout if self.training else 0.0
        mixed = compute(
            kind=self.kind, query=query, key=key, value=value, bias=bias, scale=self.d_head**-0.5, dropout=dropout
        )  # [b, n_heads, n_query, d_head]
        merged: Tensor = self.output(self._merge(mixed))  # [b, n_query, d_model]
        return merged

    def _split_heads(self, x: Tensor) -> Tensor:
        """[b, n_tokens, n * d_head] -> [b, n, n_tokens, d_head]"""
        b, n_tokens, d = x.shape
        return x.view(b, n_tokens, d // self.d_head, self.d_head).transpose(1, 2)

    def _repeat(self, x: Tensor) -> Tensor:
        """Give every head what its group shares: [b, n_groups, n, d_head] -> [b, n_heads, n, d_head]"""
        return x if self.n_groups == self.n_heads else x.repeat_interleave(self.n_heads // self.n_groups, dim=1)

    def _merge(self, x: Tensor) -> Tensor:
        """[b, n_heads, n_tokens, d_head] -> [b, n_tokens, d_model]"""
        return x.transpose(1, 2).flatten(start_dim=2)
