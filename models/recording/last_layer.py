"""Find the module of a transformers model that gives the output of its last layer.

A body that ends in a norm (pre-LN, Xiong et al. 2020) reports its last hidden state after that norm, and all others
before it. The layers are found by their numbers: those whose outputs are the inner hidden states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers.utils.generic import ModelOutput

from models.recording.watched_copy import Hook, block_lists, with_hooks
from models.values.record import Kind

TOLERANCE = 1e-5
"""Two tensors are the same if they differ by less than this part of the largest number."""


def module_of_last_layer(
    body: nn.Module,
    run: Callable[[nn.Module], Sequence[Tensor]],
    *,
    kind: Kind,
    n_layers: Mapping[Kind, int],
) -> str | None:
    """Return the name of the module that gives the last hidden state, if `run` gives another tensor in its place.

    `run` takes a copy of the body through a text and returns its hidden states, n_layers + 1 of them. None if the last
    of these is the output of a layer already, or if no modules were found that give the others.
    """
    candidates = [(blocks, list[Tensor]()) for blocks in block_lists(body, kind, n_layers)]
    hooks = {name: output_hook(outputs) for blocks, outputs in candidates for name in blocks}
    states = run(with_hooks(body, hooks))
    for blocks, outputs in candidates:
        if _are_layers(outputs, states):
            return None if _are_close(outputs[-1], states[-1]) else blocks[-1]
    return None


def output_hook(outputs: list[Tensor], name: str | None = None) -> Hook:
    """Return a hook that appends to `outputs` the first tensor of a module's output, or the one of this name."""

    def hook(_module: nn.Module, _args: tuple[Any, ...], output: Any) -> None:
        if name is not None:
            tensor = output.get(name) if isinstance(output, ModelOutput) else None
        else:
            tensor = output[0] if isinstance(output, tuple) and output else output
        if isinstance(tensor, Tensor):
            outputs.append(tensor)

    return hook


def _are_layers(outputs: Sequence[Tensor], states: Sequence[Tensor]) -> bool:
    """Return whether these are the outputs of all layers: one each, all but the last among the hidden states."""
    inner = zip(outputs[:-1], states[1:-1], strict=False)
    is_whole = bool(outputs) and len(outputs) == len(states) - 1 and outputs[-1].shape == states[0].shape
    return is_whole and all(_are_close(*pair) for pair in inner)


def _are_close(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and torch.allclose(one, other, rtol=0, atol=TOLERANCE * float(other.abs().max()))
