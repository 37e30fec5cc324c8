"""The answer at one place read after every layer, and how the last states change with those of every layer.

What a layer says: the rest of the model (a final norm, the head) reads its state in place of the last one. As it is,
that is the "logit lens" (nostalgebraist 2020, "interpreting GPT: the logit lens"). Carried to the last layer by the
mean Jacobian first, it is the "Jacobian lens" (Gurnee et al. 2026, "Verbalizable Representations Form a Global
Workspace in Language Models").
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from models.inspection.probing.probe import Probe
from models.recording.layer_calls import Layer, first_tensor, with_first_tensor
from models.recording.recorder import suspend_observer
from models.values.errors import SelectionError, UnsupportedModelError
from models.values.record import Array
from models.values.wording import worded

TOKENS_AT_ONCE = 2048
"""The largest number of tokens in a batch whose activations are kept for the backward passes."""


@torch.no_grad()
def logits_by_layer(probe: Probe, carried_by: Array | None = None) -> Tensor:
    """Return the logits that the state after every layer leads to [n_layers + 1, n_choices]; entry 0: the embeddings.

    `carried_by` [n_layers, d_model, d_model] takes the states below the last one to the last layer. Raises
    SelectionError if it is of another shape.
    """
    try:
        return _logits_of_states(probe, carried_by, slice(None))
    except UnsupportedModelError:  # GPT-1 gives back no more rows than it was given
        n_states = list(probe.stacks.values())[-1] + 1
        return torch.cat(
            [_logits_of_states(probe, carried_by, slice(number, number + 1)) for number in range(n_states)]
        )


def _logits_of_states(probe: Probe, carried_by: Array | None, chosen: slice) -> Tensor:
    """Return the logits that some of the states lead to [n_chosen, n_choices], in one pass."""
    stack, n_layers = list(probe.stacks.items())[-1]
    states: list[Tensor] = []

    def call_layer(number: int, layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        states.append(first_tensor(args, kwargs)[0])  # [n_tokens, d_model]
        output = layer(*args, **kwargs)
        if number < n_layers - 1:
            return output
        last = first_tensor((output,), {})[0]
        rows = torch.stack([*_carry_to_last(states, carried_by), last])  # [n_layers + 1, n_tokens, d_model]
        return with_first_tensor((output,), {}, rows[chosen])[0][0]

    with suspend_observer():
        return probe.logits_through({stack: call_layer}, [()])


def _carry_to_last(states: list[Tensor], matrices: Array | None) -> list[Tensor]:
    """Return the states of every layer [n_tokens, d_model], taken to the last layer if matrices are given."""
    if matrices is None:
        return states
    d_model = states[0].shape[-1]
    if matrices.shape != (len(states), d_model, d_model):
        raise SelectionError(
            worded(
                "The lens has matrices of the shape {given}, and this model needs {expected}. Compute a lens for this "
                "model.",
                given=repr(matrices.shape),
                expected=repr((len(states), d_model, d_model)),
            )
        )
    return [
        (state.float() @ torch.tensor(matrix, device=state.device).float().T).to(state.dtype)
        for state, matrix in zip(states, matrices, strict=True)
    ]


def state_jacobians(probe: Probe) -> Array:
    """Return how the last state at the place of the answer changes with those there [n_layers, d_model, d_model].

    Entry [l, i, j] is the derivative of feature i of the last state by feature j of the state before layer l, both of
    the token at which the model answers: the estimator of each position by itself (the paper's also sums over the
    tokens that follow, and what it reads in our small models is further from their answers).
    """
    stack, n_layers = list(probe.stacks.items())[-1]
    inputs: list[Tensor] = []
    last: list[Tensor] = []
    n_rows = min(probe.rows_at_once(TOKENS_AT_ONCE), probe.info.d_model)

    def call_layer(number: int, layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        states = first_tensor(args, kwargs)
        if number == 0:
            states = states.detach().requires_grad_()
            args, kwargs = with_first_tensor(args, kwargs, states)
        inputs.append(states)
        output = layer(*args, **kwargs)
        if number == n_layers - 1:
            last.append(first_tensor((output,), {})[:, probe.position or 0])  # [n_rows, d_model]
        return output

    def rows_of(features: Tensor) -> Tensor:
        """Return some rows of every layer's Jacobian [n_layers, n_features, d_model]: one for each row of the batch."""
        picked = last[0][torch.arange(len(features)), features].sum()
        gradients = torch.autograd.grad(picked, inputs, retain_graph=True)  # each [n_rows, n_tokens, d_model]
        rows = [gradient[: len(features), probe.position or 0].float().cpu() for gradient in gradients]
        return torch.stack(rows)

    with suspend_observer(), torch.inference_mode(mode=False), torch.enable_grad():
        probe.logits_through({stack: call_layer}, [()] * n_rows)
        parts = [rows_of(features) for features in torch.split(torch.arange(last[0].shape[-1]), n_rows)]
    jacobians: Array = torch.cat(parts, dim=1).numpy()
    return jacobians
