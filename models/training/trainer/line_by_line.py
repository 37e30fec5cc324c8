"""Attention as equation 1 stands, for trainings on a processor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor

from models.scratch.attention import Kind, attends_instead, attention, with_future_hidden


@contextmanager
def attending_line_by_line() -> Iterator[None]:
    """Compute attention as equation 1 stands, in place of the fused kernel: for texts of up to 512 tokens and narrow
    heads, the kernel's backward pass on a processor takes two to nine times as long (docs/performance.md)."""
    before = attends_instead.set(_line_by_line)
    try:
        yield
    finally:
        attends_instead.reset(before)


def _line_by_line(*, kind: Kind, query: Tensor, key: Tensor, value: Tensor, **settings: Any) -> Tensor:
    del kind  # of attention; all are computed alike
    if settings.pop("is_causal"):
        settings["bias"] = with_future_hidden(settings["bias"], query.shape[2], key.shape[2], device=query.device)
    return attention(query=query.contiguous(), key=key.contiguous(), value=value.contiguous(), **settings)[0]
