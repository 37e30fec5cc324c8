"""Find the matrices by which heads read the residual stream and write to it, by their outputs, as slices of heads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from models.inspection.layer_parts import same, source_of
from models.recording.assemble import on_cpu
from models.recording.watched_copy import Watch
from models.values.record import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadSlices:
    """A projection, a slice for each head: `weight` [n_heads, d_model, d_head] and `bias` [n_heads, d_head]."""

    weight: Array
    bias: Array


def slices_of(watched: Watch, heads: Tensor) -> HeadSlices | None:
    """Find the projection that gave queries, keys or values [n_heads, n, d_head].

    None if it is not found, or if positions turned them afterwards. Grouped heads (Ainslie et al. 2023) share a slice.
    """
    arrays = on_cpu(heads)
    source = source_of(watched, arrays[0])
    if source is None:
        return None
    output = source.output.reshape(arrays.shape[1], -1, arrays.shape[2])  # [n, n_slices, d_head]
    numbers = [next((n for n in range(output.shape[1]) if same(output[:, n], head)), -1) for head in arrays]
    if -1 in numbers:
        return None
    weight, bias = linear_map(source.module, source.input.shape[1])
    slices = weight.reshape(len(weight), -1, arrays.shape[2])[:, numbers]  # [d_model, n_heads, d_head]
    return HeadSlices(
        weight=np.ascontiguousarray(slices.swapaxes(0, 1)), bias=bias.reshape(-1, arrays.shape[2])[numbers]
    )


@torch.no_grad()
def linear_map(module: nn.Module, n_in: int) -> tuple[Array, Array]:
    """Return the matrix [n_in, n_out] and the bias [n_out] of a module that computes x W + b."""
    if isinstance(module, Conv1D):
        return on_cpu(module.weight), on_cpu(module.bias)
    if isinstance(module, nn.Linear) and type(module) is nn.Linear:  # other classes, quantised ones too, are run
        weight = on_cpu(module.weight.T)  # [n_in, n_out]
        bias: Tensor | None = getattr(module, "bias", None)
        return weight, np.zeros(weight.shape[1], np.float32) if bias is None else on_cpu(bias)
    parameter = next(module.parameters())
    probes = torch.eye(n_in + 1, n_in, dtype=parameter.dtype, device=parameter.device)  # the last row is zeros
    given = module(probes)
    output: Tensor = given[0] if isinstance(given, tuple) else given  # [n_in + 1, n_out]; I-BERT gives a scale, too
    return on_cpu(output[:-1] - output[-1]), on_cpu(output[-1])
