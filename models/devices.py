"""Where a model runs: the processor, a CUDA GPU or Apple's MPS."""

from __future__ import annotations

import torch

from models.errors import DeviceError


def available_devices() -> tuple[str, ...]:
    """The devices of this machine, best first."""
    cuda = ("cuda",) if torch.cuda.is_available() else ()
    mps = ("mps",) if torch.backends.mps.is_available() else ()
    return (*cuda, *mps, "cpu")


def pick_device(name: str = "auto") -> torch.device:
    """The device called `name`; "auto" is the best one there is. Raises DeviceError if it is not there."""
    available = available_devices()
    if name == "auto":
        return torch.device(available[0])
    if name not in available:
        raise DeviceError(f"device {name!r} was asked for, but this machine has {', '.join(available)}.")
    return torch.device(name)
