"""Find the residual streams that lead to an answer, and the direction in which the answer is read from the last state.

The additions of a layer are recognised as in the walk (`models.inspection.layer_parts`), and compared with the input of
the next: a stream whose sums do not lead from layer to layer is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.inspection.layer_parts import LayerParts, find_parts, same
from models.inspection.probing.fixed import FixedStatistics, with_fixed_activations
from models.inspection.probing.norms import fixed_norm
from models.inspection.probing.probe import PlainPass, Probe, difference, plain_pass
from models.inspection.probing.projections import linear_map, slices_of
from models.inspection.probing.random_labels import with_random_labels
from models.recording.assemble import on_cpu
from models.recording.attention_call import AttentionCall, fused_output
from models.recording.layer_calls import expand_rows, first_tensor, with_first_tensor, with_layer_calls
from models.recording.recorder import recording, suspend_observer
from models.recording.watched_copy import Watch, watch, watched_copy
from models.values.errors import UnsupportedModelError
from models.values.probing.changes import Stack
from models.values.probing.contrast import Contrast
from models.values.probing.stream import AnswerStreams, FixedNorm, Projection, ResidualStream, SubLayer
from models.values.record import Array
from models.values.wording import worded

NULL_AT_ONCE = 50
"""The random answers whose directions are found in one pass of the LM head."""


def answer_streams(probe: Probe, contrast: Contrast) -> AnswerStreams:
    """Return the parts that add up to an answer. Raises UnsupportedModelError if it does not add up."""
    if probe.info.mixes_otherwise or probe.info.layer_numbers:
        raise not_a_sum(probe.info.name)
    probe, contrast = with_random_labels(probe, contrast)
    plain = plain_pass(probe)
    streams = tuple(stream_of(probe, plain, stack) for stack in probe.stacks)
    direction, whole = _direction(probe, plain, contrast)
    last = on_cpu(first_tensor((plain.outputs[streams[-1].stack][-1],), {})[0])  # [n_tokens, d_model]
    return AnswerStreams(
        info=probe.info,
        contrast=contrast,
        streams=streams,
        direction=direction,
        constant=whole - float((direction.astype(np.float64) * last).sum()),
        difference=whole,
        null_directions=_null_directions(probe, plain, contrast, np.asarray(direction.any(axis=1))),
    )


def _direction(probe: Probe, plain: PlainPass, contrast: Contrast) -> tuple[Array, float]:
    """Return the gradient of the logit difference by the last state [n_tokens, d_model], and the difference."""
    with _linear_end():
        logits, end = _answer_from_end(probe, plain, 1)
        whole = difference(contrast, logits)  # [1]
        (direction,) = torch.autograd.grad(whole.sum(), end, create_graph=True, materialize_grads=True)
    if direction.requires_grad and depends(direction, end):
        raise not_a_sum(probe.info.name)
    return on_cpu(direction[0]), float(whole.detach())


def _null_directions(probe: Probe, plain: PlainPass, contrast: Contrast, is_read: NDArray[np.bool_]) -> Array | None:
    """Return the gradients of the logit differences of the others [n_null, n_read, d_model] at the tokens that the
    answer is read from; a row of a batch each."""
    numbers = torch.tensor(contrast.others, dtype=torch.long).reshape(-1, len(contrast.own))  # [n_null, 1 or 2]
    directions = []
    for begin in range(0, len(numbers), NULL_AT_ONCE):
        pairs = numbers[begin : begin + NULL_AT_ONCE]
        with _linear_end():
            logits, end = _answer_from_end(probe, plain, len(pairs))  # [n_pairs, n_choices]
            chosen = logits.gather(1, pairs.to(logits.device)).float()  # [n_pairs, 1 or 2]
            total = chosen[:, 0].sum() - chosen[:, 1:].sum()
            (by_state,) = torch.autograd.grad(total, end)  # [n_pairs, n_tokens, d_model]
        directions.append(on_cpu(by_state)[:, is_read])
    return np.concatenate(directions) if directions else None


@contextmanager
def _linear_end() -> Iterator[None]:
    """Follow gradients from the answer to the last state, norms and activations held."""
    with suspend_observer(), torch.inference_mode(mode=False), torch.enable_grad(), FixedStatistics():
        yield


def _answer_from_end(probe: Probe, plain: PlainPass, n_rows: int) -> tuple[Tensor, Tensor]:
    """Return the logits [n_rows, n_choices] of equal rows, and the last states [n_rows, n_tokens, d_model] before
    them."""
    answering = tuple(probe.stacks)[-1]
    ends: list[Tensor] = []

    def replay(layer: int, *_arguments: Any, stack: Stack) -> Any:
        output = expand_rows(plain.outputs[stack][layer], n_rows)
        if (stack, layer) != (answering, probe.stacks[answering] - 1):
            return output
        ends.append(first_tensor((output,), {}).detach().requires_grad_())
        (changed,), _ = with_first_tensor((output,), {}, ends[-1])
        return changed

    stacks = [(probe.layers[stack], partial(replay, stack=stack)) for stack in probe.stacks]
    logits = probe.run(with_layer_calls(with_fixed_activations(probe.model), stacks), [()] * n_rows)
    return logits, ends[-1]


def depends(direction: Tensor, end: Tensor) -> bool:
    """Return whether the gradient changes with the states: then the answer is not a linear function of them."""
    (change,) = torch.autograd.grad(direction.sum(), end, retain_graph=True, materialize_grads=True)
    return bool(change.any())


def stream_of(probe: Probe, plain: PlainPass, stack: Stack) -> ResidualStream:
    """Return the additions of one stack, checked against the inputs and outputs of its layers."""
    watches, calls = watched_layers(probe, plain, stack)
    calls_of_layers: list[list[AttentionCall]] = [[] for _ in watches]
    for kind in probe.n_layers:
        for layer, call in enumerate(call for call in calls if call.kind == kind):
            calls_of_layers[layer].append(call)
    sub_layers = [
        sub_layer
        for layer, (watched, layer_calls) in enumerate(zip(watches, calls_of_layers, strict=True))
        for sub_layer in _sub_layers(probe.info.name, watched, layer_calls, layer)
    ]
    end = on_cpu(first_tensor((plain.outputs[stack][-1],), {})[0])
    for one, other in zip(sub_layers, [*(later.carried for later in sub_layers[1:]), end], strict=True):
        if not same(_end_of(one), other):
            raise not_a_sum(probe.info.name)
    return ResidualStream(
        stack=stack, tokens=probe.tokens[stack], embeddings=sub_layers[0].carried, sub_layers=tuple(sub_layers)
    )


@torch.no_grad()
def watched_layers(probe: Probe, plain: PlainPass, stack: Stack) -> tuple[list[Watch], list[AttentionCall]]:
    """Watch every layer of a stack, and return its calls of attention; the other stack repeats its plain pass."""

    def replay(layer: int, *_arguments: Any, other: Stack) -> Any:
        return plain.outputs[other][layer]

    others = [(probe.layers[other], partial(replay, other=other)) for other in probe.stacks if other != stack]
    model_copy = watched_copy(with_layer_calls(probe.model, others))
    watches = [watch(model_copy, probe.layers[stack], layer) for layer in range(probe.stacks[stack])]
    with suspend_observer(), recording() as calls:
        probe.run(model_copy, [()])
    return watches, calls


def _sub_layers(name: str, watched: Watch, calls: Sequence[AttentionCall], layer: int) -> Iterator[SubLayer]:
    """Yield the additions of one layer, from its calls of attention."""
    parts = LayerParts()
    for call in calls:
        concatenated = on_cpu(fused_output(call)[0].transpose(0, 1).flatten(1))  # [n_query, n_heads * d_head]
        parts = find_parts(watched, concatenated)
        if parts.carried is None or parts.added is None or parts.attention_sum is None:
            raise not_a_sum(name)
        yield SubLayer(
            part=call.kind,
            layer=layer,
            carried=parts.carried,
            added=parts.added,
            norm=_norm_between(watched, parts.attention_sum, parts.attention_normed, name),
            read_norm=_norm_between(watched, parts.carried, parts.attention_norm, name),
            projection=_projection(watched, call, concatenated, parts, name),
        )
    if parts.ff_carried is None or parts.ff_added is None or parts.ff_sum is None:
        raise not_a_sum(name)
    yield SubLayer(
        part="feed_forward",
        layer=layer,
        carried=parts.ff_carried,
        added=parts.ff_added,
        norm=_norm_between(watched, parts.ff_sum, parts.ff_normed, name),
        read_norm=_norm_between(watched, parts.ff_carried, parts.ff_norm, name),
    )


def _projection(watched: Watch, call: AttentionCall, concatenated: Array, parts: LayerParts, name: str) -> Projection:
    """Return W_O as slices of heads, and the norm between it and the sum."""
    _, n_heads, _, d_head = call.value.shape
    if parts.output is None or parts.added is None:
        raise not_a_sum(name)
    w_o = next(call for call in watched.inside if same(call.input, concatenated) and same(call.output, parts.output))
    weight, bias = linear_map(w_o.module, concatenated.shape[1])
    values = slices_of(watched, call.value[0])
    return Projection(
        weight=weight.reshape(n_heads, d_head, -1),
        bias=bias,
        value_bias=np.zeros((n_heads, d_head), np.float32) if values is None else values.bias,
        norm=None if parts.added is parts.output else _norm_between(watched, parts.output, parts.added, name),
    )


def _norm_between(watched: Watch, before: Array | None, after: Array | None, name: str) -> FixedNorm | None:
    """Return the norm that made `after` of `before`; None if one of them is missing."""
    if before is None or after is None:
        return None
    call = next(
        call for call in watched.inside if call.is_norm and same(call.input, before) and same(call.output, after)
    )
    return fixed_norm(call, name)


def _end_of(sub_layer: SubLayer) -> Array:
    """Return the residual stream after an addition [n_tokens, d_model]."""
    total: Array = sub_layer.carried + sub_layer.added
    if sub_layer.norm is None:
        return total
    parts = [sub_layer.norm.linear(total[position], position) for position in range(len(total))]
    normed: Array = np.stack(parts) + sub_layer.norm.shift
    return normed


def not_a_sum(name: str) -> UnsupportedModelError:
    """Return the error for a model whose layers do not add up."""
    return UnsupportedModelError(
        name,
        worded(
            "What the layers of {model} add to its residual stream was not found among their numbers, so an answer "
            "cannot be taken apart into what each of them adds. Choose a model such as mini-bert, BERT or GPT-2.",
            model=name,
        ),
    )
