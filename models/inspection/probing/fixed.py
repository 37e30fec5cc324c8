"""Make norms and activations linear in a pass: their statistics and factors are held constant.

A layer norm keeps its deviation, and an activation f(z) is z · (f(z) / z) with the factor held. The outputs stay the
same to the last digit, only the gradients become those of a linear function, so that the parts of a vector, each times
the gradient, add up to the whole. As layer-wise relevance propagation treats both (Achtibat et al. 2024,
"AttnLRP", sections 3.2 and 3.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from models.recording.watched_copy import Module, with_twins

_ACTIVATIONS = frozenset(
    {functional.gelu, functional.relu, functional.silu, torch.relu, torch.tanh, Tensor.relu, Tensor.tanh}
)
_FACTORS = frozenset(
    {torch.rsqrt, Tensor.rsqrt, torch.sqrt, Tensor.sqrt, torch.erf, torch.special.erf, torch.sigmoid, Tensor.sigmoid}
)
"""Functions by which models write out RMS norms, GELU and SiLU: their results only multiply their arguments."""
_ACTIVATION_MODULES = "transformers.activations"


class FixedStatistics(TorchFunctionMode):
    """Holds the statistics of norms and the factors of activations inside the block, in this thread."""

    def __torch_function__(
        self, func: Callable[..., Any], _types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        options = dict(kwargs or {})
        if func is functional.layer_norm:
            return _layer_norm(*args, **options)
        if func is functional.rms_norm:
            return _rms_norm(*args, **options)
        if func in _FACTORS:
            return func(*args, **options).detach()
        if func in _ACTIVATIONS:
            return _with_fixed_factor(args[0], func(*args, **options))
        return func(*args, **options)


def with_fixed_activations(model: Module) -> Module:
    """Copy a model, and hold the factors of activations that are modules of transformers, written in several steps."""
    names = [name for name, module in model.named_modules() if type(module).__module__ == _ACTIVATION_MODULES]
    return with_twins(model, dict.fromkeys(names, _fix_factor))


def _fix_factor(module: nn.Module) -> None:
    activate = MethodType(type(module).forward, module)

    def forward(x: Tensor) -> Tensor:
        return _with_fixed_factor(x, activate(x))

    vars(module)["forward"] = forward


def _with_fixed_factor(z: Tensor, f_z: Tensor) -> Tensor:
    """Return f(z) as z · (f(z) / z), the factor held; where z is 0, f(z) is held itself."""
    is_zero = z == 0
    factor = (f_z / z.masked_fill(is_zero, 1)).detach()
    return torch.where(is_zero, f_z.detach(), z * factor)


def _layer_norm(
    x: Tensor, shape: tuple[int, ...], weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    dims = tuple(range(-len(shape), 0))
    centred = x - x.mean(dim=dims, keepdim=True)
    normed = centred * (centred.square().mean(dim=dims, keepdim=True) + eps).rsqrt().detach()
    scaled = normed if weight is None else normed * weight
    return scaled if bias is None else scaled + bias


def _rms_norm(x: Tensor, shape: tuple[int, ...], weight: Tensor | None = None, eps: float | None = None) -> Tensor:
    small = torch.finfo(x.dtype).eps if eps is None else eps
    dims = tuple(range(-len(shape), 0))
    normed = x * (x.square().mean(dim=dims, keepdim=True) + small).rsqrt().detach()
    return normed if weight is None else normed * weight
