"""The walk through one layer, with the numbers that went through the model itself.

The model runs once, as a copy whose modules are watched; the output of a module is recognised by its numbers, not by
its name, so that a step is shown only if it really leads from its input to its output. Scores, weights and head outputs
come from the recorded call. A what-if is the same pass with one thing changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch

from models.inspection.head_parts import grouping_step, head_arrays, rotation_step
from models.inspection.layer_parts import LayerParts, find_parts, same, source_of
from models.inspection.probing.norms import fixed_norm
from models.inspection.walk_parts import Pass, embedding_steps, later_steps, of_pairs, of_queries
from models.recording.assemble import records_from_calls
from models.recording.exact import counterpart, exact_copy, exact_products
from models.recording.recorder import Intervention, intervening, recording, suspend_observer
from models.recording.watched_copy import Watch, block_lists, watch, watched_copy
from models.values.errors import SelectionError, UnsupportedModelError
from models.values.record import Array, AttentionRecord, Kind, no_such_kind, softmax
from models.values.steps import LayerWalk, MissingStep, Step, StepArray, StepName, WhatIf, WhatIfName
from models.values.wording import join_sentences, to_say, worded

_ATTENTION_ALONE = to_say("The attention is all of this layer: it has no feed-forward network.")
_NO_FEED_FORWARD = to_say("The feed-forward network was not found after the attention; it may run beside it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scores:
    """The arrays of one head from its queries to its output, under a what-if."""

    raw: Array
    scaled: Array
    bias: Array
    masked: Array
    weights: Array
    output: Array


def walk_layer(text_pass: Pass, *, kind: Kind, layer: int, head: int, what_if: WhatIf | None = None) -> LayerWalk:
    """Return the steps of a layer for a head. Raises SelectionError for a kind, layer or head that is not there."""
    if kind not in text_pass.n_layers:
        raise SelectionError(no_such_kind(text_pass.info.name, kind, text_pass.n_layers))
    with exact_products():
        return _walk(_in_float32(text_pass), kind=kind, layer=layer, head=head, what_if=what_if)


def _in_float32(text_pass: Pass) -> Pass:
    """Return the same pass in float32; its note says so if the model computes in half precision."""
    body = exact_copy(text_pass.body)
    if body is text_pass.body:
        return text_pass
    note = worded(
        "These numbers are computed in float32, from the weights in {dtype}: steps are recognised by their numbers.",
        dtype=text_pass.info.dtype,
    )
    return replace(
        text_pass,
        body=body,
        token_embedding=counterpart(body, text_pass.body, text_pass.token_embedding),
        note=join_sentences(text_pass.note, note),
    )


def _walk(text_pass: Pass, *, kind: Kind, layer: int, head: int, what_if: WhatIf | None) -> LayerWalk:
    record, watched = _run_watched(text_pass, kind, layer)
    record.bias_of(layer, head)  # raises SelectionError for a layer or head that is not there
    changes = _changes(record, layer=layer, head=head, what_if=what_if)
    if changes:
        _, watched = _run_watched(text_pass, kind, layer, changes)
    scores = _scores(record, layer, head, what_if)
    concatenated = _concatenate(record, layer, what_if, off=head if _is(what_if, "head_off") else None)
    parts = find_parts(watched, concatenated)
    steps = [
        *embedding_steps(text_pass, watched, kind),
        *_attention_steps(text_pass, record, watched, parts, scores, layer=layer, head=head),
        Step(
            name="concatenation",
            inputs=(of_queries(to_say("head output"), "Z", scores.output, "d_head"),),
            outputs=(of_queries(to_say("all heads side by side"), "C", concatenated, "d_heads"),),
        ),
        *later_steps(parts, concatenated),
    ]
    return LayerWalk(
        info=text_pass.info,
        kind=kind,
        layer=layer,
        head=head,
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        steps=tuple(steps),
        missing=tuple(_missing(text_pass, watched, parts, steps, kind)),
        scale=record.scale[layer],
        sinks=_sinks(record, layer, head),
        norm=parts.norm,
        norm_kind=_norm_kind(watched, text_pass.info.name),
        what_if=what_if,
        note=text_pass.note,
    )


def _norm_kind(watched: Watch, name: str) -> Literal["layer", "rms"]:
    """Return the formula of the layer's norms, by the output of the first one."""
    width = None if watched.whole is None else watched.whole.output.shape
    call = next((call for call in watched.inside if call.is_norm and call.output.shape == width), None)
    try:
        return "layer" if call is None or fixed_norm(call, name).is_centred else "rms"
    except UnsupportedModelError:
        return "layer"


def _run_watched(
    text_pass: Pass, kind: Kind, layer: int, changes: Mapping[tuple[Kind, int, int], Intervention] | None = None
) -> tuple[AttentionRecord, Watch]:
    """Run the text through a watched copy of the model, with the weights of some heads changed."""
    copied = watched_copy(text_pass.body)
    blocks = text_pass.blocks or block_lists(text_pass.body, kind, text_pass.n_layers)[0]
    watched = watch(copied, blocks, text_pass.info.own_number(layer))
    with suspend_observer(), intervening(changes) if changes else nullcontext(), recording() as calls:
        text_pass.run(copied)
    records = records_from_calls(
        calls,
        name=text_pass.info.name,
        tokens=text_pass.tokens,
        n_layers=text_pass.n_layers,
        query_scales=text_pass.query_scales,
    )
    return next(record for record in records if record.kind == kind), watched


def _scores(record: AttentionRecord, layer: int, head: int, what_if: WhatIf | None) -> _Scores:
    raw: Array = record.query[layer, head] @ record.key[layer, head].T  # [n_query, n_key]
    scaled = record.cap_scores(
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
    """Return the logits of the sink of a head [n_query]; None if it has none."""
    sinks = record.sink_logits(layer, head) if record.has_sinks(layer) else None
    return None if sinks is None else np.broadcast_to(sinks[:, 0], (record.n_query,))


def _is(what_if: WhatIf | None, name: WhatIfName) -> bool:
    return what_if is not None and what_if.name == name


def _changes(
    record: AttentionRecord, *, layer: int, head: int, what_if: WhatIf | None
) -> dict[tuple[Kind, int, int], Intervention]:
    """Return the weights of the heads that a what-if changes."""
    if what_if is None or what_if.name == "shuffled_positions":
        return {}
    if what_if.name == "head_off":
        return {(record.kind, layer, head): "zero"}
    return {
        (record.kind, layer, number): torch.from_numpy(_scores(record, layer, number, what_if).weights)
        for number in range(record.n_heads)
    }


def _concatenate(record: AttentionRecord, layer: int, what_if: WhatIf | None, *, off: int | None) -> Array:
    """Return the outputs of all heads [n_query, n_heads * d_head], zeros for one that is off.

    One head at a time, so that only one needs memory for its scores.
    """
    outputs = (_scores(record, layer, head, what_if).output for head in range(record.n_heads))
    return np.concatenate([np.zeros_like(output) if head == off else output for head, output in enumerate(outputs)], 1)


def _attention_steps(
    text_pass: Pass,
    record: AttentionRecord,
    watched: Watch,
    parts: LayerParts,
    scores: _Scores,
    *,
    layer: int,
    head: int,
) -> Iterator[Step]:
    if parts.attention_norm is not None and parts.carried is not None:
        yield Step(
            name="attention_norm",
            inputs=(of_queries(to_say("hidden states"), "x", parts.carried, "d_model"),),
            outputs=(of_queries(to_say("normed hidden states"), "norm(x)", parts.attention_norm, "d_model"),),
        )
    arrays = head_arrays(record, watched, text_pass.angles, layer=layer, head=head)
    projected = tuple(_projected_states(record, watched, parts, arrays.value.values))
    yield Step(name="projections", inputs=projected, outputs=(arrays.query, arrays.key, arrays.value))
    if arrays.rotated is not None:
        yield rotation_step(arrays, arrays.rotated)
    yield from grouping_step(text_pass.info, record, arrays, layer=layer, head=head)
    raw = of_pairs(to_say("scores"), "S", scores.raw)
    yield Step(name="scores", inputs=arrays.of_scores, outputs=(raw,))
    scaled_name = to_say("scaled scores") if record.soft_cap is None else to_say("scaled and capped scores")
    scaled = of_pairs(scaled_name, "S", scores.scaled)
    yield Step(name="scaling", inputs=(raw,), outputs=(scaled,))
    masked = of_pairs(to_say("masked scores"), "S", scores.masked)
    bias = of_pairs(to_say("mask and position bias"), "B", scores.bias)
    yield Step(name="mask", inputs=(scaled, bias), outputs=(masked,))
    weights = of_pairs(to_say("weights"), "A", scores.weights)
    yield Step(name="softmax", inputs=(masked,), outputs=(weights,))
    output = of_queries(to_say("head output"), "Z", scores.output, "d_head")
    yield Step(name="weighted_sum", inputs=(weights, arrays.value), outputs=(output,))


def _projected_states(record: AttentionRecord, watched: Watch, parts: LayerParts, value: Array) -> Iterator[StepArray]:
    """Return the inputs of the projections: the hidden states, and in cross attention those of the encoder, too."""
    if parts.read is not None:
        is_normed = parts.attention_norm is not None
        symbol = "norm(x)" if is_normed else "x"
        name = to_say("normed hidden states") if is_normed else to_say("hidden states")
        yield of_queries(name, symbol, parts.read, "d_model")
    source = source_of(watched, value) if record.kind == "cross" else None
    if source is not None:
        yield StepArray(name=to_say("encoder states"), symbol="e", rows="key", columns="d_model", values=source.input)


def _missing(
    text_pass: Pass, watched: Watch, parts: LayerParts, steps: list[Step], kind: Kind
) -> Iterator[MissingStep]:
    """Return the steps that a reader would look for and this model does not show, with their reasons."""
    no_feed_forward = _ATTENTION_ALONE if _is_output(parts.attention_sum, watched) else _NO_FEED_FORWARD
    shown_names = {step.name for step in steps}
    reasons: dict[StepName, str] = {
        "embeddings": to_say("The numbers that this model adds up for its tokens were not found."),
        "output_projection": to_say("No matrix W_O was found that reads the heads side by side."),
        "attention_residual": to_say("The attention output is not simply added to its input."),
        "feed_forward": no_feed_forward,
        "feed_forward_residual": no_feed_forward,
    }
    if text_pass.angles and kind != "cross":
        reasons["rotation"] = to_say("How this layer turns its queries and keys by their positions was not found.")
    if parts.norm == "pre":
        reasons["attention_norm"] = to_say("This layer reads its input directly, without a norm before the attention.")
    if parts.norm == "post":
        reasons["embedding_norm"] = worded("{model} does not norm its embeddings.", model=text_pass.info.name)
    return (MissingStep(name=name, why=why) for name, why in reasons.items() if name not in shown_names)


def _is_output(total: Array | None, watched: Watch) -> bool:
    """Return whether the sum after the attention is the output of the layer."""
    return total is not None and watched.whole is not None and same(total, watched.whole.output)
