"""The residual streams that lead to an answer, found by their numbers, and how the answer is read from the last state.

What each layer adds is recognised as in the walk (`models.inspection.layer_parts`), and held against what the next one
reads: a stream whose sums do not lead from layer to layer is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.inspection.layer_parts import LayerParts, find_parts, same
from models.inspection.probing.fixed import FixedStatistics, with_fixed_activations
from models.inspection.probing.norms import fixed_norm
from models.inspection.probing.probe import PlainPass, Probe, difference, plain_pass
from models.inspection.probing.projections import as_array, linear_map, slices_of
from models.recording.attention_call import AttentionCall, fused_output
from models.recording.layer_calls import first_tensor, with_first_tensor, with_layer_calls
from models.recording.recorder import recording, undisturbed
from models.recording.watched_copy import Watch, watch, watched_copy
from models.values.errors import UnsupportedModelError
from models.values.probing.changes import Stack
from models.values.probing.contrast import Contrast
from models.values.probing.stream import AnswerStreams, FixedNorm, Projection, ResidualStream, SubLayer
from models.values.record import Array
from models.values.wording import worded


def answer_streams(probe: Probe, contrast: Contrast) -> AnswerStreams:
    """Everything that is added up on the way to an answer. Raises UnsupportedModelError if it does not add up."""
    if probe.info.mixes_otherwise or probe.info.layer_numbers:
        raise _not_a_sum(probe.info.name)
    plain = plain_pass(probe)
    streams = tuple(_stream(probe, plain, stack) for stack in probe.stacks)
    direction, whole = _direction(probe, plain, contrast)
    last = as_array(first_tensor((plain.gave[streams[-1].stack][-1],), {})[0])  # [n_tokens, d_model]
    return AnswerStreams(
        info=probe.info, contrast=contrast, streams=streams, direction=direction,
        constant=whole - float((direction.astype(np.float64) * last).sum()), difference=whole,
    )  # fmt: skip


def _direction(probe: Probe, plain: PlainPass, contrast: Contrast) -> tuple[Array, float]:
    """How the logit difference is read from what the last layer gives [n_tokens, d_model], and the difference."""
    answering = tuple(probe.stacks)[-1]
    ends: list[Tensor] = []

    def given(layer: int, *_others: Any, stack: Stack) -> Any:
        gave = plain.gave[stack][layer]
        if (stack, layer) != (answering, probe.stacks[answering] - 1):
            return gave
        ends.append(first_tensor((gave,), {}).detach().requires_grad_())
        (changed,), _ = with_first_tensor((gave,), {}, ends[-1])
        return changed

    through = [(probe.layers[stack], partial(given, stack=stack)) for stack in probe.stacks]
    with undisturbed(), torch.inference_mode(mode=False), torch.enable_grad(), FixedStatistics():
        copied = with_layer_calls(with_fixed_activations(probe.model), through)
        whole = difference(contrast, probe.run(copied, [()]))  # [1]
        (direction,) = torch.autograd.grad(whole.sum(), ends, create_graph=True, materialize_grads=True)
    if direction.requires_grad and any(_depends(direction, end) for end in ends):
        raise _not_a_sum(probe.info.name)
    return as_array(direction[0]), float(whole.detach())


def _depends(direction: Tensor, end: Tensor) -> bool:
    """Whether the gradient changes with the states, so that the answer is no linear function of them."""
    (change,) = torch.autograd.grad(direction.sum(), end, retain_graph=True, materialize_grads=True)
    return bool(change.any())


def _stream(probe: Probe, plain: PlainPass, stack: Stack) -> ResidualStream:
    """The additions of one stack, checked against what its layers read and gave."""
    watches, calls = watched_layers(probe, plain, stack)
    of_layer: list[list[AttentionCall]] = [[] for _ in watches]
    for kind in probe.n_layers:
        for layer, call in enumerate(call for call in calls if call.kind == kind):
            of_layer[layer].append(call)
    sub_layers = [
        sub_layer
        for layer, (seen, own_calls) in enumerate(zip(watches, of_layer, strict=True))
        for sub_layer in _sub_layers(probe.info.name, seen, own_calls, layer)
    ]
    end = as_array(first_tensor((plain.gave[stack][-1],), {})[0])
    for one, other in zip(sub_layers, [*(each.carried for each in sub_layers[1:]), end], strict=True):
        if not same(_end_of(one), other):
            raise _not_a_sum(probe.info.name)
    return ResidualStream(
        stack=stack, tokens=probe.tokens[stack], embeddings=sub_layers[0].carried, sub_layers=tuple(sub_layers)
    )


@torch.no_grad()
def watched_layers(probe: Probe, plain: PlainPass, stack: Stack) -> tuple[list[Watch], list[AttentionCall]]:
    """What was seen in every layer of a stack, and its calls of attention; the other stack gives what it gave."""

    def given(layer: int, *_others: Any, of: Stack) -> Any:
        return plain.gave[of][layer]

    others = [(probe.layers[other], partial(given, of=other)) for other in probe.stacks if other != stack]
    copied = watched_copy(with_layer_calls(probe.model, others))
    watches = [watch(copied, probe.layers[stack], layer) for layer in range(probe.stacks[stack])]
    with undisturbed(), recording() as calls:
        probe.run(copied, [()])
    return watches, calls


def _sub_layers(name: str, seen: Watch, calls: Sequence[AttentionCall], layer: int) -> Iterator[SubLayer]:
    """The additions of one layer, from its calls of attention."""
    parts = LayerParts()
    for call in calls:
        concatenated = as_array(fused_output(call)[0].transpose(0, 1).flatten(1))  # [n_query, n_heads * d_head]
        parts = find_parts(seen, concatenated)
        if parts.carried is None or parts.added is None or parts.attention_sum is None:
            raise _not_a_sum(name)
        yield SubLayer(
            part=call.kind, layer=layer, carried=parts.carried, added=parts.added,
            norm=_norm_between(seen, parts.attention_sum, parts.attention_normed, name),
            read_norm=_norm_between(seen, parts.carried, parts.attention_norm, name),
            projection=_projection(seen, call, concatenated, parts, name),
        )  # fmt: skip
    if parts.ff_carried is None or parts.ff_added is None or parts.ff_sum is None:
        raise _not_a_sum(name)
    yield SubLayer(
        part="feed_forward", layer=layer, carried=parts.ff_carried, added=parts.ff_added,
        norm=_norm_between(seen, parts.ff_sum, parts.ff_normed, name),
        read_norm=_norm_between(seen, parts.ff_carried, parts.ff_norm, name),
    )  # fmt: skip


def _projection(seen: Watch, call: AttentionCall, concatenated: Array, parts: LayerParts, name: str) -> Projection:
    """W_O as slices of heads, and what follows it before the sum."""
    _, n_heads, _, d_head = call.value.shape
    if parts.output is None or parts.added is None:
        raise _not_a_sum(name)
    projects = next(each for each in seen.inside if same(each.given, concatenated) and same(each.gave, parts.output))
    weight, bias = linear_map(projects.module, concatenated.shape[1])
    values = slices_of(seen, call.value[0])
    return Projection(
        weight=weight.reshape(n_heads, d_head, -1), bias=bias,
        value_bias=np.zeros((n_heads, d_head), np.float32) if values is None else values.bias,
        norm=None if parts.added is parts.output else _norm_between(seen, parts.output, parts.added, name),
    )  # fmt: skip


def _norm_between(seen: Watch, given: Array | None, gave: Array | None, name: str) -> FixedNorm | None:
    """The norm that made the one of the other; None if there is nothing after it."""
    if given is None or gave is None:
        return None
    call = next(call for call in seen.inside if call.is_norm and same(call.given, given) and same(call.gave, gave))
    return fixed_norm(call, name)


def _end_of(sub_layer: SubLayer) -> Array:
    """What stands in the residual stream after an addition [n_tokens, d_model]."""
    total: Array = sub_layer.carried + sub_layer.added
    if sub_layer.norm is None:
        return total
    parts = [sub_layer.norm.linear(total[position], position) for position in range(len(total))]
    normed: Array = np.stack(parts) + sub_layer.norm.shift
    return normed


def _not_a_sum(name: str) -> UnsupportedModelError:
    return UnsupportedModelError(
        name,
        worded(
            "What the layers of {model} add to its residual stream was not found among their numbers, so an answer "
            "cannot be taken apart into what each of them adds. Choose a model such as mini-bert, BERT or GPT-2.",
            model=name,
        ),
    )
