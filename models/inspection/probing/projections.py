"""The matrices by which heads read the residual stream and write to it, found by what they give, as slices of heads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from models.inspection.layer_parts import same, source_of
from models.recording.watched_copy import Watch
from models.values.record import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadSlices:
    """What a projection is for each head: `weight` [n_heads, d_model, d_head] and `bias` [n_heads, d_head]."""

    weight: Array
    bias: Array


def slices_of(seen: Watch, heads: Tensor) -> HeadSlices | None:
    """The projection that gave queries, keys or values [n_heads, n, d_head]; None if they were turned after it, or if
    it was not found. Grouped heads (Ainslie et al. 2023) have the same slice."""
    arrays = as_array(heads)
    source = source_of(seen, arrays[0])
    if source is None:
        return None
    gave = source.gave.reshape(arrays.shape[1], -1, arrays.shape[2])  # [n, n_slices, d_head]
    places = [next((at for at in range(gave.shape[1]) if same(gave[:, at], head)), -1) for head in arrays]
    if -1 in places:
        return None
    weight, bias = linear_map(source.module, source.given.shape[1])
    slices = weight.reshape(len(weight), -1, arrays.shape[2])[:, places]  # [d_model, n_heads, d_head]
    return HeadSlices(
        weight=np.ascontiguousarray(slices.swapaxes(0, 1)), bias=bias.reshape(-1, arrays.shape[2])[places]
    )


@torch.no_grad()
def linear_map(module: nn.Module, n_given: int) -> tuple[Array, Array]:
    """The matrix [n_given, n_gave] and the bias [n_gave] of a module that is x W + b, whichever way it stores them."""
    if isinstance(module, Conv1D):
        return as_array(module.weight), as_array(module.bias)
    if isinstance(module, nn.Linear) and type(module) is nn.Linear:  # others, quantised ones too, are asked
        weight = as_array(module.weight.T)  # [n_given, n_gave]
        bias: Tensor | None = getattr(module, "bias", None)
        return weight, np.zeros(weight.shape[1], np.float32) if bias is None else as_array(bias)
    parameter = next(module.parameters())
    probes = torch.eye(n_given + 1, n_given, dtype=parameter.dtype, device=parameter.device)  # the last row is zeros
    gave = module(probes)  # [n_given + 1, n_gave]
    return as_array(gave[:-1] - gave[-1]), as_array(gave[-1])


def as_array(tensor: Tensor) -> Array:
    """A tensor as a float32 array on the CPU."""
    array: Array = tensor.detach().float().cpu().numpy()
    return array
