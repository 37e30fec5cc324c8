"""Copies of a model to watch: they share every weight, and hooks on a copy never touch the model itself."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from re import search
from types import MethodType
from typing import Any, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from models.values.record import Array, Kind

Module = TypeVar("Module", bound=nn.Module)
Hook = Callable[[nn.Module, tuple[Any, ...], Any], Any]
"""A forward hook: takes a module, its arguments and its output."""
HOOKS = (
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedForward:
    """A forward that leaves a module's own to the function `call`; a copy of the module gets its own."""

    module: nn.Module
    call: Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call(MethodType(type(self.module).forward, self.module), args, kwargs)

    def put_on(self, module: nn.Module) -> None:
        """Replace the forward of a module."""
        vars(module)["forward"] = replace(self, module=module)


def watched_copy(model: Module) -> Module:
    """Copy the tree of modules over the same weights, with hooks of its own; a module used twice stays one."""
    twins: dict[int, nn.Module] = {}

    def twin_of(module: Module) -> Module:
        if id(module) not in twins:
            twin = twins[id(module)] = _twin(module)
            children = vars(module)["_modules"].items()
            vars(twin)["_modules"] = {name: child if child is None else twin_of(child) for name, child in children}
        twin_of_same_class: Any = twins[id(module)]
        return cast(Module, twin_of_same_class)

    return twin_of(model)


def with_hooks(model: Module, hooks: Mapping[str, Hook]) -> Module:
    """Return the model with hooks on some modules, by name: only those, and the modules above them, are copied."""
    return with_twins(model, {name: partial(_add_hook, hook=hook) for name, hook in hooks.items()})


def _add_hook(module: nn.Module, *, hook: Hook) -> None:
    module.register_forward_hook(hook)


def with_twins(model: Module, changes: Mapping[str, Callable[[nn.Module], None]]) -> Module:
    """Return the model with some modules changed, by name: only those, and the modules above them, are copied."""
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
    return cast(Module, twin_of(""))


def _twin(module: nn.Module) -> nn.Module:
    """Copy a module over the same weights and children, with lists of hooks and of children of its own."""
    twin = copy(module)
    state = vars(twin)
    for name in HOOKS:
        state[name] = OrderedDict(vars(module)[name])
    state["_modules"] = dict(vars(module)["_modules"])
    if isinstance(forward := state.get("forward"), ReplacedForward):
        forward.put_on(twin)
    return twin


def is_projection(module: nn.Module) -> bool:
    """Return whether a module multiplies by a matrix of its own."""
    weight = getattr(module, "weight", None)
    return isinstance(weight, Tensor) and weight.dim() == 2 and not isinstance(module, nn.Embedding)


def block_lists(body: nn.Module, kind: Kind, n_layers: Mapping[Kind, int]) -> tuple[tuple[str, ...], ...]:
    """Return the names of modules that may be a layer each, likeliest first: lists with as many items as layers.

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
    """One call of a module: its name, the first array of its input and the first of its output, [n, d]."""

    name: str
    module: nn.Module
    input: Array
    output: Array

    @property
    def is_norm(self) -> bool:
        """Whether the module is one of the many classes of norms."""
        return type(self.module).__name__.lower().endswith("norm")


@dataclass(slots=True, kw_only=True)
class Watch:
    """The calls of modules in one pass: inside the `layer`-th block, and before the first block, both in order."""

    layer: int
    inside: list[ModuleCall] = field(default_factory=list)
    before: list[ModuleCall] = field(default_factory=list)
    n_begun: int = 0
    """The number of blocks that have begun."""
    open_blocks: int = 0
    whole: ModuleCall | None = None
    """The block itself."""
    first_input: Array | None = None
    """The input of the first block: the embeddings."""


def watch(model_copy: nn.Module, blocks: Sequence[str], layer: int) -> Watch:
    """Add hooks to a copy that note the `layer`-th call of any of its `blocks`, and all calls before the first."""
    watched = Watch(layer=layer)
    for name, module in model_copy.named_modules():
        if name in blocks:
            module.register_forward_pre_hook(_begin_hook(watched), with_kwargs=True)
        if name:
            module.register_forward_hook(_end_hook(watched, name, is_block=name in blocks), with_kwargs=True)
    return watched


def _begin_hook(watched: Watch) -> Any:
    def hook(_module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if watched.n_begun == 0:
            watched.first_input = _first_array(args, kwargs)
        watched.n_begun += 1
        watched.open_blocks += 1

    return hook


def _end_hook(watched: Watch, name: str, *, is_block: bool) -> Any:
    def hook(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        is_here = watched.open_blocks > 0 and watched.n_begun == watched.layer + 1
        if is_block:
            watched.open_blocks -= 1
        if not (is_here or watched.n_begun == 0):
            return
        input_array, output_array = _first_array(args, kwargs), _first_array((output,), {})
        if output_array is None:
            return
        nothing = np.empty((0, 0), dtype=np.float32)  # Marian's positions are given a shape, and no tensor
        call = ModuleCall(
            name=name, module=module, input=nothing if input_array is None else input_array, output=output_array
        )
        if is_block and is_here:
            watched.whole = call
        else:
            (watched.inside if is_here else watched.before).append(call)

    return hook


def _first_array(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Array | None:
    """Return the first tensor among arguments, or in a tuple, without the dimension of the batch: [n_tokens, d]."""
    for value in (*args, *kwargs.values()):
        tensor = value[0] if isinstance(value, tuple) and value else value
        if isinstance(tensor, Tensor) and tensor.dim():
            rows = tensor.detach().reshape(-1, tensor.shape[-1])  # [n_tokens, d]
            array: Array = rows.cpu().to(torch.float32, copy=True).numpy()
            return array
    return None
