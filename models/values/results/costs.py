"""The costs of attention: the bytes of a key/value cache, those of the weights, and the times of written tokens.

Grouped and multi-query attention: Ainslie et al. 2023; Shazeer 2019. Latent attention: DeepSeek-AI 2024, "DeepSeek-V2",
section 2.1. Weights that are never written: Dao et al. 2022, "FlashAttention", section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.values.arguments.bounds import Count, Index
from models.values.arguments.check import check_arguments, check_fields
from models.values.errors import RecordError
from models.values.record import ModelInfo

GIGABYTE = 10**9
Sharing = Literal["multi-head", "grouped", "multi-query", "latent"]
"""How many heads share the keys and values of a token; "latent" stores one vector that all of them are made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheShape:
    """The sizes of a model's attention that decide what its cache takes.

    Latent attention stores `d_latent` numbers a layer and token in place of keys and values, and `d_rotary` more: the
    key that carries the position. `n_windowed` of the layers keep the last `window` tokens alone, and `n_sinks` of the
    first (Xiao et al. 2023, section 3.2). `source` is where the numbers are from.
    """

    name: str
    n_layers: Count
    n_heads: Count
    n_kv_heads: Count
    d_head: Count
    d_latent: Index = 0
    d_rotary: Index = 0
    window: Index = 0
    n_windowed: Index = 0
    n_sinks: Index = 0
    source: str = ""

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        if self.n_heads % self.n_kv_heads:
            raise RecordError(f"n_kv_heads is {self.n_kv_heads}, expected a divisor of n_heads, {self.n_heads}.")
        if self.n_windowed > self.n_layers or bool(self.window) != bool(self.n_windowed):
            raise RecordError(
                f"n_windowed is {self.n_windowed} with a window of {self.window}, expected both or neither, and at "
                f"most {self.n_layers} layers."
            )

    @property
    def sharing(self) -> Sharing:
        if self.d_latent:
            return "latent"
        if self.n_kv_heads == self.n_heads:
            return "multi-head"
        return "multi-query" if self.n_kv_heads == 1 else "grouped"

    @property
    def numbers_a_layer(self) -> int:
        """The numbers that one layer stores of one token: a key and a value for each key/value head, 2 n_kv d_head, or
        the latent vector and the rotated key, d_latent + d_rotary."""
        return self.d_latent + self.d_rotary if self.d_latent else 2 * self.n_kv_heads * self.d_head

    @check_arguments
    def bytes_a_token(self, bytes_a_number: Count = 2) -> int:
        """Return the bytes that all layers store of one token, while no window is full."""
        return self.n_layers * self.numbers_a_layer * bytes_a_number

    @check_arguments
    def cache_bytes(self, n_tokens: Index, bytes_a_number: Count = 2) -> int:
        """Return the bytes of the cache of one text of `n_tokens`."""
        in_window = min(n_tokens, self.window + self.n_sinks)
        kept = (self.n_layers - self.n_windowed) * n_tokens + self.n_windowed * in_window
        return kept * self.numbers_a_layer * bytes_a_number

    @check_arguments
    def weights_bytes(self, n_tokens: Index, bytes_a_number: Count = 4) -> int:
        """Return the bytes of the weights of one layer, n² a head, as eager attention writes them to memory."""
        return self.n_heads * n_tokens**2 * bytes_a_number

    @check_arguments
    def fused_bytes(self, n_tokens: Index, bytes_a_number: Count = 4) -> int:
        """Return what fused attention keeps in their place: the running maximum and sum of every row of a layer."""
        return self.n_heads * 2 * n_tokens * bytes_a_number


def shape_of(info: ModelInfo) -> CacheShape:
    """Return the shape of an open model; a window is not known of it."""
    return CacheShape(
        name=info.name, n_layers=info.n_layers, n_heads=info.n_heads, n_kv_heads=info.n_kv_heads, d_head=info.d_head
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingTimes:
    """A text that was continued in two ways at once: with a key/value cache, and reading it all again for every token.

    `tokens` are the written ones, and `texts` what stood there after each, as a person reads it. Of each token there
    are the milliseconds that it took with the cache and without, and the bytes of the cache after it. `n_prompt` tokens
    were there before. `difference` is the largest one between the logits of the two ways, relative to the largest.
    """

    info: ModelInfo
    n_prompt: Count
    tokens: tuple[str, ...]
    texts: tuple[str, ...]
    cached_ms: tuple[float, ...]
    uncached_ms: tuple[float, ...]
    cache_bytes: tuple[int, ...]
    difference: float

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        for name in ("texts", "cached_ms", "uncached_ms", "cache_bytes"):
            if len(getattr(self, name)) != len(self.tokens) or not self.tokens:
                raise RecordError(f"{name} has {len(getattr(self, name))} entries, expected one a token, at least one.")
