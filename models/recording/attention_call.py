"""One call of attention, and how its output and its weights are computed.

`models.scratch.attention` holds equation 1 of "Attention Is All You Need" alone; what later models add to it is here.
Soft caps: Gemma Team 2024, "Gemma 2", section 2. Sinks: Xiao et al. 2023, "Efficient Streaming Language Models with
Attention Sinks", section 3.3; OpenAI 2025, "gpt-oss-120b & gpt-oss-20b Model Card", section 2.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional

from models.scratch.attention import causal_mask, mask_to_bias
from models.values.record import Kind


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionCall:
    """The arguments of one call of attention, with the dimension of the batch.

    query [b, n_heads, n_query, d_head], key and value [b, n_heads, n_key, d_head], bias broadcastable to
    [b, n_heads, n_query, n_key] or None; `is_causal` hides the future as well, without a mask in memory. `sinks` are
    the logits of attention sinks, broadcastable to [b, n_heads, n_query, 1], or None. `dropout` is for training alone.
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
        """All that is added to the scores, a causal mask included; None if nothing is."""
        n_query, n_key = self.query.shape[2], self.key.shape[2]
        if not self.is_causal or n_query == 1:  # a single query is that of the last token, which sees everything
            return self.bias
        future = mask_to_bias(causal_mask(n_query, n_key, device=self.query.device))[None, None]
        future = future.to(self.query.dtype)  # [1, 1, n_query, n_key]
        return future if self.bias is None else self.bias + future

    def in_dtype(self, dtype: torch.dtype) -> AttentionCall:
        """Return the same call with all of its tensors in one type of numbers."""
        return replace(
            self,
            query=self.query.to(dtype),
            key=self.key.to(dtype),
            value=self.value.to(dtype),
            bias=None if self.bias is None else cast_bias(self.bias, dtype),
            sinks=None if self.sinks is None else cast_bias(self.sinks, dtype),
        )


def output_and_weights(call: AttentionCall, change: Callable[[Tensor], Tensor] | None = None) -> tuple[Tensor, Tensor]:
    """Compute a call line by line, with a `change` of its weights if one is given.

    Returns the output [b, n_heads, n_query, d_head] and the weights [b, n_heads, n_query, n_key].
    """
    scores = call.query @ call.key.transpose(-2, -1) * call.scale  # [b, n_heads, n_query, n_key]
    if call.soft_cap is not None:
        scores = cap_scores(scores, call.soft_cap)  # [b, n_heads, n_query, n_key]
    bias = call.whole_bias
    if bias is not None:
        scores = scores + bias  # [b, n_heads, n_query, n_key]
    weights = scores.softmax(dim=-1)  # [b, n_heads, n_query, n_key], every row sums to 1
    if call.sinks is not None:
        weights = weights * share_beside_sinks(scores, call.sinks)  # rows sum to less than 1
    if change is not None:
        weights = change(weights)  # [b, n_heads, n_query, n_key]
    return functional.dropout(weights, call.dropout) @ call.value, weights


def cap_scores(scores: Tensor, soft_cap: float) -> Tensor:
    """Bound scores between -soft_cap and soft_cap, smoothly (Gemma Team 2024, "Gemma 2", section 2)."""
    return torch.tanh(scores / soft_cap) * soft_cap


def share_beside_sinks(scores: Tensor, sinks: Tensor) -> Tensor:
    """Return what attention sinks leave to the tokens: 1 - exp(sink_i) / (exp(sink_i) + sum over k of exp(scores_ik)).

    `scores` [b, n_heads, n_query, n_key], `sinks` broadcastable to [b, n_heads, n_query, 1], the shape of the result.
    The logit of a sink stands in the denominator of the softmax alone, so that its share goes to no token: a head that
    finds nothing to look for need not look at the first token (Xiao et al. 2023, section 3.3).
    """
    return (scores.logsumexp(dim=-1, keepdim=True) - sinks).sigmoid()  # [b, n_heads, n_query, 1]


def fused_output(call: AttentionCall) -> Tensor:
    """Compute the output of a call [b, n_heads, n_query, d_head] in one kernel of PyTorch.

    The kernel never has all weights in memory at once (Dao et al. 2022, "FlashAttention"). It knows no soft cap, so a
    call with one is computed line by line.
    """
    if call.soft_cap is not None:
        return output_and_weights(call)[0]
    if call.sinks is not None:
        return fused_output(_sinks_as_keys(call, call.sinks))[..., :-1]
    if call.is_causal and (call.bias is not None or call.query.shape[2] != call.key.shape[2]):
        call = replace(call, bias=call.whole_bias, is_causal=False)
    return functional.scaled_dot_product_attention(
        call.query, call.key, call.value, call.bias, call.dropout, call.is_causal, scale=call.scale
    )


def _sinks_as_keys(call: AttentionCall, sinks: Tensor) -> AttentionCall:
    """Write the sink of every head as one more key, for a kernel that knows no sinks.

    A dimension is added in which the queries have the logit, the sink has 1 and all other keys 0. The sink's value is
    0, and so is its bias.
    """
    logits = (sinks / call.scale).expand(*call.query.shape[:-1], 1)  # [b, n_heads, n_query, 1]
    key = functional.pad(call.key, (0, 1, 0, 1))  # [b, n_heads, n_key + 1, d_head + 1]
    key[..., -1, -1] = 1
    bias = call.whole_bias
    if bias is not None:
        bias = functional.pad(bias.expand(*bias.shape[:-1], call.key.shape[2]), (0, 1))  # [..., n_query, n_key + 1]
    return replace(
        call,
        query=torch.cat([call.query, logits], dim=-1),  # [b, n_heads, n_query, d_head + 1]
        key=key,
        value=functional.pad(call.value, (0, 1, 0, 1)),  # [b, n_heads, n_key + 1, d_head + 1]
        bias=bias,
        is_causal=False,
        sinks=None,
    )


def uniform_weights(call: AttentionCall) -> Tensor:
    """Return the weights of queries that look at all keys they may see alike [b, n_heads, n_query, n_key].

    A sink keeps the share that it takes now.
    """
    b, n_heads, n_query, _ = call.query.shape
    shape = (b, n_heads, n_query, call.key.shape[2])
    bias = call.whole_bias
    bias = call.query.new_zeros(shape) if bias is None else bias.expand(shape)
    visible = torch.isfinite(bias).to(call.query)  # [b, n_heads, n_query, n_key]
    weights = visible / visible.sum(dim=-1, keepdim=True).clamp(min=1)  # [b, n_heads, n_query, n_key]
    return weights if call.sinks is None else weights * output_and_weights(call)[1].sum(dim=-1, keepdim=True)


def cast_bias(bias: Tensor, dtype: torch.dtype) -> Tensor:
    """Convert a bias to another type of numbers.

    The lowest number of a type, which some models write for minus infinity, becomes the lowest of the other; minus
    infinity stays what it is.
    """
    if bias.dtype == dtype or not bias.is_floating_point():
        return bias
    old_lowest = torch.finfo(bias.dtype).min
    lowest, highest = torch.finfo(dtype).min, torch.finfo(dtype).max
    clamped = bias.clamp(min=lowest, max=highest) if highest < -old_lowest else bias
    finite = clamped.to(dtype).masked_fill(bias <= old_lowest / 2, lowest)
    return finite.masked_fill(bias == -math.inf, -math.inf)
