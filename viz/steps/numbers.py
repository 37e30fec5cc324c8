"""A step worked out for one token with its own numbers, in a line; and all numbers of a step as a table.

The token is the row that the reader follows; where a second one is needed, it is the one that it looks at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np
import pandas as pd

from models.values.record import Array, Token
from models.values.steps import LayerWalk, Step, StepArray, StepName
from viz.kit.calculation import EQUAL, format_result, power_of_e, product, quotient, total, write_operands
from viz.kit.language import tr
from viz.kit.tokens import token_texts
from viz.steps.numbers_of_llama import gate_example, grouping_example, rotation_example
from viz.steps.one_row import bracket_minus, few, key_of, looked_at, token_of
from viz.steps.walk import tokens_of_rows

USUALLY_FOLLOWED = 0.7
"""The place of the token that is followed by default, as a share of the text."""
LARGE = 12
"""Beyond this score, the example of the softmax subtracts the largest one first: the powers of e grow too long."""
MASKED = "masked"


def worked_example(walk: LayerWalk, name: StepName, *, row: int) -> str:
    """Return the worked example of a step for one query token, in plain text. Raises SelectionError if the walk lacks
    the step."""
    step = walk.step(name)
    return _EXAMPLES[name](walk, step, row)


def followed_row(tokens: Sequence[Token], row: int) -> int:
    """Return the row to follow: the one asked for, or if it does not exist, one in the later half of the text."""
    return row if 0 <= row < len(tokens) else round((len(tokens) - 1) * USUALLY_FOLLOWED)


def step_table(walk: LayerWalk, name: StepName) -> pd.DataFrame:
    """Return all arrays of a step below each other: goes, array, symbol, shape, position, token, and a column for each
    number."""
    step = walk.step(name)
    tables = [
        _array_table(walk, array, goes)
        for goes, arrays in (("in", step.inputs), ("out", step.outputs))
        for array in arrays
    ]
    return pd.concat(tables, ignore_index=True)


def _array_table(walk: LayerWalk, array: StepArray, goes: str) -> pd.DataFrame:
    tokens = token_texts(tokens_of_rows(walk, array.rows))
    about = pd.DataFrame(
        {
            "goes": goes,
            "array": array.name,
            "symbol": array.symbol,
            "shape": f"{array.values.shape[0]} x {array.values.shape[1]}",
            "position": range(len(tokens)),
            "token": tokens,
        }
    )
    numbers = pd.DataFrame(array.values, columns=[str(column) for column in range(array.values.shape[1])])
    shown = numbers.astype(object).where(~np.isneginf(array.values), MASKED)
    return pd.concat([about, shown], axis=1)


def _format_operand(value: float) -> str:
    return bracket_minus(format_result(value))


def _sum(walk: LayerWalk, step: Step, row: int) -> str:
    """Return a worked example of a sum and of the norm after it, for the first dimension; without a norm, of the sum
    alone."""
    result = format_result(step.outputs[0].values[row, 0])
    texts, sign = write_operands([float(array.values[row, 0]) for array in step.inputs], result, total)
    parts = " + ".join(f"{bracket_minus(text)} ({term.symbol})" for text, term in zip(texts, step.inputs, strict=True))
    calculation = f"{parts} {sign} {result}" if len(texts) > 1 else parts
    told = {"token": token_of(walk, row), "calculation": calculation}
    if len(step.outputs) > 1:
        normed = format_result(step.outputs[1].values[row, 0])
        return tr("“{token}”, dimension 0: {calculation}; after the norm {normed}.", normed=normed, **told)
    return tr("“{token}”, dimension 0: {calculation}.", **told)


def _norm(walk: LayerWalk, step: Step, row: int) -> str:
    before, after = (arrays[0].values[row] for arrays in (step.inputs, step.outputs))
    if walk.norm_kind == "rms":
        return tr(
            "“{token}”: root mean square {size} before, {size_after} after γ.",
            token=token_of(walk, row),
            size=format_result(_root_mean_square(before)),
            size_after=format_result(_root_mean_square(after)),
        )
    return tr(
        "“{token}”: mean {mean}, standard deviation {deviation} before, mean {mean_after}, standard deviation "
        "{deviation_after} after γ and β.",
        token=token_of(walk, row),
        mean=format_result(before.mean()),
        deviation=format_result(before.std()),
        mean_after=format_result(after.mean()),
        deviation_after=format_result(after.std()),
    )


def _root_mean_square(vector: Array) -> float:
    return float(np.sqrt(np.square(vector, dtype=np.float64).mean()))


def _projections(walk: LayerWalk, step: Step, row: int) -> str:
    query, key, value = (array.values for array in step.outputs)
    if walk.kind == "cross":
        column = looked_at(walk, row)
        return tr(
            "“{token}” asks with q = {query}; “{other}” answers with k = {key}, passes on {value}.",
            token=token_of(walk, row),
            query=few(query[row]),
            other=key_of(walk, column),
            key=few(key[column]),
            value=few(value[column]),
        )
    return tr(
        "“{token}” asks with q = {query}, answers with k = {key}, and passes on v = {value}.",
        token=token_of(walk, row),
        query=few(query[row]),
        key=few(key[row]),
        value=few(value[row]),
    )


def _scores(walk: LayerWalk, step: Step, row: int) -> str:
    column = looked_at(walk, row)
    query, key = (array.values for array in step.inputs)
    products = " + ".join(
        f"{_format_operand(one)} · {_format_operand(other)}"
        for one, other in zip(query[row, :2], key[column, :2], strict=True)
    )
    return tr(
        "“{token}” → “{key}”: {products} + … ({n} products) = {score}.",
        token=token_of(walk, row),
        key=key_of(walk, column),
        products=products,
        n=query.shape[1],
        score=format_result(step.outputs[0].values[row, column]),
    )


def _scaling(walk: LayerWalk, step: Step, row: int) -> str:
    column = looked_at(walk, row)
    before, after = float(step.inputs[0].values[row, column]), float(step.outputs[0].values[row, column])
    left_out = walk.what_if is not None and walk.what_if.name == "no_scaling"
    factor = 1.0 if left_out else walk.scale
    is_capped = "capped" in step.outputs[0].name
    result = format_result(before * factor if is_capped else after)
    (score, times), sign = write_operands((before, factor), result, product)
    times = tr("1 (the scaling is left out)") if left_out else times
    told = {
        "token": token_of(walk, row),
        "key": key_of(walk, column),
        "calculation": f"{bracket_minus(score)} × {times} {sign} {result}",
    }
    if is_capped:
        capped = format_result(after)
        return tr("“{token}” → “{key}”: {calculation}, which the soft cap makes {score}.", score=capped, **told)
    return tr("“{token}” → “{key}”: {calculation}.", **told)


def _mask(walk: LayerWalk, step: Step, row: int) -> str:
    column = looked_at(walk, row)
    result = format_result(step.outputs[0].values[row, column])
    texts, sign = write_operands([float(array.values[row, column]) for array in step.inputs], result, total)
    added = " + ".join(map(bracket_minus, texts))
    hidden = int(np.isneginf(step.outputs[0].values[row]).sum())
    told = {"token": token_of(walk, row), "key": key_of(walk, column), "calculation": f"{added} {sign} {result}"}
    if hidden:
        return tr(
            "“{token}” → “{key}”: {calculation}. “{token}” cannot look at {hidden} of {n} tokens.",
            hidden=hidden,
            n=len(walk.key_tokens),
            **told,
        )
    return tr("“{token}” → “{key}”: {calculation}. “{token}” can look at every token.", **told)


def _softmax(walk: LayerWalk, step: Step, row: int) -> str:
    column = looked_at(walk, row)
    temperature = walk.what_if.temperature if walk.what_if is not None and walk.what_if.name == "temperature" else 1.0
    sink = [] if walk.sinks is None else [walk.sinks[row]]
    scores = np.append(step.inputs[0].values[row].astype(np.float64), sink) / temperature  # the sink's stands last
    largest = float(scores.max()) if np.abs(scores[np.isfinite(scores)]).max(initial=0) > LARGE else 0.0
    raised = np.exp(scores - largest)
    weight = format_result(step.outputs[0].values[row, column])
    (power, sum_of_all), shares = write_operands((float(raised[column]), math.fsum(raised)), weight, quotient)
    (score,), raises = write_operands((float(scores[column] - largest),), power, power_of_e)
    calculated = {
        "token": token_of(walk, row),
        "key": key_of(walk, column),
        "raised": f"e^{bracket_minus(score)} {raises} {power}",
        "divided": f"{power} / {sum_of_all} {shares} {weight}",
    }
    if walk.sinks is None:
        told = tr("“{token}” → “{key}”: {raised}, divided by the sum over all keys, {divided}.", **calculated)
    else:
        told = tr(
            "“{token}” → “{key}”: {raised}, divided by the sum over all keys and the sink, {divided}.", **calculated
        )
    minus = tr("The largest score, {score}, is subtracted from each one first.", score=format_result(largest))
    return f"{told} {minus}" if largest else told


def _weighted_sum(walk: LayerWalk, step: Step, row: int) -> str:
    weights, values = (array.values for array in step.inputs)
    best = np.argsort(-weights[row])[:2]
    result = format_result(step.outputs[0].values[row, 0])
    factors = [float(value) for column in best for value in (weights[row, column], values[column, 0])]
    is_whole = weights.shape[1] == len(best)
    texts, sign = (
        write_operands(factors, result, _sum_of_products) if is_whole else ([*map(format_result, factors)], EQUAL)
    )
    pairs = zip(texts[::2], texts[1::2], best, strict=True)
    parts = " + ".join(
        f"{weight} × {bracket_minus(value)} (“{key_of(walk, int(column))}”)" for weight, value, column in pairs
    )
    calculation = f"{parts}{'' if is_whole else ' + …'} {sign} {result}"
    return tr("“{token}”, dimension 0: {calculation}.", token=token_of(walk, row), calculation=calculation)


def _sum_of_products(factors: Sequence[Decimal]) -> Decimal:
    """Add the products of pairs, a × b + c × d + ..., with the calculator's precision."""
    return total([product(pair) for pair in zip(factors[::2], factors[1::2], strict=True)])


def _concatenation(walk: LayerWalk, step: Step, row: int) -> str:
    own, merged = step.inputs[0].values, step.outputs[0].values
    d_head = merged.shape[1] // walk.info.n_heads
    first = walk.head * d_head
    return tr(
        "“{token}”: Head {head} fills columns {first} to {last} of {n}, which begin with {numbers}.",
        token=token_of(walk, row),
        head=walk.head,
        first=first,
        last=first + d_head - 1,
        n=merged.shape[1],
        numbers=few(merged[row, first : first + own.shape[1]]),
    )


def _output(walk: LayerWalk, step: Step, row: int) -> str:
    given, made = step.inputs[0].values[row], step.outputs[0].values[row]
    return tr(
        "“{token}”: {n} numbers {given} become {n_made} numbers {made}.",
        token=token_of(walk, row),
        n=len(given),
        given=few(given),
        n_made=len(made),
        made=few(made),
    )


def _feed_forward(walk: LayerWalk, step: Step, row: int) -> str:
    made = step.outputs[-1].values[row]
    if len(step.outputs) < 2:
        given = few(step.inputs[0].values[row])
        return tr("“{token}”: {given} becomes {made}.", token=token_of(walk, row), given=given, made=few(made))
    inner = step.outputs[0].values[row]
    return tr(
        "“{token}”: {n} of its {all} inner numbers are above zero, and the largest is {largest}. The result begins "
        "with {made}.",
        token=token_of(walk, row),
        n=int((inner > 0).sum()),
        all=len(inner),
        largest=format_result(inner.max()),
        made=few(made),
    )


_EXAMPLES: dict[StepName, Callable[[LayerWalk, Step, int], str]] = {
    "embeddings": _sum,
    "embedding_norm": _norm,
    "attention_norm": _norm,
    "projections": _projections,
    "rotation": rotation_example,
    "grouping": grouping_example,
    "scores": _scores,
    "scaling": _scaling,
    "mask": _mask,
    "softmax": _softmax,
    "weighted_sum": _weighted_sum,
    "concatenation": _concatenation,
    "output_projection": _output,
    "attention_residual": _sum,
    "feed_forward_norm": _norm,
    "gate": gate_example,
    "feed_forward": _feed_forward,
    "feed_forward_residual": _sum,
}
