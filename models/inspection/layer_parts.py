"""Find the parts of a layer by the sums of its numbers, in post-LN and pre-LN models alike.

post-LN: norm(x + attention(x)), then norm(x' + FFN(x')) (Vaswani et al. 2017, section 3.1; BERT).
pre-LN:  x + attention(norm(x)), then x' + FFN(norm(x')) (Xiong et al. 2020; GPT-2, Llama); Gemma 2 norms each term.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from models.recording.watched_copy import ModuleCall, Watch
from models.values.record import Array

TOLERANCE = 1e-4
"""Two arrays are the same if they differ by less than this part of the largest number: float32 adds in any order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerParts:
    """The parts of one layer; None for those not found. All arrays [n_query, d_model], `inner` [n_query, d_ff].

    The attention reads `read`, which is `carried` or, in pre-LN, `carried` after a norm; W_O gives `output`, of which
    `added` reaches the residual stream. The feed-forward network reads `ff_read`, likewise; where its inner layer is a
    product of two, `inner` is `gate` times `gated`.
    """

    norm: Literal["post", "pre", "other"] = "other"
    carried: Array | None = None
    attention_norm: Array | None = None
    read: Array | None = None
    output: Array | None = None
    added: Array | None = None
    attention_sum: Array | None = None
    attention_normed: Array | None = None
    ff_carried: Array | None = None
    ff_norm: Array | None = None
    ff_read: Array | None = None
    gate: Array | None = None
    gated: Array | None = None
    inner: Array | None = None
    ff_added: Array | None = None
    ff_sum: Array | None = None
    ff_normed: Array | None = None


def same(one: Array, other: Array) -> bool:
    """Return whether two arrays hold the same numbers, up to rounding."""
    if one.shape != other.shape:
        return False
    return bool(np.allclose(one, other, rtol=0, atol=TOLERANCE * max(float(np.abs(other).max()), 1e-6)))


def find_parts(watched: Watch, concatenated: Array) -> LayerParts:
    """Find the parts of a watched layer whose heads gave `concatenated` [n_query, n_heads * d_head]."""
    calls, whole = watched.inside, watched.whole
    w_o = next((n for n, call in enumerate(calls) if _projects(call) and same(call.input, concatenated)), None)
    if whole is None or w_o is None:
        return LayerParts(carried=None if whole is None else whole.input)
    before, after = calls[: w_o + 1], calls[w_o + 1 :]
    is_post = any(call.is_norm and same(call.output, whole.output) for call in after)
    parts = LayerParts(carried=whole.input, output=calls[w_o].output)
    parts = _with_attention_residual(parts, whole, before, after, is_post=is_post)
    return _with_feed_forward(parts, whole.output, after, is_post=is_post)


def source_of(watched: Watch, head: Array) -> ModuleCall | None:
    """Find the projection that gave the queries, keys or values of a head [n, d_head]; None if there is none."""
    d_head = head.shape[1]
    for call in watched.inside:
        if _projects(call) and call.output.shape[0] == head.shape[0] and call.output.shape[1] % d_head == 0:
            heads = call.output.reshape(len(head), -1, d_head)  # [n, n_slices, d_head]
            if any(same(heads[:, number], head) for number in range(heads.shape[1])):
                return call
    return None


def _with_attention_residual(
    parts: LayerParts, whole: ModuleCall, before: Sequence[ModuleCall], after: Sequence[ModuleCall], *, is_post: bool
) -> LayerParts:
    """Find the sum that a norm reads, or that the layer gives where it has attention alone (Nemotron-H)."""
    if parts.output is None:
        return parts
    for carried in (whole.input, *_streams(before, is_post=is_post)):
        for added in (
            parts.output,
            *(call.output for call in after if call.is_norm and same(call.input, parts.output)),
        ):
            if added.shape != carried.shape:
                continue
            total = carried + added  # [n_query, d_model]
            normed = _norm_of(after, total)
            if normed is not None or same(total, whole.output):
                normed_before = None if is_post else _norm_of(before, carried)
                return replace(
                    parts,
                    norm="post" if is_post else "pre",
                    carried=carried,
                    added=added,
                    attention_sum=total,
                    attention_normed=normed if is_post else None,
                    attention_norm=normed_before,
                    read=carried if normed_before is None else normed_before,
                )
    return parts


def _with_feed_forward(parts: LayerParts, output: Array, after: Sequence[ModuleCall], *, is_post: bool) -> LayerParts:
    total = output
    if is_post:
        total = next(call.input for call in reversed(after) if call.is_norm and same(call.output, output))
    for carried in _streams(after, is_post=is_post):
        for call in reversed(after):
            if call.output.shape == carried.shape and same(carried + call.output, total):
                normed, inner = None if is_post else _norm_of(after, carried), _inner(after, call)
                gate, gated = (None, None) if inner is None else _factors(after, inner)
                return replace(
                    parts,
                    ff_carried=carried,
                    ff_norm=normed,
                    ff_read=carried if normed is None else normed,
                    gate=gate,
                    gated=gated,
                    inner=inner,
                    ff_added=call.output,
                    ff_sum=total,
                    ff_normed=output if is_post else None,
                )
    return parts


def _streams(calls: Sequence[ModuleCall], *, is_post: bool) -> Iterator[Array]:
    """Return the arrays that may run past a sub-layer: outputs of post-LN norms, inputs of pre-LN norms."""
    return (call.output if is_post else call.input for call in calls if call.is_norm)


def _norm_of(calls: Sequence[ModuleCall], x: Array) -> Array | None:
    return next((call.output for call in calls if call.is_norm and same(call.input, x)), None)


def _inner(calls: Sequence[ModuleCall], added: ModuleCall) -> Array | None:
    """Return the input of the last projection of the feed-forward network [n_query, d_ff]."""
    output = added.input if added.is_norm else added.output
    return next((call.input for call in reversed(calls) if _projects(call) and same(call.output, output)), None)


def _factors(calls: Sequence[ModuleCall], inner: Array) -> tuple[Array | None, Array | None]:
    """Return the outputs of an activation and a projection whose product is the inner layer (Shazeer 2020).

    (None, None) for a layer without a gate.
    """
    wide = [call for call in calls if call.output.shape == inner.shape]
    for gate in (call for call in wide if not _projects(call)):
        for gated in (call for call in wide if _projects(call)):
            if same(gate.output * gated.output, inner):
                return gate.output, gated.output
    return None, None


def _projects(call: ModuleCall) -> bool:
    """Return whether the module multiplies by a matrix of its own, and is not a norm."""
    return getattr(call.module, "weight", None) is not None and not call.is_norm
