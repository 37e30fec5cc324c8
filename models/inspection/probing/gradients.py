"""Gradients of the logit difference by every weight or output of every head, and by the embeddings.

The tensors are collected where the recorder computes attention, for the time of one pass, in this thread. No parameter
gets a gradient, so other threads may use the model meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from models.inspection.probing.altered import replacement_for, with_states
from models.inspection.probing.expected import expect_heads
from models.inspection.probing.probe import Probe, difference, expect_state_a_token, unlike_layers
from models.recording.assemble import on_cpu, stack_layers
from models.recording.attention_call import AttentionCall, fused_output, output_and_weights
from models.recording.layer_calls import Layer, first_tensor, with_first_tensor
from models.recording.recorder import replacing_outputs, suspend_observer
from models.values.probing.changes import Changes, Stack, keys_of, stack_of
from models.values.probing.contrast import Contrast
from models.values.probing.gradients import EmbeddingGradients, Gradients, GradientsBy, OutputGradients, WeightGradients
from models.values.record import Kind, no_vectors

TOKENS_AT_ONCE = 1024
"""The largest number of tokens in a batch: all activations are kept for the backward pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inputs:
    """The tensors to differentiate by: embeddings, and the weights or outputs of every layer; a row for each change."""

    embeddings: dict[Stack, Tensor] = field(default_factory=dict)
    weights: dict[Kind, list[Tensor]] = field(default_factory=dict)
    outputs: dict[Kind, list[Tensor]] = field(default_factory=dict)

    @property
    def all(self) -> list[Tensor]:
        of_heads = chain(*self.weights.values(), *self.outputs.values())
        return [*self.embeddings.values(), *of_heads]

    def attend(self, call: AttentionCall, by: GradientsBy) -> Tensor:
        """Return the output of a call [b, n_heads, n_query, d_head], and keep its weights or the output itself."""
        if by == "weights":
            output, weights = output_and_weights(call)
            self.weights.setdefault(call.kind, []).append(weights)
            return output
        output = fused_output(call)
        self.outputs.setdefault(call.kind, []).append(output)
        return output


def gradients_under(
    probe: Probe, contrast: Contrast, changes: Sequence[Changes], *, by: GradientsBy
) -> tuple[Gradients, ...]:
    """Return the gradients under each of the changes, in batches.

    Raises MissingCapabilityError for gradients by heads, or changed heads, of a model recorded without vectors.
    """
    if not probe.info.has_vectors and (by != "embeddings" or any(change.heads or change.hidden for change in changes)):
        raise no_vectors(probe.info)
    expect_heads((edit for change in changes for edit in change.heads), probe.n_layers)
    at_once = probe.rows_at_once(TOKENS_AT_ONCE)
    batches = (changes[begin : begin + at_once] for begin in range(0, len(changes), at_once))
    return tuple(gradients for rows in batches for gradients in _of_batch(probe, contrast, rows, by=by))


def _of_batch(
    probe: Probe, contrast: Contrast, changes: Sequence[Changes], *, by: GradientsBy
) -> tuple[Gradients, ...]:
    inputs = _Inputs()

    def call_layer(number: int, layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any], *, stack: Stack) -> Any:
        states = first_tensor(args, kwargs)
        if number == 0:
            expect_state_a_token(probe, stack, states)
        states = with_states(states, changes, stack, number)
        if number == 0:
            states = inputs.embeddings[stack] = states.detach().requires_grad_()
        args, kwargs = with_first_tensor(args, kwargs, states)
        return layer(*args, **kwargs)

    def attend(call: AttentionCall, _layer: int) -> Tensor:
        return inputs.attend(call, by)

    replace_output = replacement_for(changes, None if by == "embeddings" else attend)
    with suspend_observer(), torch.inference_mode(mode=False), torch.enable_grad(), replacing_outputs(replace_output):
        layer_calls = {stack: partial(call_layer, stack=stack) for stack in probe.stacks}
        differences = difference(
            contrast, probe.logits_through(layer_calls, [change.blank for change in changes])
        )  # [n_rows]
        if not differences.requires_grad:  # Reformer's layers give none on
            raise unlike_layers(probe.info.name)
        gradients = torch.autograd.grad(differences.sum(), inputs.all, materialize_grads=True)
    gradient_of = dict(zip(map(id, inputs.all), gradients, strict=True))
    return tuple(
        Gradients(
            contrast=contrast,
            difference=exact,
            embeddings=_embeddings(probe, inputs, gradient_of, row),
            weights=_weights(probe, inputs, gradient_of, row),
            outputs=_outputs(probe, inputs, gradient_of, row),
        )
        for row, exact in enumerate(differences.tolist())
    )


def _embeddings(
    probe: Probe, inputs: _Inputs, gradient_of: Mapping[int, Tensor], row: int
) -> tuple[EmbeddingGradients, ...]:
    return tuple(
        EmbeddingGradients(
            stack=stack,
            tokens=probe.tokens[stack],
            embeddings=on_cpu(states[row]),
            gradient=on_cpu(gradient_of[id(states)][row]),
        )
        for stack, states in inputs.embeddings.items()
    )


def _weights(probe: Probe, inputs: _Inputs, gradient_of: Mapping[int, Tensor], row: int) -> tuple[WeightGradients, ...]:
    return tuple(
        WeightGradients(
            kind=kind,
            query_tokens=probe.tokens[stack_of(kind)],
            key_tokens=probe.tokens[keys_of(kind)],
            weights=stack_layers([layer[row] for layer in layers]),
            gradient=stack_layers([gradient_of[id(layer)][row] for layer in layers]),
        )
        for kind, layers in inputs.weights.items()
    )


def _outputs(probe: Probe, inputs: _Inputs, gradient_of: Mapping[int, Tensor], row: int) -> tuple[OutputGradients, ...]:
    return tuple(
        OutputGradients(
            kind=kind,
            query_tokens=probe.tokens[stack_of(kind)],
            outputs=stack_layers([layer[row] for layer in layers]),
            gradient=stack_layers([gradient_of[id(layer)][row] for layer in layers]),
        )
        for kind, layers in inputs.outputs.items()
    )
