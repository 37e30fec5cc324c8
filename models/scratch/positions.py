"""Positions: attention itself does not see the order of tokens, so positions are added to the embeddings.

"Attention Is All You Need", section 3.5.
"""

from __future__ import annotations

import torch
from torch import Tensor


def sinusoidal_encoding(n_tokens: int, d_model: int, base: float = 10000.0) -> Tensor:
    """Return sines and cosines of geometrically falling frequency, interleaved [n_tokens, d_model].

    PE(position, 2i)     = sin(position / base^(2i / d_model))
    PE(position, 2i + 1) = cos(position / base^(2i / d_model))

    Computed in float64 and rounded once. Raises ValueError if d_model is odd.
    """
    if d_model % 2:
        raise ValueError(f"d_model is {d_model}, expected an even number: every sine has its cosine.")
    position = torch.arange(n_tokens, dtype=torch.float64)  # [n_tokens]
    pair = torch.arange(0, d_model, 2, dtype=torch.float64)  # [d_model / 2]
    angle = position[:, None] / base ** (pair / d_model)  # [n_tokens, d_model / 2]
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(start_dim=1).float()  # [n_tokens, d_model]
