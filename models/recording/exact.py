"""What is found by comparing numbers is computed in float32, whatever a model and its device compute in.

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
    """The blocks of `exact_products` that are open, in all threads, and what puts back the settings from before."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_open = 0
        self._before: list[Callable[[], None]] = []

    def enter(self) -> None:
        with self._lock:
            if self._n_open == 0:
                self._before.extend(_made_exact())
            self._n_open += 1

    def leave(self) -> None:
        with self._lock:
            self._n_open -= 1
            while self._n_open == 0 and self._before:
                self._before.pop()()


_blocks = _ExactBlocks()


@contextmanager
def exact_products() -> Iterator[None]:
    """Multiply float32 matrices in float32 inside the block. The settings are those of all threads: they are put back
    at the end of the last of the blocks that are open at once."""
    _blocks.enter()
    try:
        yield
    finally:
        _blocks.leave()


def _made_exact() -> Iterator[Callable[[], None]]:
    """Set what torch may round the factors of products to; gives what puts the settings back, the last one first."""
    backends: Any = torch.backends
    newer = (backends.cuda.matmul, backends.mkldnn.matmul, backends.cudnn.conv, backends.cudnn.rnn)
    for setting in newer:
        yield partial(setattr, setting, "fp32_precision", setting.fp32_precision)
    try:  # by their older names, so that whoever reads those meanwhile may
        precision, of_convolutions = torch.get_float32_matmul_precision(), backends.cudnn.allow_tf32
    except RuntimeError:  # they were set by their newer names alone
        for setting in newer:
            setting.fp32_precision = _FLOAT32
    else:
        yield partial(torch.set_float32_matmul_precision, precision)
        torch.set_float32_matmul_precision(_HIGHEST)
        yield partial(setattr, backends.cudnn, "allow_tf32", of_convolutions)
        backends.cudnn.allow_tf32 = False


def exact_copy(model: Module) -> Module:
    """The model in float32: itself if it is, else a copy with hooks of its own. What two modules share, they share in
    the copy, too."""
    if all(tensor.dtype == torch.float32 for tensor in model.parameters() if tensor.is_floating_point()):
        return model
    copied, known = watched_copy(model), dict[int, Tensor]()

    def exact(tensor: Tensor) -> Tensor:
        if id(tensor) not in known:
            whole = tensor.detach().float() if tensor.is_floating_point() else tensor.detach()
            is_weight = isinstance(tensor, nn.Parameter)
            known[id(tensor)] = nn.Parameter(whole, requires_grad=False) if is_weight else whole
        return known[id(tensor)]

    for module in copied.modules():
        state: dict[str, Any] = vars(module)
        for kept in ("_parameters", "_buffers"):
            state[kept] = {
                name: None if tensor is None else exact(tensor) for name, tensor in state[kept].items()
            }  # fmt: skip
    return copied


def counterpart(copied: nn.Module, model: nn.Module, module: nn.Module) -> nn.Module:
    """The module of a copy that stands where this one stands in the model; itself, if it is not part of it."""
    name = next((name for name, each in model.named_modules() if each is module), None)
    return module if name is None else copied.get_submodule(name)
