"""The encoder: embeddings, then layers of self-attention and feed-forward around one residual stream.

"Attention Is All You Need", section 3.1 and figure 1, left; BERT's embeddings: Devlin et al. 2018, figure 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.scratch.attention import MultiHeadAttention, mask_to_bias
from models.scratch.config import TransformerConfig
from models.scratch.layers import feed_forward, norm
from models.scratch.positions import sinusoidal_encoding
from models.scratch.rotary import rotary_angles, rotary_frequencies


class Embeddings(nn.Module):
    """token + position + segment. A sinusoidal model scales its tokens by sqrt(d_model) first (section 3.4); a rotary
    one adds no positions here, its layers take `angles`."""

    sinusoids: Tensor
    frequencies: Tensor

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.token = nn.Embedding(config.d_vocab, config.d_model)
        if config.positions == "learned":
            self.position = nn.Embedding(config.max_tokens, config.d_model)
        elif config.positions == "sinusoidal":
            self.register_buffer("sinusoids", sinusoidal_encoding(config.max_tokens, config.d_model), persistent=False)
        else:
            turns = rotary_frequencies(config.d_head, config.rotary_base)  # [d_head / 2]
            self.register_buffer("frequencies", turns, persistent=False)
        if config.n_segments:
            self.segment = nn.Embedding(config.n_segments, config.d_model)
        self.norm = norm(config) if config.norms_embeddings else nn.Identity()
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, input_ids: Tensor, segment_ids: Tensor | None = None, position_ids: Tensor | None = None
    ) -> Tensor:
        """Token ids [b, n_tokens] -> vectors [b, n_tokens, d_model].

        Segment ids [b, n_tokens] are zeros by default; position ids [n_tokens] count from 0 by default.
        """
        n_tokens = input_ids.shape[1]
        if n_tokens > self.config.max_tokens:
            raise ValueError(f"{n_tokens} tokens were given, but this model has {self.config.max_tokens} positions.")
        position_ids = count_positions(input_ids) if position_ids is None else position_ids  # [n_tokens]
        x = self.token(input_ids)  # [b, n_tokens, d_model]
        if self.config.positions == "learned":
            x = x + self.position(position_ids)  # [b, n_tokens, d_model]
        elif self.config.positions == "sinusoidal":
            x = x * math.sqrt(self.config.d_model) + self.sinusoids[position_ids]  # [b, n_tokens, d_model]
        if self.config.n_segments:
            segment_ids = torch.zeros_like(input_ids) if segment_ids is None else segment_ids  # [b, n_tokens]
            x = x + self.segment(segment_ids)  # [b, n_tokens, d_model]
        y: Tensor = self.dropout(self.norm(x))  # [b, n_tokens, d_model]
        return y

    def angles(self, position_ids: Tensor) -> Tensor | None:
        """Return the angles of a rotary model at these positions [n_tokens]: [n_tokens, d_head / 2]."""
        return rotary_angles(position_ids, self.frequencies) if self.config.positions == "rotary" else None


def count_positions(input_ids: Tensor) -> Tensor:
    """Return the positions of ids [b, n_tokens], from 0 on [n_tokens]."""
    return torch.arange(input_ids.shape[1], device=input_ids.device)


class EncoderLayer(nn.Module):
    """Two sub-layers, each with its residual connection and its norm.

    post-LN (Vaswani, BERT):  x = norm(x + sublayer(x))
    pre-LN (Xiong, GPT-2):    x = x + sublayer(norm(x))
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.pre_norm = config.norm == "pre"
        self.attention = MultiHeadAttention(config)
        self.attention_norm = norm(config)
        self.feed_forward = feed_forward(config)
        self.feed_forward_norm = norm(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, bias: Tensor | None = None, angles: Tensor | None = None) -> Tensor:
        """[b, n_tokens, d_model] -> [b, n_tokens, d_model]; `angles` as in MultiHeadAttention."""
        if self.pre_norm:
            x = x + self.dropout(self.attention(self.attention_norm(x), bias, angles=angles))  # [b, n_tokens, d_model]
            x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))  # [b, n_tokens, d_model]
        else:
            x = self.attention_norm(x + self.dropout(self.attention(x, bias, angles=angles)))  # [b, n_tokens, d_model]
            x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))  # [b, n_tokens, d_model]
        return x


@dataclass(frozen=True, slots=True, kw_only=True)
class StackOutput:
    """The output of an encoder or a decoder: `last` [b, n_tokens, d_model], and the embeddings and every layer's output
    as `hidden_states`."""

    last: Tensor
    hidden_states: tuple[Tensor, ...]


class Encoder(nn.Module):
    """Embeddings and n_layers encoder layers; a pre-LN stack ends in one more norm, post-LN only on request."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.n_layers))
        self.final_norm = norm(config) if config.norms_output else nn.Identity()

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        mask: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> StackOutput:
        """Encode ids [b, n_tokens]; `mask` [b, n_tokens] is True for tokens and False for padding."""
        bias = None if mask is None else mask_to_bias(mask)[:, None, None, :]  # [b, 1, 1, n_tokens]
        x = self.embeddings(input_ids, segment_ids, position_ids)  # [b, n_tokens, d_model]
        angles = self.embeddings.angles(count_positions(input_ids) if position_ids is None else position_ids)
        hidden_states = [x]
        for layer in self.layers:
            x = layer(x, bias, angles)  # [b, n_tokens, d_model]
            hidden_states.append(x)
        return StackOutput(last=self.final_norm(x), hidden_states=tuple(hidden_states))
