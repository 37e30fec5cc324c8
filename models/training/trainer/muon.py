"""Muon: momentum whose every update is made orthogonal, for the matrices inside the layers (Jordan et al. 2024, "Muon:
An optimizer for hidden layers in neural networks").

A small BERT leaves the unigram plateau within 200,000 pieces, with AdamW not within 590,000 (docs/performance.md).
torch.optim has a Muon too, which multiplies in bfloat16: two to three times slower where that is emulated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Of the quintic that drives every singular value towards 1, chosen for its slope at 0 (Jordan et al. 2024)."""
ITERATIONS = 5


class Muon(torch.optim.Optimizer):
    """SGD with Nesterov momentum, orthogonalised, scaled so that a change is as long as one of AdamW with the same rate
    (Liu et al. 2025, "Muon is Scalable for LLM Training", section 2.2). For weights of two dimensions."""

    def __init__(
        self, weights: Iterable[nn.Parameter], *, lr: float, weight_decay: float, momentum: float = 0.95
    ) -> None:
        super().__init__(weights, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:
        """Update every weight that has a gradient. Raises ValueError for a `closure`."""
        if closure is not None:
            raise ValueError("a closure was given, but Muon takes gradients that are already there.")
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                state = self.state[weight]
                if not state:
                    state["momentum"] = torch.zeros_like(weight)
                mean = state["momentum"].lerp_(weight.grad, 1 - group["momentum"])  # [rows, columns]
                update = orthogonalise(weight.grad.lerp(mean, group["momentum"]))  # [rows, columns]
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                weight.add_(update, alpha=-0.2 * max(weight.shape) ** 0.5 * group["lr"])


def orthogonalise(matrix: Tensor) -> Tensor:
    """Nearly U V^T for matrix = U S V^T [rows, columns]: a few Newton-Schulz iterations, all of S near 1."""
    a, b, c = COEFFICIENTS
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if is_tall else matrix  # [short, long]
    x = x / x.norm().clamp(min=1e-7)  # [short, long]
    for _ in range(ITERATIONS):
        gram = x @ x.T  # [short, short]
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)  # [short, long]
    return x.T if is_tall else x
