"""The key/value cache: a decoder that writes token by token keeps the keys and values of the tokens before.

They do not change, because the causal mask lets no token see a later one. Only the new token needs a query (Shazeer
2019, 1911.02150).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor


class AttentionCache:
    """The keys and values [b, n_heads, n_tokens, d_head] that one attention has read so far.

    Heads of a group share one entry (Ainslie et al. 2023). Rotary keys are rotated before they come here.
    """

    def __init__(self) -> None:
        self._tensors: tuple[Tensor, Tensor] | None = None

    @property
    def n_tokens(self) -> int:
        """The number of tokens read so far."""
        return 0 if self._tensors is None else self._tensors[0].shape[2]

    @property
    def n_bytes(self) -> int:
        """The bytes of its numbers: 2 n_heads n_tokens d_head of them a text."""
        return 0 if self._tensors is None else sum(tensor.nbytes for tensor in self._tensors)

    def extend(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Append the keys and values [b, n_heads, n_new, d_head] of new tokens, and return those of all tokens."""
        if self._tensors is not None:
            key = torch.cat((self._tensors[0], key), dim=2)  # [b, n_heads, n_tokens, d_head]
            value = torch.cat((self._tensors[1], value), dim=2)  # [b, n_heads, n_tokens, d_head]
        self._tensors = key, value
        return self._tensors

    def reorder(self, rows: Tensor) -> None:
        """Make a new batch of these rows [b_new] of the old one; a row may occur several times, or never."""
        if self._tensors is not None:
            self._tensors = self._tensors[0][rows], self._tensors[1][rows]


@dataclass(frozen=True, slots=True)
class LayerCache:
    """The two attentions of a decoder layer: over what is written, and over the source."""

    own: AttentionCache = field(default_factory=AttentionCache)
    cross: AttentionCache = field(default_factory=AttentionCache)


class KeyValueCache:
    """The caches of all layers of a decoder, for one batch. They belong to the batch and not to the model."""

    def __init__(self, n_layers: int) -> None:
        self.layers = tuple(LayerCache() for _ in range(n_layers))

    @property
    def n_tokens(self) -> int:
        """The number of target tokens read so far."""
        return self.layers[0].own.n_tokens

    @property
    def n_bytes(self) -> int:
        """The bytes of the keys and values of all layers."""
        return sum(layer.own.n_bytes + layer.cross.n_bytes for layer in self.layers)

    def reorder(self, rows: Tensor) -> None:
        """Make a new batch of these rows [b_new] of the old one, for beam search."""
        for layer in self.layers:
            layer.own.reorder(rows)
            layer.cross.reorder(rows)
