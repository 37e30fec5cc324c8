"""The device a model runs on."""

from __future__ import annotations

import torch

from models.errors import DeviceError

NAMES = ("auto", "cpu", "cuda", "mps")


def pick_device(name: str) -> torch.device:
    """The device called "auto", "cpu", "cuda" (or "cuda:1") or "mps"; "auto" takes the fastest one there is.

    Raises DeviceError if the name is unknown or this machine does not have the device.
    """
    if name == "auto":
        return torch.device("cuda" if _has_cuda() else "mps" if _has_mps() else "cpu")
    if name == "cpu":
        return torch.device(name)
    if name == "mps" and _has_mps():
        return torch.device(name)
    if name == "cuda" or (name.startswith("cuda:") and name[5:].isdecimal()):
        if _has_cuda() and torch.device(name).index in {None, *range(torch.cuda.device_count())}:
            return torch.device(name)
    elif name != "mps":
        raise DeviceError(f"There is no device called {name!r}. Choose one of {', '.join(NAMES)}.")
    present = [device for device, is_there in (("cpu", True), ("cuda", _has_cuda()), ("mps", _has_mps())) if is_there]
    raise DeviceError(f"Device {name!r} was asked for, but this machine has only {', '.join(present)}. Try 'auto'.")


def _has_cuda() -> bool:
    return torch.cuda.is_available()


def _has_mps() -> bool:
    return torch.backends.mps.is_available()
