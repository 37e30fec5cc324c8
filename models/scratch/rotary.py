"""Rotary positions: queries and keys are turned by an angle that grows with the position; tokens stay as they are.

Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding" (arXiv 2104.09864), section 3.2. A dot
product sees only the difference of two angles, so a score depends on how far apart two tokens stand, never on where.
"""

from __future__ import annotations

import torch
from torch import Tensor


def rotary_frequencies(d_head: int, base: float = 10000.0) -> Tensor:
    """Return how far each pair of dimensions turns from one position to the next, in radians [d_head / 2].

    omega_i = base^(-2i / d_head)        (section 3.2.2)

    In float32, as in the training of published models: at position 4,096 a frequency is rounded by a ten-thousandth
    of a radian. Raises ValueError if d_head is odd.
    """
    if d_head % 2:
        raise ValueError(f"d_head is {d_head}, expected an even number: every dimension has its partner.")
    # On the CPU even while a model is built on the meta device, where PyTorch would import its compiler for this.
    pair = torch.arange(0, d_head, 2, dtype=torch.float32, device="cpu")  # [d_head / 2]
    return 1.0 / base ** (pair / d_head)


def rotary_angles(position_ids: Tensor, frequencies: Tensor) -> Tensor:
    """Return m * omega_i, the angle of every pair at every position m: ids [n_tokens] -> [n_tokens, d_head / 2]."""
    return position_ids[:, None].float() * frequencies.to(position_ids.device)


def rotate(x: Tensor, angles: Tensor) -> Tensor:
    """Return R_m x: every pair of dimensions of the vector at position m, turned by its angle (equation 34).

    x'_i        = x_i cos(m omega_i) - x_j sin(m omega_i)
    x'_j        = x_j cos(m omega_i) + x_i sin(m omega_i)        with j = i + d_head / 2

    x [b, n_heads, n_tokens, d_head], angles [n_tokens, d_head / 2] -> as x. The paper pairs neighbours, 2i with 2i + 1;
    Llama pairs the two halves of a head. Which two are a pair makes no difference to what can be learned.
    """
    cos, sin = angles.cos(), angles.sin()  # [n_tokens, d_head / 2]
    first, second = x.chunk(2, dim=-1)  # [b, n_heads, n_tokens, d_head / 2]
    halves = (first * cos - second * sin, second * cos + first * sin)  # each [b, n_heads, n_tokens, d_head / 2]
    return torch.cat(halves, dim=-1).to(x.dtype)  # [b, n_heads, n_tokens, d_head]
