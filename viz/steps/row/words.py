"""One sentence on what a step does to one token, with the model's own numbers: the headline of its picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.steps import LayerWalk, Step, StepName
from viz.kit.calculation import score_as_text
from viz.kit.language import tr
from viz.kit.theme import whole_percent
from viz.steps.one_row import key_of, looked_at, token_of


@check_arguments
def row_headline(walk: LayerWalk, name: StepName, *, row: int) -> str:
    """Return a sentence on what a step does to the query token `row`, in plain text. Raises SelectionError if the walk
    lacks the step."""
    return _HEADLINES[name](walk, walk.step(name), row)


def _embeddings(walk: LayerWalk, step: Step, row: int) -> str:
    told = {"token": token_of(walk, row), "n": step.outputs[0].values.shape[1]}
    if "P" in [array.symbol for array in step.inputs]:
        return tr("“{token}” becomes {n} numbers: what it is, plus where it stands.", **told)
    return tr("“{token}” becomes {n} numbers, looked up in a table.", **told)


def _norm(walk: LayerWalk, step: Step, row: int) -> str:
    n = step.outputs[0].values.shape[1]
    return tr("The {n} numbers of “{token}” are brought to a common size.", token=token_of(walk, row), n=n)


def _projections(walk: LayerWalk, _: Step, row: int) -> str:
    token = token_of(walk, row)
    if walk.kind == "cross":
        key = key_of(walk, looked_at(walk, row))
        return tr("“{token}” asks; “{key}” has a key to be found by, and a value to pass on.", token=token, key=key)
    return tr("“{token}” gets three vectors: what it asks, what it answers to, what it passes on.", token=token)


def _rotation(walk: LayerWalk, _: Step, row: int) -> str:
    return tr("Query and key of “{token}” are turned, as far as its position says.", token=token_of(walk, row))


def _grouping(walk: LayerWalk, _: Step, row: int) -> str:
    n = walk.info.n_heads // walk.info.n_kv_heads
    return tr("{n} heads share one key and one value of “{token}”.", token=token_of(walk, row), n=n)


def _scores(walk: LayerWalk, step: Step, row: int) -> str:
    column = looked_at(walk, row)
    return tr(
        "“{token}” is compared with every token; the score of “{key}” is {score}.",
        token=token_of(walk, row),
        key=key_of(walk, column),
        score=score_as_text(step.outputs[0].values[row, column]),
    )


def _scaling(walk: LayerWalk, step: Step, row: int) -> str:
    column = looked_at(walk, row)
    before, after = (arrays[0].values[row, column] for arrays in (step.inputs, step.outputs))
    return tr(
        "The scores of “{token}” are scaled: that of “{key}” goes from {before} to {after}.",
        token=token_of(walk, row),
        key=key_of(walk, column),
        before=score_as_text(before),
        after=score_as_text(after),
    )


def _mask(walk: LayerWalk, step: Step, row: int) -> str:
    seen = np.isfinite(step.outputs[0].values[row])
    if seen.all():
        return tr("“{token}” can look at every token: nothing is hidden from it.", token=token_of(walk, row))
    return tr(
        "“{token}” can look at {n} of {all} tokens; the others are hidden.",
        token=token_of(walk, row),
        n=int(seen.sum()),
        all=len(seen),
    )


def _softmax(walk: LayerWalk, step: Step, row: int) -> str:
    weights, column = step.outputs[0].values[row], looked_at(walk, row)
    told = tr(
        "“{token}” gives {share} of its attention to “{key}”.",
        token=token_of(walk, row),
        share=whole_percent(float(weights[column])),
        key=key_of(walk, column),
    )
    special = np.array([token.is_special for token in walk.key_tokens])
    rest = float(weights[special].sum(dtype=np.float64))
    if special[column] or not rest:
        return told
    resting = tr("{share} rests on special tokens.", share=whole_percent(rest))
    return f"{told} {resting}"


def _weighted_sum(walk: LayerWalk, step: Step, row: int) -> str:
    column = looked_at(walk, row)
    return tr(
        "“{token}” collects what all tokens pass on: of “{key}”, {share}.",
        token=token_of(walk, row),
        key=key_of(walk, column),
        share=whole_percent(float(step.inputs[0].values[row, column])),
    )


def _concatenation(walk: LayerWalk, _: Step, row: int) -> str:
    return tr(
        "What Head {head} collected for “{token}” is put beside what the other {n} heads did.",
        token=token_of(walk, row),
        head=walk.head,
        n=walk.info.n_heads - 1,
    )


def _output_projection(walk: LayerWalk, step: Step, row: int) -> str:
    return tr(
        "What the {n_heads} heads collected for “{token}” is mixed into {n} numbers.",
        token=token_of(walk, row),
        n_heads=walk.info.n_heads,
        n=step.outputs[0].values.shape[1],
    )


def _attention_residual(walk: LayerWalk, _: Step, row: int) -> str:
    return tr("What the heads found is added to what “{token}” was.", token=token_of(walk, row))


def _gate(walk: LayerWalk, step: Step, row: int) -> str:
    n = step.outputs[0].values.shape[1]
    return tr("For “{token}”, {n} gates open or close what goes on.", token=token_of(walk, row), n=n)


def _feed_forward(walk: LayerWalk, step: Step, row: int) -> str:
    return tr(
        "“{token}” is worked on alone: widened to {inner} numbers, narrowed to {n} again.",
        token=token_of(walk, row),
        inner=walk.info.d_ff,
        n=step.outputs[-1].values.shape[1],
    )


def _feed_forward_residual(walk: LayerWalk, _: Step, row: int) -> str:
    return tr("That is added too, and “{token}” leaves Layer {layer}.", token=token_of(walk, row), layer=walk.layer)


_HEADLINES: dict[StepName, Callable[[LayerWalk, Step, int], str]] = {
    "embeddings": _embeddings,
    "embedding_norm": _norm,
    "attention_norm": _norm,
    "projections": _projections,
    "rotation": _rotation,
    "grouping": _grouping,
    "scores": _scores,
    "scaling": _scaling,
    "mask": _mask,
    "softmax": _softmax,
    "weighted_sum": _weighted_sum,
    "concatenation": _concatenation,
    "output_projection": _output_projection,
    "attention_residual": _attention_residual,
    "feed_forward_norm": _norm,
    "gate": _gate,
    "feed_forward": _feed_forward,
    "feed_forward_residual": _feed_forward_residual,
}
