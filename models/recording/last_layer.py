"""Where a transformers model leaves the output of its last layer.

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
    """The name of the module whose last output is the last hidden state where `run` gives something else for it.

    `run` takes a copy of the body through a text and gives its hidden states, n_layers + 1 of them. None if their last
    is the output of a layer already, or if no modules were found that give the others.
    """
    found = [(blocks, list[Tensor]()) for blocks in block_lists(body, kind, n_layers)]
    hooks = {name: keeping(gave) for blocks, gave in found for name in blocks}
    states = run(with_hooks(body, hooks))
    for blocks, gave in found:
        if _are_layers(gave, states):
            return None if _same(gave[-1], states[-1]) else blocks[-1]
    return None


def keeping(outputs: list[Tensor], name: str | None = None) -> Hook:
    """A hook that keeps the first tensor of what a module gives, or the one of this name."""

    def hook(_module: nn.Module, _given: tuple[Any, ...], gave: Any) -> None:
        if name is not None:
            kept = gave.get(name) if isinstance(gave, ModelOutput) else None
        else:
            kept = gave[0] if isinstance(gave, tuple) and gave else gave
        if isinstance(kept, Tensor):
            outputs.append(kept)

    return hook


def _are_layers(gave: Sequence[Tensor], states: Sequence[Tensor]) -> bool:
    """Whether these are the outputs of all layers: one each, all but the last among the hidden states."""
    inner = zip(gave[:-1], states[1:-1], strict=False)
    is_whole = bool(gave) and len(gave) == len(states) - 1 and gave[-1].shape == states[0].shape
    return is_whole and all(_same(*pair) for pair in inner)


def _same(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and torch.allclose(one, other, rtol=0, atol=TOLERANCE * float(other.abs().max()))
