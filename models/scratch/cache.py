"""The key/value cache: keys and values of tokens once read do not change, so a decoder keeps them while it writes.

A causal mask makes it so: no token sees a later one. Only the new token needs a query (Shazeer 2019, 1911.02150).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor


class AttentionCache:
    """The keys and values [b, n_heads, n_tokens, d_head] that one attention has read so far.

    Grouped ones (Ainslie et al. 2023) are kept once a group: that is what groups are for. Rotary keys come turned.
    """

    def __init__(self) -> None:
        self._kept: tuple[Tensor, Tensor] | None = None

    @property
    def n_tokens(self) -> int:
        """How many tokens have been read."""
        return 0 if self._kept is None else self._kept[0].shape[2]

    def extended(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Keep the keys and values [b, n_heads, n_new, d_head] of new tokens; returns those of all tokens."""
        if self._kept is not None:
            key = torch.cat((self._kept[0], key), dim=2)  # [b, n_heads, n_tokens, d_head]
            value = torch.cat((self._kept[1], value), dim=2)  # [b, n_heads, n_tokens, d_head]
        self._kept = key, value
        return self._kept

    def reorder(self, rows: Tensor) -> None:
        """Make the batch out of these of its rows [b_new]; one may be taken several times, or never."""
        if self._kept is not None:
            self._kept = self._kept[0][rows], self._kept[1][rows]


@dataclass(frozen=True, slots=True)
class LayerCache:
    """The two attentions of a decoder layer: over what is written, and over the source."""

    own: AttentionCache = field(default_factory=AttentionCache)
    cross: AttentionCache = field(default_factory=AttentionCache)


class KeyValueCache:
    """What a decoder has read of one batch, layer by layer. It belongs to the batch and not to the model."""

    def __init__(self, n_layers: int) -> None:
        self.layers = tuple(LayerCache() for _ in range(n_layers))

    @property
    def n_tokens(self) -> int:
        """How many tokens of the target have been read."""
        return self.layers[0].own.n_tokens

    def reorder(self, rows: Tensor) -> None:
        """Make the batch out of these of its rows [b_new], for beam search."""
        for layer in self.layers:
            layer.own.reorder(rows)
            layer.cross.reorder(rows)
