"""The decoder: it reads the text so far, looks at the source, and predicts the next token.

"Attention Is All You Need", section 3.1 and figure 1, right. Without a source it is GPT (Radford et al. 2018, 2019).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.scratch.attention import MultiHeadAttention, causal_mask, mask_to_bias
from models.scratch.cache import AttentionCache, KeyValueCache, LayerCache
from models.scratch.config import TransformerConfig
from models.scratch.encoder import Embeddings, StackOutput
from models.scratch.layers import feed_forward, norm


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The text that cross attention looks at: the encoder's output [b, n_source, d_model], and where it is padding.

    `mask` [b, n_source] is True for tokens and False for padding; None if there is no padding.
    """

    states: Tensor
    mask: Tensor | None = None

    @property
    def bias(self) -> Tensor | None:
        """The mask as a number to add to the scores [b, 1, 1, n_source]."""
        return None if self.mask is None else mask_to_bias(self.mask)[:, None, None, :]


class CrossAttention(nn.Module):
    """Encoder-decoder attention: queries from the decoder, keys and values from the encoder (section 3.2.3)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.pre_norm = config.norm == "pre"
        self.attention = MultiHeadAttention(config, kind="cross")
        self.norm = norm(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, x: Tensor, states: Tensor, bias: Tensor | None = None, cache: AttentionCache | None = None
    ) -> Tensor:
        """The whole sub-layer, with its residual connection and norm: [b, n_tokens, d_model] -> the same.

        `states` [b, n_source, d_model] are the encoder's output; all layers share them and the `bias`. With a cache
        the source is read once, at the first step: later there is nothing new in it.
        """
        unread = states if cache is None else states[:, cache.n_tokens :]  # [b, n_source or 0, d_model]
        if self.pre_norm:
            attended: Tensor = x + self.dropout(self.attention(self.norm(x), bias, memory=unread, cache=cache))
        else:
            attended = self.norm(x + self.dropout(self.attention(x, bias, memory=unread, cache=cache)))
        return attended  # [b, n_tokens, d_model]


class DecoderLayer(nn.Module):
    """An encoder layer whose tokens see no later token, with cross attention between its two sub-layers.

    post-LN (Vaswani):       x = norm(x + sublayer(x))
    pre-LN (Xiong, GPT-2):   x = x + sublayer(norm(x))
    """

    def __init__(self, config: TransformerConfig, *, with_cross: bool) -> None:
        super().__init__()
        self.pre_norm = config.norm == "pre"
        self.attention = MultiHeadAttention(config, kind="decoder")
        self.attention_norm = norm(config)
        self.cross = CrossAttention(config) if with_cross else None
        self.feed_forward = feed_forward(config)
        self.feed_forward_norm = norm(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        x: Tensor,
        bias: Tensor | None,
        *,
        states: Tensor | None = None,
        source_bias: Tensor | None = None,
        cache: LayerCache | None = None,
        angles: Tensor | None = None,
    ) -> Tensor:
        """[b, n_tokens, d_model] -> [b, n_tokens, d_model]; `states` [b, n_source, d_model] for cross attention,
        `angles` as in MultiHeadAttention."""
        own, cross = (None, None) if cache is None else (cache.own, cache.cross)
        if self.pre_norm:
            x = x + self.dropout(self.attention(self.attention_norm(x), bias, angles=angles, cache=own))
        else:
            x = self.attention_norm(x + self.dropout(self.attention(x, bias, angles=angles, cache=own)))
        if self.cross is not None:
            x = self.cross(x, states, source_bias, cross)  # [b, n_tokens, d_model]
        if self.pre_norm:
            x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))  # [b, n_tokens, d_model]
        else:
            x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))  # [b, n_tokens, d_model]
        return x


class Decoder(nn.Module):
    """Embeddings and n_layers decoder layers; `with_cross` makes it the right half of figure 1, without it is GPT."""

    def __init__(self, config: TransformerConfig, *, with_cross: bool) -> None:
        super().__init__()
        self.config = config
        self.with_cross = with_cross
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(DecoderLayer(config, with_cross=with_cross) for _ in range(config.n_layers))
        self.final_norm = norm(config) if config.norms_output else nn.Identity()

    def forward(
        self,
        input_ids: Tensor,
        mask: Tensor | None = None,
        source: Source | None = None,
        cache: KeyValueCache | None = None,
        position_ids: Tensor | None = None,
    ) -> StackOutput:
        """Read ids [b, n_tokens], each token seeing itself and those before it, those in the cache among them.

        `mask` [b, n_cached + n_tokens] is False for padding, which stands at the end; position ids [n_tokens] count on
        by default. Raises ValueError for more tokens than positions, for a missing source, and for one too many.
        """
        self._check_source(source)
        n_cached = 0 if cache is None else cache.n_tokens
        counted_ids = self._count_positions(input_ids, n_cached)  # [n_tokens]
        position_ids = counted_ids if position_ids is None else position_ids  # [n_tokens]
        x = self.embeddings(input_ids, position_ids=position_ids)  # [b, n_tokens, d_model]
        angles = self.embeddings.angles(position_ids)  # [n_tokens, d_head / 2]
        bias = None if mask is None else _causal_bias(x, n_cached, mask)  # [b, 1, n_tokens, n_cached + n_tokens]
        states, source_bias = (None, None) if source is None else (source.states, source.bias)
        hidden_states = [x]
        caches = (None,) * len(self.layers) if cache is None else cache.layers
        for layer, layer_cache in zip(self.layers, caches, strict=True):
            x = layer(x, bias, states=states, source_bias=source_bias, cache=layer_cache, angles=angles)  # as above
            hidden_states.append(x)
        return StackOutput(last=self.final_norm(x), hidden_states=tuple(hidden_states))

    def _count_positions(self, input_ids: Tensor, n_cached: int) -> Tensor:
        """Return the position ids [n_tokens] of tokens that follow n_cached others."""
        n_tokens, max_tokens = n_cached + input_ids.shape[1], self.config.max_tokens
        if n_tokens > max_tokens:
            raise ValueError(f"{n_tokens} tokens were given, but this model has {max_tokens} positions.")
        return torch.arange(n_cached, n_tokens, device=input_ids.device)

    def _check_source(self, source: Source | None) -> None:
        if self.with_cross and source is None:
            raise ValueError("no source was given, but this decoder has cross attention.")
        if source is not None and not self.with_cross:
            raise ValueError("a source was given, but this decoder has no cross attention.")


def _causal_bias(x: Tensor, n_cached: int, mask: Tensor) -> Tensor:
    """Return the bias that hides the future, and padding, from every token of `x` [b, n_tokens, d_model]."""
    n_tokens = x.shape[1]
    visible = causal_mask(n_tokens, n_cached + n_tokens, device=x.device)[None, None]  # [1, 1, n_tokens, n_key]
    return mask_to_bias(visible & mask[:, None, None, :])
