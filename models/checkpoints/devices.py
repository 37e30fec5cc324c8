"""Where a model runs, and in which numbers: the processor or an accelerator, in float32 or half precision."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Protocol, TypeVar

import torch
from torch import nn

from models.checkpoints.device_faults import faults_in_sentences
from models.values.errors import DeviceError
from models.values.record import ModelInfo
from models.values.wording import to_say, worded

AUTO, PROCESSOR, FLOAT32 = "auto", "cpu", "float32"
DEVICES = ("cuda", "xpu", "mps", PROCESSOR)
"""Fastest first."""
DTYPES: dict[str, torch.dtype] = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
}
"""The numbers that a model may compute in, by the names that torch has for them."""
FREQUENCIES = ("inv_freq", "frequencies")
"""How the tables of rotary angles end, which stay in float32: half precision would turn late positions by another angle
(Su et al. 2021, section 3.2.2)."""
_FELL_BACK = to_say("{device} could not run {model}, so it runs on the processor. {why}")


class _Described(Protocol):
    info: ModelInfo


OnDevice = TypeVar("OnDevice", bound=_Described)


def available_devices() -> tuple[str, ...]:
    """The devices of this machine, fastest first."""
    is_there: dict[str, Callable[[], bool]] = {
        "cuda": torch.cuda.is_available,
        "xpu": torch.xpu.is_available,
        "mps": torch.backends.mps.is_available,
        PROCESSOR: lambda: True,
    }
    return tuple(device for device in DEVICES if is_there[device]())


def pick_device(name: str | torch.device = AUTO) -> torch.device:
    """The device, or the one called "cpu", "cuda" (or "cuda:1"), "xpu" or "mps"; "auto" is the fastest one there is.

    Raises DeviceError if the name is unknown or this machine does not have the device.
    """
    name, available = str(name), available_devices()
    if name == AUTO:
        return torch.device(available[0])
    kind, _, index = name.partition(":")
    numbered = index.isascii() and index.isdecimal() and int(index) < _count(kind)
    if name in available or (kind in available and numbered):
        return torch.device(name)
    raise DeviceError(
        worded(
            "Device {device} was asked for, but this machine has only {devices}. Try 'auto'.",
            device=repr(name),
            devices=", ".join(available),
        )
    )


def pick_dtype(name: str | torch.dtype = FLOAT32) -> torch.dtype:
    """The numbers called "float32", "bfloat16" or "float16", or torch's own of these.

    Raises DeviceError for any other.
    """
    dtype = DTYPES.get(str(name).removeprefix("torch."))
    if dtype is None:
        raise DeviceError(
            worded(
                "The precision {dtype} was asked for, expected one of {dtypes}. Try 'float32'.",
                dtype=repr(str(name)),
                dtypes=", ".join(DTYPES),
            )
        )
    return dtype


def dtype_name(dtype: torch.dtype) -> str:
    """The name of some numbers, as `pick_dtype` takes it."""
    return str(dtype).removeprefix("torch.")


def open_on(device: str, open_there: Callable[[torch.device], OnDevice], *, name: str) -> OnDevice:
    """Open the model of that name on a device. With "auto", what the fastest device cannot take is opened on the
    processor, which a note of the model says.

    Raises DeviceError, and what `open_there` raises.
    """
    target = pick_device(device)
    try:
        with faults_in_sentences(name, target.type):
            return open_there(target)
    except DeviceError as error:
        if device != AUTO or target.type == PROCESSOR:
            raise
        why = str(error)
    with faults_in_sentences(name, PROCESSOR):
        opened = open_there(torch.device(PROCESSOR))
    note = worded(_FELL_BACK, device=target.type, model=name, why=why)
    opened.info = replace(opened.info, notes=(*opened.info.notes, note))
    return opened


def put_on(model: nn.Module, device: torch.device, dtype: torch.dtype, *, exact: Collection[str] = ()) -> None:
    """Move a model to a device, its weights to a precision. Rotary angles stay in float32, and so do weights that a
    part of whose names stands in `exact`."""
    for name, module in model.named_modules():
        for tensors in (vars(module)["_parameters"], vars(module)["_buffers"]):
            for own, tensor in tensors.items():
                is_other = tensor is not None and tensor.dtype in {*DTYPES.values()} - {dtype}
                if is_other and not _stays(f"{name}.{own}", exact):
                    tensor.data = tensor.data.to(dtype)
    nn.Module.to(model, device)


def joined_place(device: str, dtype: str) -> str:
    """A device and a precision in one name, which is that of the device for float32: "cuda", "cuda-bfloat16"."""
    return device if dtype == FLOAT32 else f"{device}-{dtype}"


def split_place(place: str) -> tuple[str, str]:
    """The device and the precision in such a name."""
    device, _, dtype = place.partition("-")
    return device, dtype or FLOAT32


def own_name(device: str) -> str:
    """The name that a device has alone, with its number: "cuda" is "cuda:0"."""
    named = torch.device(device)
    return device if named.type == PROCESSOR else f"{named.type}:{named.index or 0}"


def memory_of(device: str) -> float:
    """The bytes of memory that an accelerator has for torch, by its name; 0 where torch cannot tell."""
    kind, _, index = device.partition(":")
    if kind == "mps" and torch.backends.mps.is_available():
        return float(torch.mps.recommended_max_memory())
    if kind in {"cuda", "xpu"} and _count(kind) > int(index or 0):
        of_kind = torch.cuda if kind == "cuda" else torch.xpu
        return float(of_kind.get_device_properties(int(index or 0)).total_memory)
    return 0.0


def _stays(name: str, exact: Collection[str]) -> bool:
    parts = "|".join(map(re.escape, exact))
    return name.endswith(FREQUENCIES) or (bool(parts) and re.search(rf"(^|\.)({parts})(\.|$)", name) is not None)


def _count(kind: str) -> int:
    counts: dict[str, Callable[[], int]] = {"cuda": torch.cuda.device_count, "xpu": torch.xpu.device_count}
    return counts[kind]() if kind in counts else 0
