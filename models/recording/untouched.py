"""Passes that leave no trace: copies of a model that its own forward may change, and what such a change is seen by.

Some classes of transformers write on themselves while they read: BigBird goes over to full attention for good after one
short text, angles of dynamic rotary positions grow with the longest text so far, Funnel notes the length of its text.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.recording.watched_copy import Module, watched_copy

ROPE_TYPE, BY_LENGTH = "rope_type", ("dynamic", "longrope")
"""Rotary positions whose angles are computed anew for a longer text, and kept: a short text shows nothing of it."""
_PLAIN = (bool, int, float, str, bytes, type(None))
_CONTAINERS = (dict, list, set)
_OF_MODULES = frozenset({"_modules", "_parameters", "_buffers"})
_CAPTURING = ("_hooks", "_hooks_installed")
"""How those attributes end in which transformers notes, at the first pass, how it will hand hidden states out."""


def untouched_copy(model: Module) -> Module:
    """The same weights in a copy of all modules, with buffers, configurations and lists of its own."""
    copied = watched_copy(model)
    configs: dict[int, Any] = {}
    for module in copied.modules():
        state = vars(module)
        state["_parameters"] = dict(state["_parameters"])
        state["_buffers"] = {name: None if kept is None else kept.clone() for name, kept in state["_buffers"].items()}
        for name, value in state.items():
            if isinstance(value, _CONTAINERS) and not name.startswith("_"):
                state[name] = copy(value)
            elif name == "config":
                state[name] = configs.setdefault(id(value), copy(value))
    return copied


def state_of(model: nn.Module) -> dict[str, Any]:
    """Everything about a model that a forward pass may change, to be compared with the same of later."""
    found: dict[str, Any] = {}
    for name, module in model.named_modules(remove_duplicate=False):
        state = vars(module)
        found[name] = type(module)
        for attribute, value in state.items():
            if attribute not in _OF_MODULES and not attribute.endswith(_CAPTURING):
                found[f"{name}.{attribute}"] = _comparable(value)
        found |= {f"{name}.{of} (parameter)": id(weight) for of, weight in state["_parameters"].items()}
        found |= {f"{name}.{of} (buffer)": _values(kept) for of, kept in state["_buffers"].items()}
    return found


def classes_in(model: nn.Module) -> frozenset[type[nn.Module]]:
    """The classes of all modules: others after a pass than after another one mean that it took another attention."""
    return frozenset(map(type, model.modules()))


def changes_by_length(model: nn.Module) -> bool:
    """Whether the positions of a model are of a kind that is computed anew for longer texts."""
    return any(_is_by_length(getattr(module, ROPE_TYPE, None)) for module in model.modules())


def _is_by_length(kind: Any) -> bool:
    kinds = kind.values() if isinstance(kind, dict) else [kind]  # one for each kind of layer
    return any(each in BY_LENGTH for each in kinds)


@contextmanager
def same_randomness(device: torch.device) -> Iterator[None]:
    """Draw what is drawn inside the block without a trace on the generators of Python, NumPy and PyTorch."""
    of_python, of_numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 - BigBird seeds this one
    try:
        with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
            yield
    finally:
        random.setstate(of_python)
        np.random.set_state(of_numpy)  # noqa: NPY002


def randomness() -> tuple[Any, ...]:
    """The states of the generators, to be compared."""
    of_numpy = np.random.get_state(legacy=False)  # noqa: NPY002
    return random.getstate(), repr(of_numpy), torch.get_rng_state().numpy().tobytes()


def _comparable(value: Any) -> Any:
    if isinstance(value, _PLAIN) or (isinstance(value, tuple) and all(isinstance(each, _PLAIN) for each in value)):
        return value
    if isinstance(value, _CONTAINERS):
        return id(value), len(value)
    if hasattr(value, "to_dict"):  # a configuration
        return id(value), repr(sorted(vars(value).items(), key=lambda item: item[0]))
    return id(value)


def _values(kept: Tensor | None) -> Any:
    return None if kept is None else (kept.shape, kept.dtype, kept.detach().cpu().numpy().tobytes())
