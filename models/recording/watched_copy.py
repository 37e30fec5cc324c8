"""Copies of a model to watch: they share every weight, and what is hung on them never touches the model of others."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from re import search
from types import MethodType
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from models.values.record import Array, Kind

Module = TypeVar("Module", bound=nn.Module)
Hook = Callable[[nn.Module, tuple[Any, ...], Any], None]
"""What is called after a module with the module, what it was given and what it gave."""
_HOOKS = (
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InsteadOfForward:
    """A forward of one module, by way of somebody else who is given the module's own; a twin gets its own."""

    module: nn.Module
    through: Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.through(MethodType(type(self.module).forward, self.module), args, kwargs)

    def put_on(self, module: nn.Module) -> None:
        """Have a module called so from now on."""
        vars(module)["forward"] = replace(self, module=module)


def watched_copy(model: Module) -> Module:
    """The same tree of modules over the same weights, with hooks of its own; a module used twice stays one."""
    twins: dict[int, nn.Module] = {}

    def twin_of(module: Module) -> Module:
        if id(module) not in twins:
            twin = twins[id(module)] = _twin(module)
            children = vars(module)["_modules"].items()
            vars(twin)["_modules"] = {name: child if child is None else twin_of(child) for name, child in children}
        found: Any = twins[id(module)]
        same_class: Module = found
        return same_class

    return twin_of(model)


def with_hooks(model: Module, hooks: Mapping[str, Hook]) -> Module:
    """The same model with hooks on some modules, by name: only those, and what holds them, are copies."""
    return with_twins(model, {name: partial(_hooked, hook=hook) for name, hook in hooks.items()})


def _hooked(module: nn.Module, *, hook: Hook) -> None:
    module.register_forward_hook(hook)


def with_twins(model: Module, changes: Mapping[str, Callable[[nn.Module], None]]) -> Module:
    """The same model with twins of some modules, by name, each changed: only those, and what holds them, are copies."""
    twins: dict[str, nn.Module] = {}

    def twin_of(name: str) -> nn.Module:
        if name not in twins:
            twins[name] = _twin(model.get_submodule(name))
            if name:
                holder, _, own_name = name.rpartition(".")
                vars(twin_of(holder))["_modules"][own_name] = twins[name]
        return twins[name]

    for name, change in changes.items():
        change(twin_of(name))
    found: Any = twin_of("")
    same_class: Module = found
    return same_class


def _twin(module: nn.Module) -> nn.Module:
    """A copy over the same weights and children, with lists of hooks and of children of its own."""
    twin = copy(module)
    state = vars(twin)
    for name in _HOOKS:
        state[name] = OrderedDict(vars(module)[name])
    state["_modules"] = dict(vars(module)["_modules"])
    if isinstance(instead := state.get("forward"), InsteadOfForward):
        instead.put_on(twin)
    return twin


def block_lists(body: nn.Module, kind: Kind, n_layers: Mapping[Kind, int]) -> tuple[tuple[str, ...], ...]:
    """The names of modules that may be a layer each, likeliest first: the lists that are as long as there are layers.

    Without such a list, the one module that all layers share (ALBERT).
    """
    side = "encoder" if kind == "encoder" else "decoder"
    names = [name for name, _ in body.named_modules()]
    if len(n_layers) > 1:
        names = [name for name in names if search(rf"(^|\.){side}(\.|$)", name)]
    numbered = [name for name in names if name.rpartition(".")[2].isdigit()]
    lists: dict[str, list[str]] = {}
    for name in numbered:
        lists.setdefault(name.rpartition(".")[0], []).append(name)
    fitting = tuple(tuple(blocks) for blocks in lists.values() if len(blocks) == n_layers[kind])
    return fitting or (tuple(numbered[-1:]),)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleCall:
    """A module of a model, by its name, with the first array that it was given and the first that it gave, [n, d]."""

    name: str
    module: nn.Module
    given: Array
    gave: Array

    @property
    def is_norm(self) -> bool:
        """Whether it is one of the many classes of layer norm, by whatever mean they norm."""
        return type(self.module).__name__.lower().endswith("norm")


@dataclass(slots=True, kw_only=True)
class Watch:
    """What was seen of one pass: the calls inside the `layer`-th block, those before the first block, both in order."""

    layer: int
    inside: list[ModuleCall] = field(default_factory=list)
    before: list[ModuleCall] = field(default_factory=list)
    begun: int = 0
    """How many blocks have begun."""
    open_blocks: int = 0
    whole: ModuleCall | None = None
    """The block itself."""
    first_given: Array | None = None
    """What the first block was given: the embeddings."""


def watch(copied: nn.Module, blocks: Sequence[str], layer: int) -> Watch:
    """Hang hooks on a watched copy that see the `layer`-th call of any of its `blocks`, and all before the first."""
    seen = Watch(layer=layer)
    for name, module in copied.named_modules():
        if name in blocks:
            module.register_forward_pre_hook(_begin(seen), with_kwargs=True)
        if name:
            module.register_forward_hook(_end(seen, name, is_block=name in blocks), with_kwargs=True)
    return seen


def _begin(seen: Watch) -> Any:
    def hook(_module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if seen.begun == 0:
            seen.first_given = _first_array(args, kwargs)
        seen.begun += 1
        seen.open_blocks += 1

    return hook


def _end(seen: Watch, name: str, *, is_block: bool) -> Any:
    def hook(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        is_here = seen.open_blocks > 0 and seen.begun == seen.layer + 1
        if is_block:
            seen.open_blocks -= 1
        if not (is_here or seen.begun == 0):
            return
        given, gave = _first_array(args, kwargs), _first_array((output,), {})
        if gave is None:
            return
        nothing = np.empty((0, 0), dtype=np.float32)  # Marian's positions are given a shape, and no tensor
        call = ModuleCall(name=name, module=module, given=nothing if given is None else given, gave=gave)
        if is_block and is_here:
            seen.whole = call
        else:
            (seen.inside if is_here else seen.before).append(call)

    return hook


def _first_array(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Array | None:
    """The first tensor among arguments, or in a tuple, with the batch of one removed: [n_tokens, columns]."""
    for value in (*args, *kwargs.values()):
        tensor = value[0] if isinstance(value, tuple) and value else value
        if isinstance(tensor, Tensor) and tensor.dim():
            kept = tensor.detach()
            array: Array = kept.reshape(-1, kept.shape[-1]).cpu().to(torch.float32, copy=True).numpy()
            return array
    return None
