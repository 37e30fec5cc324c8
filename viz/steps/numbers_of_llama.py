"""The worked examples of the steps that Llama has and BERT and GPT have not; the words are in texts_of_llama.py."""

from __future__ import annotations

import math

import numpy as np

from models.values.record import Array
from models.values.steps import LayerWalk, Step
from viz.kit.calculation import format_result, product, write_operands
from viz.kit.language import tr
from viz.steps.one_row import bracket_minus, few, key_of, looked_at, token_of


def rotation_example(walk: LayerWalk, step: Step, row: int) -> str:
    query, turned, angles = step.inputs[0].values[row], step.outputs[0].values[row], step.inputs[2].values[row]
    other = _partner(query, turned, float(angles[0]), len(angles))
    return tr(
        "“{token}” ({position}): the first pair of its query, dimensions 0 and {other}, turns by {angle} radians: "
        "({before}, {before_other}) becomes ({after}, {after_other}).",
        token=token_of(walk, row),
        position=row,
        other=other,
        angle=format_result(angles[0]),
        before=format_result(query[0]),
        before_other=format_result(query[other]),
        after=format_result(turned[0]),
        after_other=format_result(turned[other]),
    )


def _partner(query: Array, turned: Array, angle: float, n_pairs: int) -> int:
    """Return the dimension that is rotated together with the first: the one after all pairs, as in Llama, or the
    next."""
    expected = [query[0] * math.cos(angle) - query[other] * math.sin(angle) for other in (n_pairs, 1)]
    return n_pairs if abs(expected[0] - turned[0]) <= abs(expected[1] - turned[0]) else 1


def grouping_example(walk: LayerWalk, step: Step, row: int) -> str:
    n_shared, d_head = walk.info.n_heads // walk.info.n_kv_heads, step.outputs[0].values.shape[1]
    first = walk.head // n_shared * d_head
    column = looked_at(walk, row)
    return tr(
        "Head {head} reads columns {first} to {last}: the key of “{token}” is {key} there, and the value {value}.",
        head=walk.head,
        first=first,
        last=first + d_head - 1,
        token=key_of(walk, column),
        key=few(step.outputs[0].values[column]),
        value=few(step.outputs[1].values[column]),
    )


def gate_example(walk: LayerWalk, step: Step, row: int) -> str:
    gate, gated, inner = (array.values[row] for array in (*step.inputs, *step.outputs))
    widest = int(np.abs(inner).argmax())
    result = format_result(inner[widest])
    texts, sign = write_operands([float(gate[widest]), float(gated[widest])], result, product)
    calculation = f"{' × '.join(map(bracket_minus, texts))} {sign} {result}"
    return tr(
        "“{token}”: the largest number of H is in dimension {dimension}: {calculation}.",
        token=token_of(walk, row),
        dimension=widest,
        calculation=calculation,
    )
