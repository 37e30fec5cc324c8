"""Exact float32, for code that compares numbers, whatever a model and its device compute in.

Half precision has 8 or 11 binary digits, and products on a GPU may be rounded to 11 (TF32, "NVIDIA A100 Tensor Core GPU
Architecture", 2020): too few to tell one formula from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any

import torch
from torch import Tensor, nn

from models.recording.watched_copy import Module, watched_copy

_HIGHEST, _FLOAT32 = "highest", "ieee"


class _ExactBlocks:
    """The open blocks of `exact_products` in all threads, and the functions that restore the settings from before."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_open = 0
        self._restores: list[Callable[[], None]] = []

    def enter(self) -> None:
        with self._lock:
            if self._n_open == 0:
                self._restores.extend(_set_exact())
            self._n_open += 1

    def leave(self) -> None:
        with self._lock:
            self._n_open -= 1
            while self._n_open == 0 and self._restores:
                self._restores.pop()()


_blocks = _ExactBlocks()


@contextmanager
def exact_products() -> Iterator[None]:
    """Multiply float32 matrices in float32 inside the block.

    The settings belong to all threads: they are restored when the last open block ends.
    """
    _blocks.enter()
    try:
        yield
    finally:
        _blocks.leave()


def _set_exact() -> Iterator[Callable[[], None]]:
    """Forbid torch to round the factors of products; yields functions that restore the settings, to be called in
    reverse."""
    backends: Any = torch.backends
    newer = (backends.cuda.matmul, backends.mkldnn.matmul, backends.cudnn.conv, backends.cudnn.rnn)
    for setting in newer:
        yield partial(setattr, setting, "fp32_precision", setting.fp32_precision)
    try:  # by their older names, so that other code may read those meanwhile
        precision, allows_tf32 = torch.get_float32_matmul_precision(), backends.cudnn.allow_tf32
    except RuntimeError:  # they were set by their newer names alone
        for setting in newer:
            setting.fp32_precision = _FLOAT32
    else:
        yield partial(torch.set_float32_matmul_precision, precision)
        torch.set_float32_matmul_precision(_HIGHEST)
        yield partial(setattr, backends.cudnn, "allow_tf32", allows_tf32)
        backends.cudnn.allow_tf32 = False


def exact_copy(model: Module) -> Module:
    """Return the model in float32: itself if it is, else a copy with hooks of its own.

    Modules that share a tensor share it in the copy, too.
    """
    if all(tensor.dtype == torch.float32 for tensor in model.parameters() if tensor.is_floating_point()):
        return model
    model_copy, converted = watched_copy(model), dict[int, Tensor]()

    def convert(tensor: Tensor) -> Tensor:
        if id(tensor) not in converted:
            exact = tensor.detach().float() if tensor.is_floating_point() else tensor.detach()
            exact = exact.clone() if exact.is_inference() else exact  # a router of Switch, made float32 by a pass
            is_weight = isinstance(tensor, nn.Parameter)
            converted[id(tensor)] = nn.Parameter(exact, requires_grad=False) if is_weight else exact
        return converted[id(tensor)]

    for module in model_copy.modules():
        state: dict[str, Any] = vars(module)
        for tensors in ("_parameters", "_buffers"):
            state[tensors] = {
                name: None if tensor is None else convert(tensor) for name, tensor in state[tensors].items()
            }
    return model_copy


def counterpart(model_copy: nn.Module, model: nn.Module, module: nn.Module) -> nn.Module:
    """Return the module of a copy that has the same name in the model; the module itself, if it is not part of it."""
    name = next((name for name, part in model.named_modules() if part is module), None)
    return module if name is None else model_copy.get_submodule(name)
