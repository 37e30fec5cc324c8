"""The walk through one layer, with the numbers that went through the model itself.

The model runs once, as a copy whose modules are watched; what a module gave is recognised by its numbers, not by its
name, so that a step is shown only if it really leads from its input to its output. Scores, weights and head outputs
come from the recorded call. A what-if is the same pass with that one thing changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch

from models.inspection.head_parts import grouping_step, own_arrays, rotation_step
from models.inspection.layer_parts import LayerParts, find_parts, same, source_of
from models.inspection.probing.norms import fixed_norm
from models.inspection.walk_parts import Pass, embedding_steps, later_steps, of_pairs, of_queries
from models.recording.assemble import records_from_calls
from models.recording.exact import counterpart, exact_copy, exact_products
from models.recording.recorder import Intervention, intervening, recording, undisturbed
from models.recording.watched_copy import Watch, block_lists, watch, watched_copy
from models.values.errors import SelectionError, UnsupportedModelError
from models.values.record import Array, AttentionRecord, Kind, no_such_kind, softmax
from models.values.steps import LayerWalk, MissingStep, Step, StepArray, StepName, WhatIf, WhatIfName
from models.values.wording import joined, to_say, worded

_ATTENTION_ALONE = to_say("The attention is all of this layer: it has no feed-forward network.")
_NO_FEED_FORWARD = to_say("The feed-forward network was not found after the attention; it may run beside it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scores:
    """The way of one head from its queries to its output, under a what-if."""

    raw: Array
    scaled: Array
    bias: Array
    masked: Array
    weights: Array
    output: Array


def walk_layer(given: Pass, *, kind: Kind, layer: int, head: int, what_if: WhatIf | None = None) -> LayerWalk:
    """The steps of a layer for a head. Raises SelectionError for a kind, layer or head that is not there."""
    if kind not in given.n_layers:
        raise SelectionError(no_such_kind(given.info.name, kind, given.n_layers))
    with exact_products():
        return _walked(_exactly(given), kind=kind, layer=layer, head=head, what_if=what_if)


def _exactly(given: Pass) -> Pass:
    """The same pass in float32, which its note says, if the model computes in half precision."""
    body = exact_copy(given.body)
    if body is given.body:
        return given
    note = worded(
        "These numbers are computed in float32, from the weights in {dtype}: steps are recognised by their numbers.",
        dtype=given.info.dtype,
    )  # fmt: skip
    return replace(
        given, body=body, token_embedding=counterpart(body, given.body, given.token_embedding),
        note=joined(given.note, note),
    )  # fmt: skip


def _walked(given: Pass, *, kind: Kind, layer: int, head: int, what_if: WhatIf | None) -> LayerWalk:
    record, seen = _watched(given, kind, layer)
    record.bias_of(layer, head)  # raises SelectionError for a layer or head that is not there
    changes = _changes(record, layer=layer, head=head, what_if=what_if)
    if changes:
        _, seen = _watched(given, kind, layer, changes)
    scores = _scores(record, layer, head, what_if)
    concatenated = _side_by_side(record, layer, what_if, off=head if _is(what_if, "head_off") else None)
    parts = find_parts(seen, concatenated)
    steps = [
        *embedding_steps(given, seen, kind),
        *_attention_steps(given, record, seen, parts, scores, layer=layer, head=head),
        Step(
            name="concatenation",
            inputs=(of_queries(to_say("head output"), "Z", scores.output, "d_head"),),
            outputs=(of_queries(to_say("all heads side by side"), "C", concatenated, "d_heads"),),
        ),
        *later_steps(parts, concatenated),
    ]
    return LayerWalk(
        info=given.info, kind=kind, layer=layer, head=head, query_tokens=record.query_tokens,
        key_tokens=record.key_tokens, steps=tuple(steps), missing=tuple(_missing(given, seen, parts, steps, kind)),
        scale=record.scale[layer], sinks=_sinks(record, layer, head), norm=parts.norm,
        norm_kind=_norm_kind(seen, given.info.name), what_if=what_if, note=given.note,
    )  # fmt: skip


def _norm_kind(seen: Watch, name: str) -> Literal["layer", "rms"]:
    """Which formula the norms of the layer follow, by what the first one gave."""
    width = None if seen.whole is None else seen.whole.gave.shape
    call = next((call for call in seen.inside if call.is_norm and call.gave.shape == width), None)
    try:
        return "layer" if call is None or fixed_norm(call, name).is_centred else "rms"
    except UnsupportedModelError:
        return "layer"


def _watched(
    given: Pass, kind: Kind, layer: int, changes: Mapping[tuple[Kind, int, int], Intervention] | None = None
) -> tuple[AttentionRecord, Watch]:
    """Run the text through a watched copy of the model, with the weights of some heads changed."""
    copied = watched_copy(given.body)
    blocks = block_lists(given.body, kind, given.n_blocks or given.n_layers)[0]
    seen = watch(copied, blocks, given.info.own_number(layer))
    with undisturbed(), intervening(changes) if changes else nullcontext(), recording() as calls:
        given.run(copied)
    records = records_from_calls(
        calls, name=given.info.name, tokens=given.tokens, n_layers=given.n_layers, query_scales=given.query_scales
    )
    return next(record for record in records if record.kind == kind), seen


def _scores(record: AttentionRecord, layer: int, head: int, what_if: WhatIf | None) -> _Scores:
    raw: Array = record.query[layer, head] @ record.key[layer, head].T  # [n_query, n_key]
    scaled = record.capped(
        raw if _is(what_if, "no_scaling") else raw * np.float32(record.scale[layer])
    )  # [n_query, n_key]
    bias = record.bias_of(layer, head)  # [n_query, n_key]
    if _is(what_if, "causal"):
        ahead = np.triu(np.ones(bias.shape, dtype=np.bool_), k=1)  # [n_query, n_key]
        bias = np.where(ahead, np.float32(-np.inf), bias)
    masked: Array = scaled + bias  # [n_query, n_key]
    temperature = what_if.temperature if what_if is not None and what_if.name == "temperature" else 1.0
    heated: Array = masked / np.float32(temperature)  # [n_query, n_key]
    sinks = record.sink_logits(layer, head)  # [n_query or 1, 1]
    cooled = None if sinks is None else sinks / np.float32(temperature)  # [n_query or 1, 1]
    weights = softmax(heated, sinks=cooled, out=heated)  # [n_query, n_key]
    output: Array = weights @ record.value[layer, head]  # [n_query, d_head]
    return _Scores(raw=raw, scaled=scaled, bias=bias, masked=masked, weights=weights, output=output)


def _sinks(record: AttentionRecord, layer: int, head: int) -> Array | None:
    """The logits of the sink of a head [n_query]; None if it has none."""
    sinks = record.sink_logits(layer, head) if record.has_sinks(layer) else None
    return None if sinks is None else np.broadcast_to(sinks[:, 0], (record.n_query,))


def _is(what_if: WhatIf | None, name: WhatIfName) -> bool:
    return what_if is not None and what_if.name == name


def _changes(
    record: AttentionRecord, *, layer: int, head: int, what_if: WhatIf | None
) -> dict[tuple[Kind, int, int], Intervention]:
    """What a what-if makes of the weights of the heads."""
    if what_if is None or what_if.name == "shuffled_positions":
        return {}
    if what_if.name == "head_off":
        return {(record.kind, layer, head): "zero"}
    return {
        (record.kind, layer, each): torch.from_numpy(_scores(record, layer, each, what_if).weights)
        for each in range(record.n_heads)
    }


def _side_by_side(record: AttentionRecord, layer: int, what_if: WhatIf | None, *, off: int | None) -> Array:
    """The outputs of all heads [n_query, n_heads * d_head], zeros for one that is off.

    One head at a time: no more than one needs memory for its scores.
    """
    outputs = (_scores(record, layer, each, what_if).output for each in range(record.n_heads))
    seen = [np.zeros_like(output) if each == off else output for each, output in enumerate(outputs)]
    return np.concatenate(seen, axis=1)


def _attention_steps(
    given: Pass, record: AttentionRecord, seen: Watch, parts: LayerParts, scores: _Scores, *, layer: int, head: int
) -> Iterator[Step]:
    if parts.attention_norm is not None and parts.carried is not None:
        yield Step(
            name="attention_norm",
            inputs=(of_queries(to_say("hidden states"), "x", parts.carried, "d_model"),),
            outputs=(of_queries(to_say("normed hidden states"), "norm(x)", parts.attention_norm, "d_model"),),
        )
    own = own_arrays(record, seen, given.angles, layer=layer, head=head)
    read = tuple(_read(record, seen, parts, own.value.values))
    yield Step(name="projections", inputs=read, outputs=(own.query, own.key, own.value))
    if own.rotated is not None:
        yield rotation_step(own, own.rotated)
    yield from grouping_step(given.info, record, own, layer=layer, head=head)
    raw = of_pairs(to_say("scores"), "S", scores.raw)
    yield Step(name="scores", inputs=own.taken, outputs=(raw,))
    scaled_name = to_say("scaled scores") if record.soft_cap is None else to_say("scaled and capped scores")
    scaled = of_pairs(scaled_name, "S", scores.scaled)
    yield Step(name="scaling", inputs=(raw,), outputs=(scaled,))
    masked = of_pairs(to_say("masked scores"), "S", scores.masked)
    bias = of_pairs(to_say("mask and position bias"), "B", scores.bias)
    yield Step(name="mask", inputs=(scaled, bias), outputs=(masked,))
    weights = of_pairs(to_say("weights"), "A", scores.weights)
    yield Step(name="softmax", inputs=(masked,), outputs=(weights,))
    output = of_queries(to_say("head output"), "Z", scores.output, "d_head")
    yield Step(name="weighted_sum", inputs=(weights, own.value), outputs=(output,))


def _read(record: AttentionRecord, seen: Watch, parts: LayerParts, value: Array) -> Iterator[StepArray]:
    """What the projections read: the hidden states, and in cross attention those of the encoder, too."""
    if parts.read is not None:
        is_normed = parts.attention_norm is not None
        symbol = "norm(x)" if is_normed else "x"
        name = to_say("normed hidden states") if is_normed else to_say("hidden states")
        yield of_queries(name, symbol, parts.read, "d_model")
    source = source_of(seen, value) if record.kind == "cross" else None
    if source is not None:
        yield StepArray(name=to_say("encoder states"), symbol="e", rows="key", columns="d_model", values=source.given)


def _missing(given: Pass, seen: Watch, parts: LayerParts, steps: list[Step], kind: Kind) -> Iterator[MissingStep]:
    """The steps that a reader would look for and this model does not show, each with its reason."""
    no_feed_forward = _ATTENTION_ALONE if _is_all(parts.attention_sum, seen) else _NO_FEED_FORWARD
    shown = {step.name for step in steps}
    reasons: dict[StepName, str] = {
        "embeddings": to_say("The numbers that this model adds up for its tokens were not found."),
        "output_projection": to_say("No matrix W_O was found that reads the heads side by side."),
        "attention_residual": to_say("The attention output is not simply added to its input."),
        "feed_forward": no_feed_forward,
        "feed_forward_residual": no_feed_forward,
    }
    if given.angles and kind != "cross":
        reasons["rotation"] = to_say("How this layer turns its queries and keys by their positions was not found.")
    if parts.norm == "pre":
        reasons["attention_norm"] = to_say("This layer reads its input directly, without a norm before the attention.")
    if parts.norm == "post":
        reasons["embedding_norm"] = worded("{model} does not norm its embeddings.", model=given.info.name)
    return (MissingStep(name=name, why=why) for name, why in reasons.items() if name not in shown)


def _is_all(summed: Array | None, seen: Watch) -> bool:
    """Whether the sum after the attention is what the layer gives."""
    return summed is not None and seen.whole is not None and same(summed, seen.whole.gave)
