"""What stands around the attention: feed-forward network, residual connections, layer norm.

"Attention Is All You Need", sections 3.1, 3.3 and 5.4; pre-LN: Xiong et al. 2020, table 1.
"""

from __future__ import annotations

from torch import Tensor, nn

from models.scratch.config import TransformerConfig


class FeedForward(nn.Module):
    """FFN(x) = activation(x W_1 + b_1) W_2 + b_2, the same for every token (equation 2; GELU in BERT)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.expand = nn.Linear(config.d_model, config.d_ff)  # W_1
        self.contract = nn.Linear(config.d_ff, config.d_model)  # W_2
        self.activation = activation(config)

    def forward(self, x: Tensor) -> Tensor:
        """[b, n_tokens, d_model] -> [b, n_tokens, d_model]"""
        inner: Tensor = self.activation(self.expand(x))  # [b, n_tokens, d_ff]
        outer: Tensor = self.contract(inner)  # [b, n_tokens, d_model]
        return outer


def activation(config: TransformerConfig) -> nn.Module:
    """GELU, x * Phi(x) (Hendrycks & Gimpel 2016), exact as in BERT or by their tanh as in GPT-2; or ReLU."""
    if config.activation == "relu":
        return nn.ReLU()
    return nn.GELU(approximate="tanh" if config.activation == "gelu_tanh" else "none")


def layer_norm(config: TransformerConfig) -> nn.LayerNorm:
    """Each token's vector to mean 0 and variance 1, then scaled and shifted (Ba et al. 2016)."""
    return nn.LayerNorm(config.d_model, eps=config.layer_norm_eps)
