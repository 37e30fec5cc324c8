"""Find how a head reads its query and its key from the residual streams: as linear maps, with all norms held.

The maps are derivatives of the pass itself, so that whatever stands between a stream and a head is in them: norms
before the layer or on the heads, W_Q and W_K, rotary angles (Su et al. 2021, linear at every position).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.inspection.position_schemes import TABLE_NAMES
from models.inspection.probing.fixed import FixedStatistics
from models.inspection.probing.probe import PlainPass, Probe, plain_pass
from models.inspection.probing.streams import depends, not_a_sum, stream_of
from models.recording.assemble import on_cpu
from models.recording.attention_call import AttentionCall, fused_output
from models.recording.layer_calls import Layer, first_tensor, with_first_tensor, with_layer_calls
from models.recording.recorder import recording, replacing_outputs, suspend_observer
from models.recording.watched_copy import with_hooks
from models.values.probing.changes import HeadPlace, Stack, keys_of, stack_of
from models.values.probing.stream import EmbeddingName, ReadVector, ResidualStream, ScoreStreams
from models.values.record import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class _Below:
    """A head's input: a `stream` up to it, the `embeddings` in its first state, the `leaf` [1, n_tokens, d_model] of
    a pass with gradients, and the `sums` [n_tokens, d_model] of the stream."""

    stream: ResidualStream
    embeddings: Mapping[EmbeddingName, Array]
    leaf: Tensor
    sums: Array


def streams_of_score(probe: Probe, place: HeadPlace, *, query: int, key: int) -> ScoreStreams:
    """Return the streams that a query and a key of a head are read from. Raises UnsupportedModelError if their layers
    do not add up, or a head reads them otherwise than linearly."""
    if probe.info.mixes_otherwise or probe.info.layer_numbers:
        raise not_a_sum(probe.info.name)
    kind, _, head = place
    plain = plain_pass(probe)
    call, leaves = _call_at(probe, plain, place)
    below = {stack: _below(probe, plain, stack, place, leaf) for stack, leaf in leaves.items()}
    query_vector, key_vector = call.query[0, head, query], call.key[0, head, key]  # [d_head] each
    score = call.scale * float(query_vector.detach() @ key_vector.detach())
    capped = score if call.soft_cap is None else call.soft_cap * float(np.tanh(score / call.soft_cap))
    return ScoreStreams(
        info=probe.info,
        query=_read(probe.info.name, query_vector, query, below[stack_of(kind)]),
        key=_read(probe.info.name, key_vector, key, below[keys_of(kind)]),
        scale=call.scale * (capped / score if score else 1.0),
        bias=_bias_at(call, head, query, key),
    )


def _below(probe: Probe, plain: PlainPass, stack: Stack, place: HeadPlace, leaf: Tensor) -> _Below:
    kind, layer, _ = place
    stream, sums = stream_of(probe, plain, stack), on_cpu(leaf[0])  # [n_tokens, d_model]
    if stack == stack_of(kind):
        stream = replace(stream, sub_layers=stream.below(kind, layer))
        inside = [sub_layer.added for sub_layer in stream.sub_layers if sub_layer.layer == layer]
        sums = sums + sum(inside)  # the self-attention before a cross attention
    return _Below(stream=stream, embeddings=_embeddings(probe, plain, stack), leaf=leaf, sums=sums)


def _call_at(probe: Probe, plain: PlainPass, place: HeadPlace) -> tuple[AttentionCall, dict[Stack, Tensor]]:
    """Return one call of attention with its graph, and what its layer and, in cross attention, the encoder's end read
    and gave: the leaves of the graph. Outputs of attention are held."""
    kind, at_layer, _ = place
    leaves: dict[Stack, Tensor] = {}

    def call_layer(number: int, layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any], *, stack: Stack) -> Any:
        if (stack, number) == (stack_of(kind), at_layer):
            leaves[stack] = first_tensor(args, kwargs).detach().requires_grad_()
            args, kwargs = with_first_tensor(args, kwargs, leaves[stack])
            return layer(*args, **kwargs)
        output = plain.outputs[stack][number]
        if (kind, stack, number) != ("cross", "encoder", probe.stacks[stack] - 1):
            return output
        leaves[stack] = first_tensor((output,), {}).detach().requires_grad_()
        (changed,), _ = with_first_tensor((output,), {}, leaves[stack])
        return changed

    stacks = [(probe.layers[stack], partial(call_layer, stack=stack)) for stack in probe.stacks]
    with (
        suspend_observer(),
        torch.inference_mode(mode=False),
        torch.enable_grad(),
        FixedStatistics(),
        recording() as calls,
        replacing_outputs(lambda call, _layer: fused_output(call).detach()),
    ):
        probe.run(with_layer_calls(probe.model, stacks), [()])
    return next(call for call in calls if call.kind == kind), leaves


def _read(name: str, vector: Tensor, position: int, below: _Below) -> ReadVector:
    """Return a vector [d_head] as a linear map of the stream at its position."""
    (by_leaf,) = torch.autograd.grad(vector.sum(), below.leaf, create_graph=True, materialize_grads=True)
    elsewhere = by_leaf.detach().clone()
    elsewhere[0, position] = 0
    if elsewhere.any() or (by_leaf.requires_grad and depends(by_leaf, below.leaf)):
        raise not_a_sum(name)
    rows = [torch.autograd.grad(number, below.leaf, retain_graph=True)[0][0, position] for number in vector]
    read = on_cpu(torch.stack(rows))  # [d_head, d_model]
    constant = on_cpu(vector) - read.astype(np.float64) @ below.sums[position]  # [d_head]
    return ReadVector(
        stream=below.stream,
        position=position,
        embeddings={of: np.ascontiguousarray(terms[position]) for of, terms in below.embeddings.items()},
        read=read,
        constant=constant.astype(np.float32),
    )


def _embeddings(probe: Probe, plain: PlainPass, stack: Stack) -> dict[EmbeddingName, Array]:
    """Return what each embedding gives to the first state of a stack [n_tokens, d_model], with the norm held.

    What no module gives and yet differs from position to position are computed sinusoids.
    """
    leaves: list[tuple[EmbeddingName, Tensor]] = []
    firsts: list[Tensor] = []

    def call_layer(number: int, _layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any], *, of: Stack) -> Any:
        if (of, number) == (stack, 0):
            firsts.append(first_tensor(args, kwargs))
        return plain.outputs[of][number]

    stacks = [(probe.layers[of], partial(call_layer, of=of)) for of in probe.stacks]
    names = [name for name, module in probe.model.named_modules(remove_duplicate=False) if _embeds(name, module)]
    hooks = {name: partial(_keep_leaf, leaves=leaves, name=name) for name in names}
    terms: dict[EmbeddingName, Array] = {}
    with suspend_observer(), torch.inference_mode(mode=False), torch.enable_grad(), FixedStatistics():
        probe.run(with_hooks(with_layer_calls(probe.model, stacks), hooks), [()])
        for name, leaf in leaves:
            terms[name] = terms.get(name, 0) + _term(firsts[0], leaf)
    first = on_cpu(firsts[0][0])  # [n_tokens, d_model]
    rest = first - sum(terms.values())
    if "position" not in terms and np.ptp(rest, axis=0).max() > 1e-4 * np.abs(first).max():
        terms["position"] = rest
    return {of: terms[of] for of in ("token", "position", "segment") if of in terms and terms[of].any()}


def _embeds(name: str, module: nn.Module) -> bool:
    return isinstance(module, nn.Embedding) or name.rpartition(".")[2] in TABLE_NAMES


def _keep_leaf(
    _module: nn.Module, _args: tuple[Any, ...], output: Tensor, *, leaves: list[tuple[EmbeddingName, Tensor]], name: str
) -> Tensor:
    """Put the output of an embedding into the graph."""
    last = name.rpartition(".")[2]
    of: EmbeddingName = "token"
    if "pos" in last or last == "wpe":
        of = "position"
    elif "type" in last or "segment" in last:
        of = "segment"
    leaves.append((of, output.detach().requires_grad_()))
    return leaves[-1][1]


def _term(first: Tensor, leaf: Tensor) -> Array:
    """Return the derivative of the first state along a leaf [n_tokens, d_model]; zeros if it does not depend on it.

    Two derivatives backwards make one forwards: that of the first by its own factor.
    """
    factor = torch.zeros_like(first, requires_grad=True)
    (back,) = torch.autograd.grad(first, leaf, factor, create_graph=True, materialize_grads=True)
    (along,) = torch.autograd.grad(back, factor, leaf.detach(), retain_graph=True, materialize_grads=True)
    return on_cpu(along[0])


def _bias_at(call: AttentionCall, head: int, query: int, key: int) -> float:
    """Return what is added to one scaled score."""
    bias = call.whole_bias
    if bias is None:
        return 0.0
    whole = bias.expand(1, call.query.shape[1], call.query.shape[2], call.key.shape[2])
    return float(whole[0, head, query, key])
