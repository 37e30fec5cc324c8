"""Make records of models that give only their weights: the output of `output_attentions`, checked.

For families whose attention is not softmax(scale * q @ k.T + bias): DeBERTa's sum of three products (He et al. 2021,
section 3.1), XLNet's two streams, Longformer's band (Beltagy et al. 2020, section 3.1), LongT5's blocks (Guo et al.
2022, section 3.1). Such a record has no queries, keys or values; its weights are the model's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from models.values.errors import UnsupportedModelError
from models.values.record import KINDS, AttentionRecord, Kind, Token, kind_name, record_of_weights
from models.values.wording import worded

TOLERANCE = 1e-4
"""How far the sum of a row may be from 1, in float32; in half precision as far as that rounds."""
HandedOut = Mapping[Kind, Sequence[Tensor]]
"""The weights of every layer [1, n_heads, n_query, n_key], by the kind of attention; also in bands, or in blocks."""


def records_from_weights(
    weights_of_kinds: HandedOut, *, name: str, tokens: Mapping[Kind, tuple[Token, ...]], n_layers: Mapping[Kind, int]
) -> tuple[AttentionRecord, ...]:
    """Make one record for each kind in `n_layers`, in the order of KINDS; `tokens` as in `records_from_calls`.

    Raises UnsupportedModelError, naming the model, if the weights are not those of all layers over these tokens, if a
    row does not sum to 1, or if a decoder looks ahead.
    """
    records = []
    for kind in (kind for kind in KINDS if kind in n_layers):
        queries, keys = tokens["decoder" if kind == "cross" else kind], tokens["encoder" if kind == "cross" else kind]
        layers = [_dense(weights[0].cpu().float(), len(keys)) for weights in weights_of_kinds.get(kind, ())]
        rounding = max((torch.finfo(weights.dtype).eps for weights in weights_of_kinds.get(kind, ())), default=0.0)
        tolerance = max(TOLERANCE, rounding)
        why = _why_not(layers, kind, n_layers[kind], (len(queries), len(keys)), tolerance)
        if why is not None:
            raise _no_weights(name, kind, why)
        records.append(
            record_of_weights(
                kind=kind, query_tokens=queries, key_tokens=keys, weights=[layer.numpy() for layer in layers]
            )
        )
    return tuple(records)


def weights_handed_out(output: Mapping[str, Any], n_layers: Mapping[Kind, int]) -> HandedOut:
    """Return the weights in an output of transformers, for the kinds of attention that the model has."""
    weights_of_kinds: dict[Kind, Sequence[Tensor]] = {}
    for kind in n_layers:
        layers = output.get("attentions" if len(n_layers) == 1 else f"{kind}_attentions") or ()
        if all(isinstance(layer, Tensor) and layer.dim() in {4, 5} for layer in layers):
            weights_of_kinds[kind] = tuple(layers)
    return weights_of_kinds


def _no_weights(name: str, kind: Kind, why: str) -> UnsupportedModelError:
    """Return the error for a model without weights that could be shown; `why` is half a sentence."""
    return UnsupportedModelError(
        name,
        worded(
            "{model} gives no {kind} attention weights from every token to every token in every layer: {why}. Choose "
            "another model, such as BERT, GPT-2 or T5.",
            model=name,
            kind=kind_name(kind),
            why=why,
        ),
    )


def _why_not(
    layers: Sequence[Tensor], kind: Kind, n_layers: int, shape: tuple[int, int], tolerance: float
) -> str | None:
    """Return why these are not the weights [n_heads, n_query, n_key] of all layers; None if they are."""
    if not layers:
        return worded("its layers work without attention, or hand out none that is one table of weights")
    if any(layer.shape != (layers[0].shape[0], *shape) for layer in layers):
        return worded("some look from, or at, something else than single tokens, such as pooled pairs or whole blocks")
    if len(layers) != n_layers:
        return worded("{n} layers give some, expected {expected}", n=len(layers), expected=n_layers)
    if not all(_sums_to_one(layer, tolerance) for layer in layers):
        return worded(
            "their rows do not sum to 1, because a part goes to no token (an attention sink) or to another text, or "
            "because scores are handed out in place of weights"
        )
    if kind == "decoder" and any(bool(layer.triu(1).any()) for layer in layers):
        return worded("a token looks at tokens that follow it, which a decoder has not read yet")
    return None


def _sums_to_one(weights: Tensor, tolerance: float) -> bool:
    sums = weights.sum(dim=-1)  # [n_heads, n_query]
    return bool((weights >= 0).all()) and torch.allclose(sums, torch.ones_like(sums), rtol=0, atol=tolerance)


def _dense(weights: Tensor, n_key: int) -> Tensor:
    """Return weights [n_heads, n_query, n_key] of a band [n_heads, n_query, 2 * reach + 1] around the diagonal, or of
    blocks of queries that look at three blocks of keys [n_blocks, n_heads, size, 3 * size].

    Weights of another shape are returned as they are.
    """
    if weights.dim() == 4:
        return _dense_blocks(weights, n_key)
    n_heads, n_query, width = weights.shape
    if width == n_key or width % 2 == 0 or n_query != n_key:
        return weights
    reach = width // 2
    columns = torch.arange(n_query)[:, None] + torch.arange(-reach, reach + 1)  # [n_query, width]
    is_token = (columns >= 0) & (columns < n_key)  # [n_query, width]
    dense = torch.zeros(n_heads, n_query, n_key)
    rows = torch.arange(n_query)[:, None].expand_as(columns)  # [n_query, width]
    dense[:, rows[is_token], columns[is_token]] = weights[:, is_token]
    return dense


def _dense_blocks(weights: Tensor, n_tokens: int) -> Tensor:
    """Return weights [n_heads, n_tokens, n_tokens] of blocks, the last of which may be padded.

    As they are, if a block looks at more than the block before, itself and the next.
    """
    n_blocks, n_heads, size, width = weights.shape
    if width != 3 * size or n_blocks != -(-n_tokens // size):
        return weights
    dense = torch.zeros(n_heads, n_blocks * size, (n_blocks + 2) * size)  # the keys have a block more on either side
    for number, block in enumerate(weights):
        dense[:, number * size : (number + 1) * size, number * size : (number + 3) * size] = block
    return dense[:, :n_tokens, size : size + n_tokens]
