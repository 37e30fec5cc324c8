"""Find the lengths of values after W_O, from a small matrix a head: ||v W_O|| = ||v F||.

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
from models.inspection.probing.projections import linear_map
from models.recording.assemble import on_cpu
from models.recording.attention_call import AttentionCall, fused_output
from models.recording.recorder import recording, suspend_observer
from models.recording.watched_copy import Hook, is_projection, with_hooks
from models.scratch.attention import MultiHeadAttention
from models.values.record import Array, Kind


def scratch_factors(model: nn.Module) -> dict[Kind, Array]:
    """Return F of every head of a scratch model, by kind of attention [n_layers, n_heads, d_value, d_value]."""
    layers: dict[Kind, list[Array]] = {}
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            weight = on_cpu(module.output.weight).T  # [n_heads * d_head, d_model]
            layers.setdefault(module.kind, []).append(_factors(weight, module.n_heads))
    return {kind: np.stack(factors) for kind, factors in layers.items()}


def find_factors(body: nn.Module, run: Callable[[nn.Module], object]) -> dict[Kind, Array]:
    """Return F of every head of any model: W_O is the matrix that reads the heads side by side.

    A kind of attention is left out if a W_O is not found, because a norm or a gate stands before it. `run` takes a copy
    of the body through a short text.
    """
    factors_of_calls: dict[int, Array] = {}
    with suspend_observer(), recording() as calls:
        hook = _factors_hook(factors_of_calls, calls)
        run(with_hooks(body, {name: hook for name, module in body.named_modules() if is_projection(module)}))
    layers: dict[Kind, list[Array | None]] = {}
    for number, call in enumerate(calls):
        layers.setdefault(call.kind, []).append(factors_of_calls.get(number))
    return {
        kind: np.stack(known)
        for kind, factors in layers.items()
        if len(known := [factor for factor in factors if factor is not None]) == len(factors)
        and len({factor.shape for factor in known}) == 1
    }


def _factors_hook(factors_of_calls: dict[int, Array], calls: list[AttentionCall]) -> Hook:
    """Return a hook that keeps F of the first module that reads the last attention's output, by the call's number."""

    def hook(module: nn.Module, args: tuple[Any, ...], _output: Any) -> None:
        number = len(calls) - 1
        if number < 0 or number in factors_of_calls or not args or not isinstance(args[0], Tensor):
            return
        _, n_heads, _, d_value = calls[number].value.shape
        n_query = calls[number].query.shape[2]
        if args[0].numel() != n_query * n_heads * d_value or args[0].shape[-1] != n_heads * d_value:
            return
        heads = on_cpu(fused_output(calls[number])[0].transpose(0, 1).flatten(1))  # [n_query, n_heads * d_value]
        if same(on_cpu(args[0]).reshape(heads.shape), heads):
            factors_of_calls[number] = _factors(linear_map(module, heads.shape[1])[0], n_heads)

    return hook


@torch.no_grad()
def _factors(weight: Array, n_heads: int) -> Array:
    """Return F of every head [n_heads, d_value, d_value] from W_O [n_heads * d_value, d_model]."""
    slices = torch.from_numpy(np.ascontiguousarray(weight)).reshape(n_heads, -1, weight.shape[1])
    upper = torch.linalg.qr(slices.transpose(1, 2), mode="r").R  # [n_heads, d_value, d_value]
    return on_cpu(upper.transpose(1, 2).contiguous())
