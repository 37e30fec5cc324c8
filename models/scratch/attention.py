"""Attention: every token asks all tokens a question, and takes from each as much as its answer fits.

"Attention Is All You Need", section 3.2: `attention` is its equation 1 line by line, `MultiHeadAttention` its section
3.2.2. Masks are boolean, True where a token may be attended to. Grouped queries: Ainslie et al. 2023, "GQA".
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
from models.scratch.rotary import turned

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
    sinks: Tensor | None = None,
    dropout: float = 0.0,
    change: Callable[[Tensor], Tensor] | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_head) + bias) V   (equation 1; `scale` is 1 / sqrt(d_head)).

    `query` [b, n_heads, n_query, d_head], `key` and `value` [b, n_heads, n_key, d_head], `bias` broadcastable to
    [b, n_heads, n_query, n_key], see `mask_to_bias`. Gives the output [b, n_heads, n_query, d_head] and the weights.
    Three things are not in the paper: `soft_cap` bounds the scores as Gemma 2 does (2024, section 2), `sinks` take a
    part of the attention (see `left_by_sinks`), and `change` makes other weights of the weights, for somebody who
    wants to know what a head is good for.
    """
    bias, sinks = (None if given is None else in_dtype(given, query.dtype) for given in (bias, sinks))
    scores = query @ key.transpose(-2, -1)  # [b, n_heads, n_query, n_key]
    scores = scores * scale  # [b, n_heads, n_query, n_key]
    if soft_cap is not None:
        scores = torch.tanh(scores / soft_cap) * soft_cap  # [b, n_heads, n_query, n_key]
    if bias is not None:
        scores = scores + bias  # [b, n_heads, n_query, n_key], minus infinity where a query may not look
    weights = scores.softmax(dim=-1)  # [b, n_heads, n_query, n_key], every row sums to 1
    if sinks is not None:
        weights = weights * left_by_sinks(scores, sinks)  # [b, n_heads, n_query, n_key], rows sum to less than 1
    if change is not None:
        weights = change(weights)  # [b, n_heads, n_query, n_key]
    kept = functional.dropout(weights, dropout)  # [b, n_heads, n_query, n_key], all of them except in training
    return kept @ value, weights  # [b, n_heads, n_query, d_head], [b, n_heads, n_query, n_key]


def left_by_sinks(scores: Tensor, sinks: Tensor) -> Tensor:
    """What attention sinks leave to the tokens: 1 - exp(sink_i) / (exp(sink_i) + sum over k of exp(scores_ik)).

    `scores` [b, n_heads, n_query, n_key], `sinks` broadcastable to [b, n_heads, n_query, 1] as the output. The logit of
    a sink stands in the denominator of the softmax alone, so that its share goes to no token: a head with nothing to
    look for can look at nothing, where others look at the first token (Xiao et al. 2023, "Efficient Streaming Language
    Models with Attention Sinks", section 3.3; OpenAI 2025, "gpt-oss-120b & gpt-oss-20b Model Card", section 2.2).
    """
    return (scores.logsumexp(dim=-1, keepdim=True) - sinks).sigmoid()  # [b, n_heads, n_query, 1]


def fused_attention(
    *,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None = None,
    is_causal: bool = False,
    scale: float,
    soft_cap: float | None = None,
    sinks: Tensor | None = None,
    dropout: float = 0.0,
) -> Tensor:
    """The output of `attention` [b, n_heads, n_query, d_head], computed by PyTorch in one kernel, which never has all
    weights in memory at once (Dao et al. 2022, "FlashAttention"). It knows no soft cap: that is done line by line.

    With `is_causal` no query sees what comes after it, as if `causal_mask` were in the bias: a whole text needs no mask
    in memory for that.
    """
    n_query, n_key = query.shape[2], key.shape[2]
    needs_mask = bias is not None or soft_cap is not None or sinks is not None or n_query != n_key
    if is_causal and needs_mask:
        bias, is_causal = with_future_hidden(bias, n_query, n_key, device=query.device), False
    if soft_cap is not None:
        return attention(
            query=query, key=key, value=value, bias=bias, scale=scale, soft_cap=soft_cap, sinks=sinks, dropout=dropout
        )[0]  # fmt: skip
    bias = None if bias is None else in_dtype(bias, query.dtype)  # [b, n_heads, n_query, n_key]
    if sinks is not None:
        sinks = in_dtype(sinks, query.dtype) / scale  # [b, n_heads, n_query, 1]
        query, key, value, bias = _with_sink_as_key(query=query, key=key, value=value, bias=bias, sinks=sinks)
    mixed = functional.scaled_dot_product_attention(
        query, key, value, attn_mask=bias, is_causal=is_causal, dropout_p=dropout, scale=scale
    )  # [b, n_heads, n_query, d_head]
    return mixed if sinks is None else mixed[..., :-1]


def _with_sink_as_key(
    *, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, sinks: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """The sink as one more key, for a kernel that knows no other: a dimension is added in which the queries have the
    logit, the sink has 1 and all others 0. Its value is 0; so is what the bias adds to it.

    Gives query [b, n_heads, n_query, d_head + 1], key and value [b, n_heads, n_key + 1, d_head + 1], and the bias.
    """
    query = torch.cat([query, sinks.expand(*query.shape[:-1], 1)], dim=-1)  # [b, n_heads, n_query, d_head + 1]
    key = functional.pad(key, (0, 1, 0, 1))  # [b, n_heads, n_key + 1, d_head + 1]
    key[..., -1, -1] = 1
    value = functional.pad(value, (0, 1, 0, 1))  # [b, n_heads, n_key + 1, d_head + 1]
    if bias is not None:
        bias = functional.pad(bias.expand(*bias.shape[:-1], key.shape[2] - 1), (0, 1))  # [..., n_query, n_key + 1]
    return query, key, value, bias


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
        is_causal: bool,
        scale: float,
        soft_cap: float | None,
        sinks: Tensor | None,
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
    is_causal: bool = False,
    scale: float,
    soft_cap: float | None = None,
    sinks: Tensor | None = None,
    dropout: float = 0.0,
) -> Tensor:
    """Equation 1, as every layer computes it; arguments and output as `fused_attention`.

    This is the choke point: all attention passes here, so that whoever stands in `attends_instead` sees all of it.
    """
    bias = None if bias is None else in_dtype(bias, query.dtype)
    sinks = None if sinks is None else in_dtype(sinks, query.dtype)
    instead = attends_instead.get()
    if instead is not None:
        return instead(
            kind=kind, query=query, key=key, value=value, bias=bias, is_causal=is_causal, scale=scale,
            soft_cap=soft_cap, sinks=sinks, dropout=dropout,
        )  # fmt: skip
    return fused_attention(
        query=query, key=key, value=value, bias=bias, is_causal=is_causal, scale=scale, soft_cap=soft_cap,
        sinks=sinks, dropout=dropout,
    )  # fmt: skip


def mask_to_bias(mask: Tensor) -> Tensor:
    """What a boolean mask adds to the scores: 0 where it is True, minus infinity where it is False.

    Minus infinity, and not a large negative number: exp(-inf) is exactly 0, so a hidden token keeps no weight at all.
    """
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -math.inf)


def in_dtype(bias: Tensor, dtype: torch.dtype) -> Tensor:
    """A bias in the numbers of the queries beside which it stands. The lowest number of the one type, which some models
    write for minus infinity, becomes the lowest of the other; minus infinity stays what it is."""
    if bias.dtype == dtype or not bias.is_floating_point():
        return bias
    lowest, highest = torch.finfo(dtype).min, torch.finfo(dtype).max
    own = torch.finfo(bias.dtype).min
    clamped = bias.clamp(min=lowest, max=highest) if highest < -own else bias
    finite = clamped.to(dtype).masked_fill(bias <= own / 2, lowest)
    return finite.masked_fill(bias == -math.inf, -math.inf)


def causal_mask(n_query: int, n_key: int, *, device: torch.device | None = None) -> Tensor:
    """Whether a query may see a key [n_query, n_key]: itself and what stands before it (section 3.2.3).

    The queries are the last `n_query` of the `n_key` positions.
    """
    return torch.ones(n_query, n_key, dtype=torch.bool, device=device).tril(diagonal=n_key - n_query)


def with_future_hidden(
    bias: Tensor | None, n_query: int, n_key: int, *, device: torch.device | None = None
) -> Tensor | None:
    """A bias, or none, to which a causal mask is added [..., n_query, n_key]; the last of all tokens sees everything,
    so that a single query needs no mask."""
    if n_query == 1:
        return bias
    future = mask_to_bias(causal_mask(n_query, n_key, device=device))[None, None]  # [1, 1, n_query, n_key]
    return future if bias is None else bias + in_dtype(future, bias.dtype)


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
        """Every token of `x` [b, n_query, d_model] attends to every token that `bias` lets it see; in a decoder, if no
        bias says otherwise, to itself and those before it.

        It looks at `x` itself, or in cross attention at `memory` [b, n_key, d_model], the encoder's output; and at the
        tokens whose keys and values are in the `cache`, which come first. Rotary positions come as `angles`
        [n_query, d_head / 2].
        """
        read = x if memory is None else memory  # [b, n_key, d_model]
        query = self._split(self.query(x))  # [b, n_heads, n_query, d_head]
        key, value = self._split(self.key(read)), self._split(self.value(read))  # [b, n_groups, n_key, d_head]
        if angles is not None:
            query, key = turned(query, angles), turned(key, angles)
        if cache is not None:
            key, value = cache.extended(key, value)  # [b, n_groups, n_cached + n_key, d_head]
        key, value = self._shared(key), self._shared(value)  # [b, n_heads, n_cached + n_key, d_head]
        mixed = scaled_dot_product_attention(
            kind=self.kind, query=query, key=key, value=value, bias=bias,
            is_causal=self.kind == "decoder" and bias is None, scale=self.d_head**-0.5,
            dropout=self.dropout if self.training else 0.0,
        )  # [b, n_heads, n_query, d_head]  # fmt: skip
        merged: Tensor = self.output(self._merge(mixed))  # [b, n_query, d_model]
        return merged

    def _split(self, x: Tensor) -> Tensor:
        """[b, n_tokens, n * d_head] -> [b, n, n_tokens, d_head]"""
        b, n_tokens, d = x.shape
        return x.view(b, n_tokens, d // self.d_head, self.d_head).transpose(1, 2)

    def _shared(self, x: Tensor) -> Tensor:
        """What the heads of a group share, for each of them: [b, n_groups, n, d_head] -> [b, n_heads, n, d_head]"""
        return x if self.n_groups == self.n_heads else x.repeat_interleave(self.n_heads // self.n_groups, dim=1)

    def _merge(self, x: Tensor) -> Tensor:
        """[b, n_heads, n_tokens, d_head] -> [b, n_tokens, d_model]"""
        return x.transpose(1, 2).flatten(start_dim=2)
