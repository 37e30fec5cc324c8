"""A model that is in memory already: of transformers or from scratch, with its tokenizer. It is neither changed nor
moved."""

from __future__ import annotations

from os import PathLike
from typing import Any

import torch
from torch import nn

from models import huggingface
from models.checkpoints.devices import AUTO, pick_device
from models.model import Model
from models.scratch_models.in_memory import SCRATCH_CLASSES, open_scratch
from models.values.errors import ArgumentError, DeviceError
from models.values.wording import worded

_WRAPPED = ("_orig_mod", "module")
"""Where torch.compile, DataParallel and DistributedDataParallel have the model that they wrap."""


def load_in_memory(model: nn.Module, tokenizer: Any, *, device: str, dtype: torch.dtype) -> Model:
    """Open a model as it is, where it is if the device is "auto"; elsewhere, or in another precision, as a copy.

    Raises ArgumentError without a tokenizer, and what opening a folder raises.
    """
    inner, name = _inner(model), class_name(model)
    target = _own_device(inner, name) if device == AUTO else pick_device(device)
    if isinstance(inner, SCRATCH_CLASSES):
        own = huggingface.own_tokenizer(tokenizer)
        return open_scratch(inner, own, name=name, device=target, dtype=dtype)
    return huggingface.open_transformers(inner, tokenizer, name=name, device=target, dtype=dtype)


def class_name(model: nn.Module) -> str:
    """Return what a model in memory is called."""
    return type(_inner(model)).__name__


def expect_tokenizer(model: object, tokenizer: object) -> None:
    """Raise ArgumentError for a model in memory without a tokenizer, and for a tokenizer beside the name of a model."""
    if isinstance(model, nn.Module) and tokenizer is None:
        raise ArgumentError(
            worded("A model in memory needs its tokenizer, or for pictures its processor: load(model, tokenizer).")
        )
    if isinstance(tokenizer, nn.Module):
        raise ArgumentError(
            worded(
                "The tokenizer is a model, of the class {given}: load(model, tokenizer).",
                given=type(tokenizer).__name__,
            )
        )
    if isinstance(model, str | PathLike) and tokenizer is not None:
        raise ArgumentError(
            worded(
                "{model} is opened with its own tokenizer: leave the other out, or give the model itself.",
                model=str(model),
            )
        )


def _inner(model: nn.Module) -> nn.Module:
    """Return the model in what torch.compile, or training on several devices, made of it."""
    while len(list(model.children())) == 1:
        inner = next((getattr(model, name, None) for name in _WRAPPED if hasattr(model, name)), None)
        if not isinstance(inner, nn.Module):
            break
        model = inner
    return model


def _own_device(model: nn.Module, name: str) -> torch.device:
    """Return where a model is. Raises DeviceError for one in parts on several devices, or without weights."""
    devices = {str(weight.device) for weight in model.parameters()}
    if len(devices) != 1 or devices == {"meta"}:
        raise DeviceError(
            worded(
                "The weights of {model} lie on {devices}, expected one device. Load it without device_map, or give "
                "device=.",
                model=name,
                devices=", ".join(sorted(devices)) or "–",
            )
        )
    return torch.device(devices.pop())
