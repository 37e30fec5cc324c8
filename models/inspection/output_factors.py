"""How long a value is after W_O, from a small matrix a head: ||v W_O|| = ||v F||.

The transpose of a head's W_O [d_value, d_model] is Q R with orthonormal columns in Q (Golub and Van Loan, "Matrix
Computations", section 5.2), so F = Rᵀ [d_value, d_value] changes lengths as W_O does, at a fraction of its cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.inspection.layer_parts import same
from models.inspection.probing.projections import as_array, linear_map
from models.recording.attention_call import AttentionCall, fused_output
from models.recording.recorder import recording, undisturbed
from models.recording.watched_copy import Hook, with_hooks
from models.scratch.attention import MultiHeadAttention
from models.values.record import Array, Kind


def scratch_factors(model: nn.Module) -> dict[Kind, Array]:
    """F of every head of a scratch model, by kind of attention [n_layers, n_heads, d_value, d_value]."""
    layers: dict[Kind, list[Array]] = {}
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            weight = as_array(module.output.weight).T  # [n_heads * d_head, d_model]
            layers.setdefault(module.kind, []).append(_factors(weight, module.n_heads))
    return {kind: np.stack(factors) for kind, factors in layers.items()}


def found_factors(body: nn.Module, run: Callable[[nn.Module], object]) -> dict[Kind, Array]:
    """The same for any model: W_O is what reads the heads side by side. A kind of which one is not found is left out,
    because a norm or a gate stands between the heads and W_O. `run` takes a copy of the body through a short text."""
    found: dict[int, Array] = {}
    with undisturbed(), recording() as calls:
        hook = _finding(found, calls)
        run(with_hooks(body, {name: hook for name, module in body.named_modules() if _projects(module)}))
    layers: dict[Kind, list[Array | None]] = {}
    for at, call in enumerate(calls):
        layers.setdefault(call.kind, []).append(found.get(at))
    return {
        kind: np.stack(whole)
        for kind, factors in layers.items()
        if len(whole := [each for each in factors if each is not None]) == len(factors)
        and len({each.shape for each in whole}) == 1
    }


def _projects(module: nn.Module) -> bool:
    weight = getattr(module, "weight", None)
    return isinstance(weight, Tensor) and weight.dim() == 2 and not isinstance(module, nn.Embedding)


def _finding(found: dict[int, Array], calls: list[AttentionCall]) -> Hook:
    """A hook that keeps F of the first module that reads what the last attention gave, by the number of its call."""

    def hook(module: nn.Module, given: tuple[Any, ...], _gave: Any) -> None:
        at = len(calls) - 1
        if at < 0 or at in found or not given or not isinstance(given[0], Tensor):
            return
        _, n_heads, _, d_value = calls[at].value.shape
        n_query = calls[at].query.shape[2]
        if given[0].numel() != n_query * n_heads * d_value or given[0].shape[-1] != n_heads * d_value:
            return
        heads = as_array(fused_output(calls[at])[0].transpose(0, 1).flatten(1))  # [n_query, n_heads * d_value]
        if same(as_array(given[0]).reshape(heads.shape), heads):
            found[at] = _factors(linear_map(module, heads.shape[1])[0], n_heads)

    return hook


@torch.no_grad()
def _factors(weight: Array, n_heads: int) -> Array:
    """F of every head [n_heads, d_value, d_value] from W_O [n_heads * d_value, d_model]."""
    slices = torch.from_numpy(np.ascontiguousarray(weight)).reshape(n_heads, -1, weight.shape[1])
    upper = torch.linalg.qr(slices.transpose(1, 2), mode="r").R  # [n_heads, d_value, d_value]
    return as_array(upper.transpose(1, 2).contiguous())
