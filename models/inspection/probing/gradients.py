"""How the logit difference changes with every weight or output of every head, and with what the first layers read.

Gradients come through the choke point of all attention: what they are taken by is kept there for the time of one pass,
in this thread. No parameter gets a gradient, so other threads may use the model meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from models.inspection.probing.altered import instead_of, with_states
from models.inspection.probing.expected import expect_heads
from models.inspection.probing.probe import Probe, difference
from models.inspection.probing.projections import as_array
from models.recording.assemble import stack_layers
from models.recording.attention_call import AttentionCall, fused_output, output_and_weights
from models.recording.layer_calls import Layer, first_tensor, with_first_tensor
from models.recording.recorder import replacing_outputs, undisturbed
from models.values.probing.changes import Changes, Stack, keys_of, stack_of
from models.values.probing.contrast import Contrast
from models.values.probing.gradients import EmbeddingGradients, Gradients, GradientsBy, OutputGradients, WeightGradients
from models.values.record import Kind, no_vectors

TOKENS_AT_ONCE = 1024
"""How many tokens a batch has at most: everything that passes through the model is kept for the way back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """What gradients are taken by: what the first layers read, and the weights or the outputs of every layer; a row a
    change."""

    embeddings: dict[Stack, Tensor] = field(default_factory=dict)
    weights: dict[Kind, list[Tensor]] = field(default_factory=dict)
    outputs: dict[Kind, list[Tensor]] = field(default_factory=dict)

    @property
    def all(self) -> list[Tensor]:
        of_heads = chain(*self.weights.values(), *self.outputs.values())
        return [*self.embeddings.values(), *of_heads]

    def attended(self, call: AttentionCall, by: GradientsBy) -> Tensor:
        """The output of a call [b, n_heads, n_query, d_head], with what gradients are taken by kept."""
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
    """The gradients under each of the changes, in batches. Raises MissingCapabilityError for those of heads whose
    weights the model hands out alone, and for changed heads of such a model."""
    if not probe.info.has_vectors and (by != "embeddings" or any(each.heads or each.hidden for each in changes)):
        raise no_vectors(probe.info)
    expect_heads((edit for each in changes for edit in each.heads), probe.n_layers)
    at_once = probe.rows_at_once(TOKENS_AT_ONCE)
    batches = (changes[begin : begin + at_once] for begin in range(0, len(changes), at_once))
    return tuple(found for rows in batches for found in _of_batch(probe, contrast, rows, by=by))


def _of_batch(
    probe: Probe, contrast: Contrast, changes: Sequence[Changes], *, by: GradientsBy
) -> tuple[Gradients, ...]:
    kept = _Kept()

    def read(layer: int, own: Layer, args: tuple[Any, ...], kwargs: dict[str, Any], *, stack: Stack) -> Any:
        states = with_states(first_tensor(args, kwargs), changes, stack, layer)
        if layer == 0:
            states = kept.embeddings[stack] = states.detach().requires_grad_()
        args, kwargs = with_first_tensor(args, kwargs, states)
        return own(*args, **kwargs)

    def attend(call: AttentionCall, _layer: int) -> Tensor:
        return kept.attended(call, by)

    instead = instead_of(changes, None if by == "embeddings" else attend)
    with undisturbed(), torch.inference_mode(mode=False), torch.enable_grad(), replacing_outputs(instead):
        through = {stack: partial(read, stack=stack) for stack in probe.stacks}
        differences = difference(contrast, probe.passed(through, [each.blank for each in changes]))  # [n_rows]
        found = torch.autograd.grad(differences.sum(), kept.all, materialize_grads=True)
    gradient_of = dict(zip(map(id, kept.all), found, strict=True))
    return tuple(
        Gradients(
            contrast=contrast, difference=exact, embeddings=_embeddings(probe, kept, gradient_of, row),
            weights=_weights(probe, kept, gradient_of, row), outputs=_outputs(probe, kept, gradient_of, row),
        )
        for row, exact in enumerate(differences.tolist())
    )  # fmt: skip


def _embeddings(
    probe: Probe, kept: _Kept, gradient_of: Mapping[int, Tensor], row: int
) -> tuple[EmbeddingGradients, ...]:
    return tuple(
        EmbeddingGradients(
            stack=stack, tokens=probe.tokens[stack], embeddings=as_array(states[row]),
            gradient=as_array(gradient_of[id(states)][row]),
        )
        for stack, states in kept.embeddings.items()
    )  # fmt: skip


def _weights(probe: Probe, kept: _Kept, gradient_of: Mapping[int, Tensor], row: int) -> tuple[WeightGradients, ...]:
    return tuple(
        WeightGradients(
            kind=kind, query_tokens=probe.tokens[stack_of(kind)], key_tokens=probe.tokens[keys_of(kind)],
            weights=stack_layers([each[row] for each in layers]),
            gradient=stack_layers([gradient_of[id(each)][row] for each in layers]),
        )
        for kind, layers in kept.weights.items()
    )  # fmt: skip


def _outputs(probe: Probe, kept: _Kept, gradient_of: Mapping[int, Tensor], row: int) -> tuple[OutputGradients, ...]:
    return tuple(
        OutputGradients(
            kind=kind, query_tokens=probe.tokens[stack_of(kind)],
            outputs=stack_layers([each[row] for each in layers]),
            gradient=stack_layers([gradient_of[id(each)][row] for each in layers]),
        )
        for kind, layers in kept.outputs.items()
    )  # fmt: skip
