"""Passes that leave no trace: copies of a model that its own forward may change, and ways to see such a change.

Some classes of transformers change themselves in their forward: BigBird keeps full attention for good after one short
text, angles of dynamic rotary positions grow with the longest text so far, Funnel stores the length of its text.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.recording.watched_copy import HOOKS, Module, watched_copy

ROPE_TYPE, BY_LENGTH = "rope_type", ("dynamic", "longrope")
"""Rotary positions whose angles are computed anew for a longer text, and kept: a short text shows nothing of it."""
_PLAIN = (bool, int, float, str, bytes, type(None))
_CONTAINERS = (dict, list, set)
_OF_MODULES = frozenset({"_modules", "_parameters", "_buffers"})
HOOKS_ARE_THERE = "_hooks_installed"
_CAPTURING = ("_hooks", HOOKS_ARE_THERE)
"""The endings of attributes in which transformers stores, at the first pass, how it will return hidden states."""


def untouched_copy(model: Module) -> Module:
    """Copy all modules of a model over the same weights, with buffers, configurations and lists of their own."""
    model_copy = watched_copy(model)
    copies: dict[int, Any] = {}
    for module in model_copy.modules():
        state = vars(module)
        state["_parameters"] = dict(state["_parameters"])
        state["_buffers"] = {
            name: None if buffer is None else buffer.clone() for name, buffer in state["_buffers"].items()
        }
        for name, value in state.items():
            if isinstance(value, _CONTAINERS) and not name.startswith("_"):
                state[name] = copy(value)
            elif name == "config" or _keeps_values(value):
                state[name] = copies.setdefault(id(value), copy(value))
    return model_copy


def _keeps_values(value: Any) -> bool:
    """Whether a value is an object of transformers, or of a stranger, that may store what it has computed, as
    Chameleon's table of its vocabulary does."""
    is_plain = isinstance(value, nn.Module | Tensor | type) or callable(value) or hasattr(value, "to_dict")
    return not is_plain and hasattr(value, "__dict__")


def private_copy(model: Module) -> Module:
    """Copy a model over the same weights, with everything else of its own and no hooks: what the copy is moved to,
    converted to or set to leaves the model as it is."""
    memo: dict[int, Any] = {}
    for module in model.modules():
        state = vars(module)
        for weight in state["_parameters"].values():
            if weight is not None:
                memo.setdefault(id(weight), nn.Parameter(weight.detach(), requires_grad=False))
        memo |= {id(state[name]): OrderedDict() for name in HOOKS if name in state}
    copied = deepcopy(model, memo)
    for module in copied.modules():
        state = vars(module)
        for name in [name for name in state if name.endswith(HOOKS_ARE_THERE)]:
            del state[name]  # so that transformers puts its own hooks on the copy
    return copied


def state_of(model: nn.Module) -> dict[str, Any]:
    """Return everything about a model that a forward pass may change, to be compared with its state afterwards."""
    values: dict[str, Any] = {}
    configs: dict[int, str] = {}
    for name, module in model.named_modules(remove_duplicate=False):
        state = vars(module)
        values[name] = type(module)
        for attribute, value in state.items():
            if attribute not in _OF_MODULES and not attribute.endswith(_CAPTURING):
                values[f"{name}.{attribute}"] = _comparable(value, configs)
        values |= {f"{name}.{key} (parameter)": id(weight) for key, weight in state["_parameters"].items()}
        values |= {f"{name}.{key} (buffer)": _contents(buffer) for key, buffer in state["_buffers"].items()}
    return values


def classes_in(model: nn.Module) -> frozenset[type[nn.Module]]:
    """Return the classes of all modules: if they differ after two passes, the model changed its kind of attention."""
    return frozenset(map(type, model.modules()))


def changes_by_length(model: nn.Module) -> bool:
    """Return whether the positions of a model are of a kind that is computed anew for longer texts."""
    return any(_is_by_length(getattr(module, ROPE_TYPE, None)) for module in model.modules())


def _is_by_length(kind: Any) -> bool:
    kinds = kind.values() if isinstance(kind, dict) else [kind]  # one for each kind of layer
    return any(rope_type in BY_LENGTH for rope_type in kinds)


@contextmanager
def same_randomness(device: torch.device) -> Iterator[None]:
    """Restore the random generators of Python, NumPy and PyTorch when the block ends."""
    python_state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002 - BigBird seeds this one
    try:
        with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
            yield
    finally:
        random.setstate(python_state)
        np.random.set_state(numpy_state)  # noqa: NPY002


def randomness() -> tuple[Any, ...]:
    """Return the states of the random generators, to be compared."""
    drawn = np.random.get_state(legacy=False)  # noqa: NPY002
    of_numpy = (drawn["state"]["key"].tobytes(), drawn["state"]["pos"], drawn["has_gauss"], drawn["gauss"])
    return random.getstate(), of_numpy, torch.get_rng_state().numpy().tobytes()


def _comparable(value: Any, configs: dict[int, str]) -> Any:
    """Return what tells whether a value was changed; `configs` holds what configurations say that were met before."""
    if isinstance(value, _PLAIN) or (isinstance(value, tuple) and all(isinstance(item, _PLAIN) for item in value)):
        return value
    if isinstance(value, _CONTAINERS):
        return id(value), len(value)
    if _keeps_values(value):
        return id(value), tuple(vars(value))
    if hasattr(value, "to_dict"):  # a configuration
        if id(value) not in configs:
            configs[id(value)] = _contents_of(value)
        return id(value), configs[id(value)]
    return id(value)


def _contents_of(config: Any) -> str:
    """Return what a configuration and those within it say; its own repr looks for what differs from defaults."""
    said = {name: _contents_of(value) if hasattr(value, "to_dict") else value for name, value in vars(config).items()}
    return repr(sorted(said.items()))


def _contents(buffer: Tensor | None) -> Any:
    return None if buffer is None else (buffer.shape, buffer.dtype, buffer.detach().cpu().numpy().tobytes())
