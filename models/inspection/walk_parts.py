"""The steps around the attention of a layer: the embeddings before it, and everything after the heads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from re import search

import numpy as np
from torch import nn

from models.inspection.layer_parts import LayerParts, same
from models.recording.watched_copy import Watch
from models.values.record import Array, Kind, ModelInfo, Token
from models.values.steps import Columns, Step, StepArray
from models.values.wording import to_say

_WORDS, _GROWN_WORDS = to_say("token embeddings"), to_say("token embeddings × √d_model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """A text and the model that reads it: `run` takes the `body`, or a watched copy of it, through the text."""

    info: ModelInfo
    body: nn.Module
    token_embedding: nn.Module
    run: Callable[[nn.Module], object]
    tokens: Mapping[Kind, tuple[Token, ...]]
    n_layers: Mapping[Kind, int]
    blocks: tuple[str, ...] = ()
    """The modules of the body that are its layers, where they are known."""
    note: str = ""
    query_scales: Mapping[Kind, tuple[float, ...]] = field(default_factory=dict)
    """The factors of the queries before the attention, as in `models.recording.assemble`."""
    angles: tuple[Array, ...] = ()
    """The angles of the tokens [n_tokens, d_rotary / 2] in a model with rotary positions; one array for every kind of
    layer, where they differ."""


def angles_at(frequencies: Sequence[Array], positions: Sequence[int] | None, n_tokens: int) -> tuple[Array, ...]:
    """Return the angles of tokens [n_tokens, d_rotary / 2] at these positions, from 0 on by default."""
    columns = (np.arange(n_tokens) if positions is None else np.asarray(positions))[:, None]  # [n_tokens, 1]
    return tuple(columns.astype(np.float32) * of_layers for of_layers in frequencies)


def embedding_steps(text_pass: Pass, watched: Watch, kind: Kind) -> Iterator[Step]:
    """Return the steps that add up the embeddings of every token, and norm them."""
    embedded, parts = _embedding_parts(text_pass, watched, kind)
    first = watched.first_input
    if embedded is None or first is None:
        return
    columns: Columns = "d_model" if embedded.shape == first.shape else "d_embedding"
    name = to_say("their sum") if len(parts) > 1 else to_say("hidden states")
    total = StepArray(name=name, symbol="X", rows="query", columns=columns, values=embedded)
    yield Step(name="embeddings", inputs=parts, outputs=(total,))
    normed = next((call.output for call in watched.before if call.is_norm and same(call.input, embedded)), None)
    if normed is not None:
        outputs = [
            StepArray(name=to_say("normed embeddings"), symbol="x", rows="query", columns=columns, values=normed)
        ]
        if not same(normed, first):
            outputs = [*outputs, of_queries(to_say("the same in d_model dimensions"), "x", first, "d_model")]
        yield Step(name="embedding_norm", inputs=(total,), outputs=tuple(outputs))


def _embedding_parts(text_pass: Pass, watched: Watch, kind: Kind) -> tuple[Array | None, tuple[StepArray, ...]]:
    """Return the sum that the layers, or their first norm, read, and its parts; (None, ()) if they do not add up.

    The encoder of an encoder-decoder has embedded its source before, which is no part of the decoder's sum.
    """
    calls = [call for call in watched.before if isinstance(call.module, nn.Embedding)]
    first, words = watched.first_input, getattr(text_pass.token_embedding, "weight", None)  # CSM has a table in parts
    token = next((call.output for call in reversed(calls) if call.module.weight is words), None)
    if token is None or first is None:
        return None, ()
    others = {
        call.name: call.output
        for call in calls
        if call.module.weight is not words
        and call.output.shape == token.shape
        and (kind == "encoder" or not search(r"(^|\.)encoder\.", call.name))
    }
    targets = [call.input for call in watched.before if call.is_norm] + [first]
    d_model = np.float32(text_pass.info.d_model)
    for factor, words_name in ((np.float32(1), _WORDS), (np.sqrt(d_model), _GROWN_WORDS)):
        total = token * factor + sum(others.values(), np.zeros_like(token))  # [n_query, d_model]
        if any(same(target, total) for target in targets):
            columns: Columns = "d_model" if token.shape == first.shape else "d_embedding"
            named: list[tuple[str, str, Array]] = [(words_name, "E", token * factor)]
            named += [_name_embedding(name, values) for name, values in others.items()]
            return total, tuple(
                StepArray(name=name, symbol=symbol, rows="query", columns=columns, values=values)
                for name, symbol, values in named
            )
    return None, ()


def _name_embedding(name: str, values: Array) -> tuple[str, str, Array]:
    if search(r"token_type|segment", name):
        return to_say("segment embeddings"), "S", values
    return to_say("position embeddings"), "P", values


def later_steps(parts: LayerParts, concatenated: Array) -> Iterator[Step]:
    """Return the steps from W_O to the end of the layer, as far as they were found."""
    if parts.output is not None:
        output = of_queries(to_say("attention output"), "O", parts.output, "d_model")
        side_by_side = of_queries(to_say("all heads side by side"), "C", concatenated, "d_heads")
        yield Step(name="output_projection", inputs=(side_by_side,), outputs=(output,))
    if parts.attention_sum is not None and parts.carried is not None and parts.added is not None:
        is_plain = parts.added is parts.output
        name = to_say("attention output") if is_plain else to_say("normed attention output")
        yield Step(
            name="attention_residual",
            inputs=(
                of_queries(to_say("hidden states"), "x", parts.carried, "d_model"),
                of_queries(name, "O", parts.added, "d_model"),
            ),
            outputs=_sum_and_norm(parts.attention_sum, parts.attention_normed, "x'"),
        )
    if parts.ff_carried is None or parts.ff_read is None or parts.ff_added is None or parts.ff_sum is None:
        return
    carried = of_queries(to_say("hidden states"), "x'", parts.ff_carried, "d_model")
    if parts.ff_norm is not None:
        normed = of_queries(to_say("normed hidden states"), "norm(x')", parts.ff_norm, "d_model")
        yield Step(name="feed_forward_norm", inputs=(carried,), outputs=(normed,))
    inner = () if parts.inner is None else (of_queries(to_say("inner layer"), "H", parts.inner, "d_ff"),)
    added = of_queries(to_say("feed-forward output"), "F", parts.ff_added, "d_model")
    read = carried if parts.ff_norm is None else normed
    if parts.gate is not None and parts.gated is not None:
        gate = of_queries(to_say("gate"), "G", parts.gate, "d_ff")
        gated = of_queries(to_say("what the gate opens or closes"), "U", parts.gated, "d_ff")
        yield Step(name="gate", inputs=(gate, gated), outputs=inner)
    yield Step(name="feed_forward", inputs=(read,), outputs=(*inner, added))
    yield Step(
        name="feed_forward_residual", inputs=(carried, added), outputs=_sum_and_norm(parts.ff_sum, parts.ff_normed, "y")
    )


def _sum_and_norm(total: Array, normed: Array | None, symbol: str) -> tuple[StepArray, ...]:
    """Return the sum, which is the result in pre-LN, and its norm, which is the result in post-LN."""
    summed = of_queries(to_say("their sum"), symbol if normed is None else "R", total, "d_model")
    return (summed,) if normed is None else (summed, of_queries(to_say("normed sum"), symbol, normed, "d_model"))


def of_queries(name: str, symbol: str, values: Array, columns: Columns) -> StepArray:
    return StepArray(name=name, symbol=symbol, rows="query", columns=columns, values=values)


def of_pairs(name: str, symbol: str, values: Array) -> StepArray:
    return StepArray(name=name, symbol=symbol, rows="query", columns="key", values=values)
