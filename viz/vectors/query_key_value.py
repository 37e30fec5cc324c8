"""One query of one head, step by step: from its dot products with the keys to the weighted sum of the values.

Vaswani et al. 2017, "Attention Is All You Need", equation 1: softmax(q kᵀ / √d_head) v, for a single row. Every number
is computed from the record as `AttentionRecord.scores`, `weights` and `head_output` compute theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord, Token, softmax
from viz.kit.calculation import format_result, product, total, write_operands
from viz.kit.errors import expect_in_range, expect_vectors
from viz.kit.language import tr
from viz.kit.theme import MINUS
from viz.kit.tokens import token_texts

Order = Literal["sentence", "weight"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """The work of one head for the query token at `position`, read-only float32.

    `query` [d_head] meets the `keys` [n_key, d_head]: `products` [n_key, d_head] element by element, their sums over
    the dimensions are the `dots` [n_key]. Times `scale` they are `scaled`, bounded by the soft cap `capped`, and with
    the `bias` the `scores` [n_key], minus infinity where the query may not look. Their softmax are the `weights`
    [n_key]; these times the `values` [n_key, d_value], summed over the tokens, are the `output` [d_value].
    """

    position: int
    text: str
    """The query token, readable, spelled by the tokens before it; NOT escaped."""
    key_tokens: tuple[Token, ...]
    is_self: bool
    """Whether keys and query are the same text, so that the query's own token is among the keys."""
    query: Array
    keys: Array
    products: Array
    dots: Array
    scale: float
    scaled: Array
    soft_cap: float | None
    capped: Array
    bias: Array
    scores: Array
    weights: Array
    sink_share: float
    """The weight that the query gives to the head's sink, and so to no token; 0 without a sink."""
    has_sink: bool
    values: Array
    output: Array

    @property
    def visible(self) -> NDArray[np.bool_]:
        """The keys at which this query may look [n_key]."""
        return ~np.isneginf(self.scores)

    @property
    def has_bias(self) -> bool:
        """Whether the model adds more to these scores than a mask: a position bias, as T5 does."""
        return bool(np.any(self.bias[self.visible]))

    @property
    def weighted_values(self) -> Array:
        """Each value times its weight [n_key, d_value]; the sum over the tokens is the output."""
        product: Array = self.weights[:, None] * self.values
        return product


@check_arguments
def look_up(record: AttentionRecord, *, layer: int, head: int, position: int) -> Lookup:
    """Follow one query through a head. Raises SelectionError for a layer, head or position out of range, and
    PictureError for a record of weights alone."""
    expect_vectors(record)
    expect_in_range(layer=(layer, record.n_layers), head=(head, record.n_heads), position=(position, record.n_query))
    query, keys, values = record.query[layer, head, position], record.key[layer, head], record.value[layer, head]
    dots = query @ keys.T
    scaled = dots * np.float32(record.scale[layer])
    capped = record.cap_scores(scaled)
    bias = record.bias_of(layer, head)[position]
    scores = capped + bias
    row = slice(position, position + 1)
    sinks = record.sink_logits(layer, head, row)
    weights = softmax(scores, sinks=None if sinks is None else sinks[0])
    return Lookup(
        position=position,
        text=token_texts(record.query_tokens)[position],
        key_tokens=record.key_tokens,
        is_self=record.kind != "cross",
        query=query,
        keys=keys,
        products=query * keys,
        dots=dots,
        scale=record.scale[layer],
        scaled=scaled,
        soft_cap=record.soft_cap,
        capped=capped,
        bias=bias,
        scores=scores,
        weights=weights,
        sink_share=float(record.sink_shares(layer, head, row)[0]),
        has_sink=record.has_sinks(layer),
        values=values,
        output=weights @ values,
    )


@check_arguments
def first_word(record: AttentionRecord) -> int:
    """Return the position of the first query token that is not special; 0 if there is none."""
    return next((place for place, token in enumerate(record.query_tokens) if not token.is_special), 0)


def ordered_keys(look: Lookup, order: Order, *, most: int) -> NDArray[np.intp]:
    """Return the positions of at most `most` keys, those with the largest weights, in the requested order.

    Where not all can be drawn, those at which the query may not look are left out first.
    """
    falling = np.argsort(-look.weights, kind="stable")
    if len(falling) > most and look.visible.any():
        falling = falling[look.visible[falling]][:most]
    falling = falling[:most]
    return falling if order == "weight" else np.sort(falling)


def arithmetic(look: Lookup, key: int) -> str:
    """Return the steps from the dot product to the weight of one key, in numbers and in one line of plain text.

    It is put together from its end: what goes into a step needs the digits that give what comes out of it.
    """
    if not look.visible[key]:
        return tr("The query cannot look at this key: its score is −∞ and its weight 0.")
    shown, steps = format_result(look.scores[key]), []
    if look.has_bias:
        (before, bias), sign = write_operands((float(look.capped[key]), float(look.bias[key])), shown, total)
        added = bias if bias.startswith(MINUS) else f"+{bias}"
        steps.append(tr("bias {bias} {sign} {score}", bias=added, sign=sign, score=shown))
        shown = before
    if look.soft_cap is not None:
        steps.append(tr("capped at ±{cap} ≈ {score}", cap=f"{look.soft_cap:g}", score=shown))
        shown = format_result(look.scaled[key])
    if look.scale != 1:
        (before, scale), sign = write_operands((float(look.dots[key]), look.scale), shown, product)
        steps.append(f"× {scale} {sign} {shown}")
        shown = before
    steps.append(f"q · k = {shown}")
    way = ", ".join(reversed(steps))
    return tr("{steps}, after the softmax {weight}", steps=way, weight=f"{look.weights[key]:.4f}")


def score_table(look: Lookup) -> pd.DataFrame:
    """Return one row for each key, in the order of the sentence: every step from the dot product to the weight, in full
    digits."""
    return pd.DataFrame(
        {
            "query_position": look.position,
            "query_token": look.text,
            "position": range(len(look.key_tokens)),
            "token": token_texts(look.key_tokens),
            "may_look": look.visible,
            "dot_product": look.dots,
            "scaled": look.scaled,
            "soft_capped": look.capped,
            "bias": look.bias,
            "score": look.scores,
            "weight": look.weights,
        }
    )


def vector_table(look: Lookup) -> pd.DataFrame:
    """Return one row for each vector, one column for each dimension: query, keys, products, values, weighted values,
    output."""
    texts = token_texts(look.key_tokens)
    blocks = [
        _block("query", look.query[None], [look.position], [look.text]),
        _block("key", look.keys, range(len(texts)), texts),
        _block("query x key", look.products, range(len(texts)), texts),
        _block("value", look.values, range(len(texts)), texts),
        _block("weight x value", look.weighted_values, range(len(texts)), texts),
        _block("output", look.output[None], [look.position], [look.text]),
    ]
    table = pd.concat(blocks, ignore_index=True)
    table.insert(0, "query_position", look.position)
    return table


@check_arguments
def head_table(record: AttentionRecord, *, layer: int, head: int) -> pd.DataFrame:
    """Return the queries, keys and values of a whole head: one row for each vector, one column for each dimension.
    Raises PictureError for a record of weights alone."""
    expect_vectors(record)
    queries, keys = token_texts(record.query_tokens), token_texts(record.key_tokens)
    blocks = [
        _block("query", record.query[layer, head], range(len(queries)), queries),
        _block("key", record.key[layer, head], range(len(keys)), keys),
        _block("value", record.value[layer, head], range(len(keys)), keys),
    ]
    return pd.concat(blocks, ignore_index=True)


def _block(name: str, vectors: Array, positions: range | list[int], texts: tuple[str, ...] | list[str]) -> pd.DataFrame:
    named = pd.DataFrame({"vector": name, "position": list(positions), "token": list(texts)})
    return named.join(pd.DataFrame(vectors, columns=[str(dimension) for dimension in range(vectors.shape[1])]))


if __name__ == "__main__":
    import sys

    from viz.kit.demos.records import random_record

    shown = look_up(random_record(), layer=0, head=0, position=2)
    sys.stdout.write(f"{arithmetic(shown, 3)}\n{score_table(shown)}\n")
