"""A made-up walk through a layer for the demos and the tests: weights by chance, arrays that follow from each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.values.record import Array, Token, softmax
from models.values.steps import Columns, LayerWalk, MissingStep, RowTokens, Step, StepArray, StepName, WhatIf
from viz.kit.demos.records import SENTENCE, demo_info, tokens_of

N_HEADS, D_HEAD = 4, 8
D_MODEL, D_FF = N_HEADS * D_HEAD, 64
INFO = replace(demo_info(), n_heads=N_HEADS, n_kv_heads=N_HEADS, d_model=D_MODEL, d_head=D_HEAD, d_ff=D_FF)
HEAD = 1
"""The head that is walked through."""

Named = dict[str, Array]
"""The arrays of a walk, by a key of `_LABELS`."""


def demo_walk(
    text: str = SENTENCE, *, pre: bool = False, causal: bool = False, what_if: WhatIf | None = None, seed: int = 0
) -> LayerWalk:
    """Return one layer of four heads, post-LN or pre-LN, with or without one thing changed."""
    tokens = tokens_of(text)
    generator = np.random.default_rng(seed)
    embedded = _embed_tokens(tokens, generator, pre=pre, what_if=what_if)
    attended = _attend(embedded["N"], generator, causal=causal, what_if=what_if)
    fed = _apply_feed_forward(embedded["x"], attended["O"], generator, pre=pre)
    skipped: tuple[StepName, ...] = ("embedding_norm",) if pre else ("attention_norm", "feed_forward_norm")
    return LayerWalk(
        info=INFO,
        kind="decoder" if causal else "encoder",
        layer=0,
        head=HEAD,
        query_tokens=tokens,
        key_tokens=tokens,
        steps=_steps(_label_axes(embedded | attended | fed), pre=pre),
        scale=D_HEAD**-0.5,
        norm="pre" if pre else "post",
        what_if=what_if,
        missing=tuple(MissingStep(name=name, why="This model has its norms elsewhere.") for name in skipped),
    )


def _embed_tokens(
    tokens: tuple[Token, ...], generator: np.random.Generator, *, pre: bool, what_if: WhatIf | None
) -> Named:
    """Return embeddings and the input of the layer, each [n_tokens, d_model]."""
    token, place = (_draw_numbers(generator, len(tokens), D_MODEL) for _ in range(2))
    segment = _draw_numbers(generator, 2, D_MODEL)[[token.segment for token in tokens]]
    if what_if is not None and what_if.name == "shuffled_positions":
        place = place[np.random.default_rng(what_if.seed).permutation(len(tokens))]
    total = token + place + segment
    x = total if pre else _apply_layer_norm(total)
    return {"E": token, "P": place, "T": segment, "X": total, "x": x, "N": _apply_layer_norm(x) if pre else x}


def _attend(x: Array, generator: np.random.Generator, *, causal: bool, what_if: WhatIf | None) -> Named:
    """Compute the output of the attention from its input [n_tokens, d_model]."""
    change = "" if what_if is None else what_if.name
    query, key, value = (_split_heads(x @ _draw_numbers(generator, D_MODEL, D_MODEL, scale=0.25)) for _ in range(3))
    scores = query @ key.transpose(0, 2, 1)  # [n_heads, n_query, n_key]
    scaled = scores * np.float32(1 if change == "no_scaling" else D_HEAD**-0.5)
    hidden = causal or change == "causal"
    bias = np.triu(np.full(scores.shape[1:], -np.inf if hidden else 0, np.float32), k=1)  # [n_query, n_key]
    temperature = what_if.temperature if what_if is not None and change == "temperature" else 1.0
    weights = softmax((scaled + bias) / np.float32(temperature))
    output = weights @ value  # [n_heads, n_query, d_head]
    kept = np.array([change != "head_off" or head != HEAD for head in range(N_HEADS)], np.float32)  # [n_heads]
    merged = (output * kept[:, None, None]).transpose(1, 0, 2).reshape(len(x), D_MODEL)
    return {
        "Q": query[HEAD],
        "K": key[HEAD],
        "V": value[HEAD],
        "S": scores[HEAD],
        "scaled": scaled[HEAD],
        "B": bias,
        "masked": scaled[HEAD] + bias,
        "A": weights[HEAD],
        "Z": output[HEAD],
        "C": merged,
        "O": merged @ _draw_numbers(generator, D_MODEL, D_MODEL, scale=0.25),
    }


def _apply_feed_forward(x: Array, attended: Array, generator: np.random.Generator, *, pre: bool) -> Named:
    """Compute the output of the layer from that of the attention [n_tokens, d_model]."""
    summed = x + attended
    after = summed if pre else _apply_layer_norm(summed)
    given = _apply_layer_norm(after)
    inner = np.maximum(np.float32(0), (given if pre else after) @ _draw_numbers(generator, D_MODEL, D_FF, scale=0.25))
    fed = inner @ _draw_numbers(generator, D_FF, D_MODEL, scale=0.1)
    last = after + fed
    return {"sum": summed, "after": after, "M": given, "H": inner, "F": fed, "last": last, "y": _apply_layer_norm(last)}


def _steps(of: dict[str, StepArray], *, pre: bool) -> tuple[Step, ...]:
    """Return all steps in order, each with its inputs and outputs."""
    norm: tuple[StepName, str, str] = ("attention_norm", "x", "N") if pre else ("embedding_norm", "X", "x")
    second: list[tuple[StepName, str, str]] = [("feed_forward_norm", "after", "M")] if pre else []
    around: list[tuple[StepName, str, str]] = [
        ("embeddings", "E P T", "X"),
        norm,
        ("projections", "N" if pre else "x", "Q K V"),
        ("scores", "Q K", "S"),
        ("scaling", "S", "scaled"),
        ("mask", "scaled B", "masked"),
        ("softmax", "masked", "A"),
        ("weighted_sum", "A V", "Z"),
        ("concatenation", "Z", "C"),
        ("output_projection", "C", "O"),
        ("attention_residual", "x O", "sum" if pre else "sum after"),
        *second,
        ("feed_forward", "M" if pre else "after", "H F"),
        ("feed_forward_residual", "after F", "last" if pre else "last y"),
    ]
    return tuple(
        Step(name=name, inputs=tuple(of[key] for key in given.split()), outputs=tuple(of[key] for key in made.split()))
        for name, given, made in around
    )


_LABELS: dict[str, tuple[str, str, RowTokens, Columns]] = {
    "E": ("token embeddings", "E", "query", "d_model"),
    "P": ("position embeddings", "P", "query", "d_model"),
    "T": ("segment embeddings", "S", "query", "d_model"),
    "X": ("their sum", "X", "query", "d_model"),
    "x": ("hidden states", "x", "query", "d_model"),
    "N": ("normed hidden states", "norm(x)", "query", "d_model"),
    "Q": ("queries", "Q", "query", "d_head"),
    "K": ("keys", "K", "key", "d_head"),
    "V": ("values", "V", "key", "d_head"),
    "S": ("scores", "S", "query", "key"),
    "scaled": ("scaled scores", "S·scale", "query", "key"),
    "B": ("bias", "B", "query", "key"),
    "masked": ("masked scores", "S·scale + B", "query", "key"),
    "A": ("weights", "A", "query", "key"),
    "Z": ("head output", "Z", "query", "d_head"),
    "C": ("all heads side by side", "C", "query", "d_heads"),
    "O": ("attention output", "O", "query", "d_model"),
    "sum": ("sum", "x + O", "query", "d_model"),
    "after": ("normed sum", "x'", "query", "d_model"),
    "M": ("normed sum", "norm(x')", "query", "d_model"),
    "H": ("inner layer", "H", "query", "d_ff"),
    "F": ("feed-forward output", "F", "query", "d_model"),
    "last": ("sum", "x' + F", "query", "d_model"),
    "y": ("output of the layer", "y", "query", "d_model"),
}


def _label_axes(arrays: Named) -> dict[str, StepArray]:
    """Return the arrays with the labels of their axes."""
    labelled = {}
    for key, values in arrays.items():
        name, symbol, rows, columns = _LABELS[key]
        labelled[key] = StepArray(name=name, symbol=symbol, rows=rows, columns=columns, values=values.copy())
    return labelled


def _draw_numbers(generator: np.random.Generator, *shape: int, scale: float = 1) -> Array:
    return generator.normal(scale=scale, size=shape).astype(np.float32)


def _apply_layer_norm(x: Array) -> Array:
    """Apply layer norm without weights: every row [d_model] to mean 0 and variance 1."""
    centred = x - x.mean(axis=-1, keepdims=True)
    normed: Array = centred / np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + np.float32(1e-5))
    return normed


def _split_heads(x: Array) -> Array:
    """Split vectors into heads: [n_tokens, d_model] -> [n_heads, n_tokens, d_head]."""
    return x.reshape(len(x), N_HEADS, D_HEAD).transpose(1, 0, 2)
