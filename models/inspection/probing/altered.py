"""Apply changes to attention and states in a pass; every row of a batch has changes of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from models.inspection.probing.expected import expect_heads, expect_positions, expect_shape
from models.recording.attention_call import AttentionCall, fused_output, uniform_weights
from models.recording.recorder import ReplaceOutput, replacing_outputs_always
from models.values.errors import SelectionError
from models.values.probing.changes import Changes, HeadEdit, Stack, keys_of, stack_of
from models.values.record import Array, Kind, kind_name, no_such_head, no_such_layer
from models.values.wording import join_sentences, worded


def first_layers(changes: Changes, n_layers: Mapping[Stack, int]) -> dict[Stack, int]:
    """Return the lowest layer of each stack that is changed, or that reads a change; below it nothing differs.

    Raises SelectionError for a layer or a stack that is not there.
    """
    touched: list[tuple[Stack, int]] = [(stack_of(edit.kind), edit.layer) for edit in changes.heads]
    touched += [(edit.stack, edit.layer) for edit in changes.states]
    touched += [(stack, 0) for stack, _ in (*changes.hidden, *changes.blank)]
    first = dict(n_layers)
    for stack, layer in touched:
        if not 0 <= layer < n_layers.get(stack, 0):
            raise SelectionError(
                no_such_layer(layer, n_layers[stack])
                if stack in n_layers
                else worded(
                    "this model has no {stack}, only {stacks}.",
                    stack=kind_name(stack),
                    stacks=join_sentences(*map(kind_name, n_layers), by=", "),
                )
            )
        first[stack] = min(first[stack], layer)
    if "decoder" in first and first.get("encoder", 0) < n_layers.get("encoder", 0):
        first["decoder"] = 0  # its cross attention reads what the encoder gives
    return first


def replacement_for(
    rows: Sequence[Changes], attend: Callable[[AttentionCall, int], Tensor] | None = None
) -> ReplaceOutput:
    """Return a function that replaces outputs of attention in a batch, whose rows have changes of their own.

    `attend` computes outputs that are not changed; without it the model does.
    """

    def replace_output(call: AttentionCall, layer: int) -> Tensor | None:
        visible = _hide_tokens(call, rows)
        edits = [
            (row, edit)
            for row, changes in enumerate(rows)
            for edit in changes.heads
            if (edit.kind, edit.layer) == (call.kind, layer)
        ]
        if attend is None and visible is call and not edits:
            return None
        output = fused_output(visible) if attend is None else attend(visible, layer)
        return _edit_heads(output, visible, edits) if edits else output

    return replace_output


def without_heads(heads: Sequence[HeadEdit], n_layers: Mapping[Kind, int]) -> AbstractContextManager[None]:
    """Replace the outputs of some heads in every pass made inside the block, in all rows of every batch."""
    expect_heads(heads, n_layers)
    changes = Changes(heads=tuple(heads))

    def replace_output(call: AttentionCall, layer: int) -> Tensor | None:
        return replacement_for([changes] * len(call.query))(call, layer)

    return replacing_outputs_always(replace_output, n_layers)


def with_states(states: Tensor, rows: Sequence[Changes], stack: Stack, layer: int) -> Tensor:
    """Return the states that a layer reads [n_rows, n_tokens, d_model], with the changes of the rows."""
    edits = [
        (row, edit)
        for row, changes in enumerate(rows)
        for edit in changes.states
        if (edit.stack, edit.layer) == (stack, layer)
    ]
    if not edits:
        return states
    for _, edit in edits:
        expect_positions(edit.positions, states.shape[1])
        expect_shape("states", edit.states.shape, (len(edit.positions), states.shape[2]))
    changed = states.clone()
    for row, edit in edits:
        changed[row, list(edit.positions)] = _as_tensor(edit.states, states)
    return changed


def _hide_tokens(call: AttentionCall, rows: Sequence[Changes]) -> AttentionCall:
    """Hide the tokens that are left out from all others; return the call itself if there are none."""
    hidden = [[position for stack, position in changes.hidden if stack == keys_of(call.kind)] for changes in rows]
    if not any(hidden):
        return call
    n_query, n_key = call.query.shape[2], call.key.shape[2]
    bias = call.query.new_zeros(len(rows), 1, n_query, n_key)
    for row, positions in enumerate(hidden):
        expect_positions(positions, n_key)
        bias[row, :, :, positions] = -torch.inf
        if call.kind == "cross" and len(set(positions)) == n_key:
            raise SelectionError(worded("every token of the source is left out, expected at least one to stay."))
    if call.kind != "cross":
        bias.diagonal(dim1=2, dim2=3).zero_()
    return replace(call, bias=bias if call.bias is None else call.bias + bias)


def _edit_heads(output: Tensor, call: AttentionCall, edits: Sequence[tuple[int, HeadEdit]]) -> Tensor:
    """Return the head outputs [n_rows, n_heads, n_query, d_head], some of them replaced."""
    n_heads = output.shape[1]
    changed = output.clone()
    for row, edit in edits:
        if not 0 <= edit.head < n_heads:
            raise SelectionError(no_such_head(edit.head, n_heads))
        expect_positions(edit.positions or (), output.shape[2])
        new = _new_output(output[row, edit.head], call, row, edit)  # [n_query, d_head]
        positions = slice(None) if edit.positions is None else list(edit.positions)
        changed[row, edit.head, positions] = new[positions]
    return changed


def _new_output(old: Tensor, call: AttentionCall, row: int, edit: HeadEdit) -> Tensor:
    """Return the output of a head after an edit [n_query, d_head]."""
    n_query, n_key = len(old), call.key.shape[2]
    if edit.output is not None:
        expect_shape("output", edit.output.shape, old.shape, (1, old.shape[1]))
        return _as_tensor(edit.output, old).expand_as(old)
    if edit.weights is not None:
        expect_shape("weights", edit.weights.shape, (n_query, n_key))
        return _as_tensor(edit.weights, old) @ call.value[row, edit.head]
    if edit.by == "uniform":
        return uniform_weights(call)[row, edit.head] @ call.value[row, edit.head]
    return torch.zeros_like(old)


def _as_tensor(array: Array, like: Tensor) -> Tensor:
    return torch.from_numpy(np.array(array)).to(like)  # a copy: the arrays of values are read-only
