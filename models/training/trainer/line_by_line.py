"""Attention as equation 1 stands, for trainings on a processor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

from models.scratch.attention import Kind, attention, attention_function, causal_mask, mask_to_bias


@contextmanager
def attending_line_by_line() -> Iterator[None]:
    """Compute attention as equation 1 stands, in place of the fused kernel: for texts of up to 512 tokens and narrow
    heads, the kernel's backward pass on a processor takes two to nine times as long (docs/performance.md)."""
    token = attention_function.set(_attend_line_by_line)
    try:
        yield
    finally:
        attention_function.reset(token)


def _attend_line_by_line(
    *,
    kind: Kind = "encoder",
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None = None,
    scale: float,
    dropout: float = 0.0,
) -> Tensor:
    if bias is None and kind == "decoder":
        bias = mask_to_bias(causal_mask(query.shape[2], key.shape[2], device=query.device))  # [n_query, n_key]
    bias = None if bias is None else bias.to(query.dtype)
    query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
    return attention(query=query, key=key, value=value, bias=bias, scale=scale, dropout=dropout)[0]
