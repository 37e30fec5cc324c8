"""Where a model runs: the processor, a CUDA GPU or Apple's MPS."""

from __future__ import annotations

import torch

from models.values.errors import DeviceError
from models.values.wording import worded


def available_devices() -> tuple[str, ...]:
    """The devices of this machine, fastest first."""
    cuda = ("cuda",) if torch.cuda.is_available() else ()
    mps = ("mps",) if torch.backends.mps.is_available() else ()
    return (*cuda, *mps, "cpu")


def pick_device(name: str | torch.device = "auto") -> torch.device:
    """The device, or the one that is called "cpu", "cuda" (or "cuda:1") or "mps"; "auto" is the fastest one there is.

    Raises DeviceError if the name is unknown or this machine does not have the device.
    """
    name, available = str(name), available_devices()
    if name == "auto":
        return torch.device(available[0])
    kind, _, index = name.partition(":")
    numbered = index.isascii() and index.isdecimal() and int(index) < torch.cuda.device_count()
    if name in available or (kind == "cuda" and "cuda" in available and numbered):
        return torch.device(name)
    raise DeviceError(
        worded(
            "Device {device} was asked for, but this machine has only {devices}. Try 'auto'.",
            device=repr(name), devices=", ".join(available),
        )
    )  # fmt: skip
