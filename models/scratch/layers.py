"""The parts of a layer beside attention: feed-forward networks, activations, norms.

"Attention Is All You Need", sections 3.1, 3.3 and 5.4; pre-LN: Xiong et al. 2020, table 1; gates: Shazeer 2020,
"GLU Variants Improve Transformer"; RMSNorm: Zhang & Sennrich 2019, "Root Mean Square Layer Normalization".
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.scratch.config import TransformerConfig


class FeedForward(nn.Module):
    """FFN(x) = activation(x W_1 + b_1) W_2 + b_2, the same for every token (equation 2; GELU in BERT)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.expand = nn.Linear(config.d_model, config.d_ff, bias=config.biases)  # W_1
        self.contract = nn.Linear(config.d_ff, config.d_model, bias=config.biases)  # W_2
        self.activation = activation(config)

    def forward(self, x: Tensor) -> Tensor:
        """[b, n_tokens, d_model] -> [b, n_tokens, d_model]"""
        inner: Tensor = self.activation(self.expand(x))  # [b, n_tokens, d_ff]
        outer: Tensor = self.contract(inner)  # [b, n_tokens, d_model]
        return outer


class GatedFeedForward(nn.Module):
    """FFN(x) = (activation(x W_1) * x W_3) W_2, where * multiplies number by number (Shazeer 2020, equation 6).

    The first factor is a gate: it decides how much of the second goes on. With SiLU this is SwiGLU. His W, V,
    W_2 have the names that Llama gave them (Touvron et al. 2023, section 2.2).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.gate = nn.Linear(config.d_model, config.d_ff, bias=config.biases)  # W_1
        self.expand = nn.Linear(config.d_model, config.d_ff, bias=config.biases)  # W_3
        self.contract = nn.Linear(config.d_ff, config.d_model, bias=config.biases)  # W_2
        self.activation = activation(config)

    def forward(self, x: Tensor) -> Tensor:
        """[b, n_tokens, d_model] -> [b, n_tokens, d_model]"""
        gate: Tensor = self.activation(self.gate(x))  # [b, n_tokens, d_ff], how far each number is let through
        inner = gate * self.expand(x)  # [b, n_tokens, d_ff]
        outer: Tensor = self.contract(inner)  # [b, n_tokens, d_model]
        return outer


def feed_forward(config: TransformerConfig) -> FeedForward | GatedFeedForward:
    """Build the feed-forward network of a layer, with a gate or without one."""
    return GatedFeedForward(config) if config.gated else FeedForward(config)


def activation(config: TransformerConfig) -> nn.Module:
    """Build an activation: ReLU; GELU, x * Phi(x) (Hendrycks & Gimpel 2016), exact as in BERT or by their tanh as in
    GPT-2; or SiLU, x * sigmoid(x), from the same paper, which Ramachandran et al. 2017 call Swish."""
    if config.activation == "relu":
        return nn.ReLU()
    if config.activation == "silu":
        return nn.SiLU()
    return nn.GELU(approximate="tanh" if config.activation == "gelu_tanh" else "none")


def layer_norm(config: TransformerConfig) -> nn.LayerNorm:
    """Build a norm that gives each token's vector mean 0 and variance 1, then scales and shifts it (Ba et al. 2016)."""
    return nn.LayerNorm(config.d_model, eps=config.layer_norm_eps)


class RMSNorm(nn.Module):
    """norm(x) = g * x / sqrt(mean(x^2) + eps): divide each token's vector by its size, without a shift (equation 4).

    A layer norm also moves the mean to 0, which was found to matter little (Zhang & Sennrich 2019).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(config.d_model))  # g
        self.eps = config.layer_norm_eps

    def forward(self, x: Tensor) -> Tensor:
        """[..., d_model] -> [..., d_model]"""
        mean_square = x.square().mean(dim=-1, keepdim=True)  # [..., 1]
        y: Tensor = self.weight * (x * torch.rsqrt(mean_square + self.eps))  # [..., d_model]
        return y


def norm(config: TransformerConfig) -> nn.LayerNorm | RMSNorm:
    """Build the norm that a model of this configuration uses everywhere."""
    return RMSNorm(config) if config.norm_kind == "rms" else layer_norm(config)
