"""Records of models that give their weights and nothing else: what `output_attentions` hands out, checked.

For a family whose attention is not softmax(scale * q @ k.T + bias): DeBERTa's sum of three products (He et al. 2021,
section 3.1), XLNet's two streams, Longformer's band (Beltagy et al. 2020, section 3.1). Such a record has no queries,
keys or values; its weights are the model's own.
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
"""How far the sum of a row may be from 1."""
HandedOut = Mapping[Kind, Sequence[Tensor]]
"""The weights of every layer [1, n_heads, n_query, n_key], by the kind of attention."""


def records_from_weights(
    given: HandedOut, *, name: str, tokens: Mapping[Kind, tuple[Token, ...]], n_layers: Mapping[Kind, int]
) -> tuple[AttentionRecord, ...]:
    """One record for each kind in `n_layers`, in the order of KINDS; `tokens` as `records_from_calls` has them.

    Raises UnsupportedModelError, naming the model, if the weights are not those of all layers over these tokens, if a
    row does not sum to 1, or if a decoder looks ahead.
    """
    records = []
    for kind in (kind for kind in KINDS if kind in n_layers):
        queries, keys = tokens["decoder" if kind == "cross" else kind], tokens["encoder" if kind == "cross" else kind]
        layers = [_dense(weights[0].to("cpu", torch.float32), len(keys)) for weights in given.get(kind, ())]
        if not _are_weights(layers, kind, n_layers[kind], (len(queries), len(keys))):
            raise no_weights(name, kind)
        records.append(
            record_of_weights(
                kind=kind, query_tokens=queries, key_tokens=keys, weights=[layer.numpy() for layer in layers]
            )
        )
    return tuple(records)


def weights_handed_out(output: Mapping[str, Any], n_layers: Mapping[Kind, int]) -> HandedOut:
    """The weights in an output of transformers, for the kinds of attention that the model has."""
    found: dict[Kind, Sequence[Tensor]] = {}
    for kind in n_layers:
        layers = output.get("attentions" if len(n_layers) == 1 else f"{kind}_attentions") or ()
        if all(isinstance(layer, Tensor) and layer.dim() == 4 for layer in layers):
            found[kind] = tuple(layers)
    return found


def no_weights(name: str, kind: Kind) -> UnsupportedModelError:
    """The error for a model that gives no weights which could be shown."""
    return UnsupportedModelError(
        name,
        worded(
            "{model} gives no {kind} attention weights from every token to every token in every layer: some of its "
            "layers work without attention, over something else than single tokens, or give a part of it to no token "
            "(an attention sink). Choose another model, such as "
            "BERT, GPT-2 or T5.",
            model=name, kind=kind_name(kind),
        ),
    )  # fmt: skip


def _are_weights(layers: Sequence[Tensor], kind: Kind, n_layers: int, shape: tuple[int, int]) -> bool:
    """Whether these are weights [n_heads, n_query, n_key] of as many layers as there are."""
    if len(layers) != n_layers or not layers:
        return False
    if any(layer.shape != (layers[0].shape[0], *shape) for layer in layers):
        return False
    return all(_sums_to_one(layer) and (kind != "decoder" or not layer.triu(1).any()) for layer in layers)


def _sums_to_one(weights: Tensor) -> bool:
    sums = weights.sum(dim=-1)  # [n_heads, n_query]
    return bool((weights >= 0).all()) and torch.allclose(sums, torch.ones_like(sums), rtol=0, atol=TOLERANCE)


def _dense(weights: Tensor, n_key: int) -> Tensor:
    """Weights [n_heads, n_query, n_key], also of a band [n_heads, n_query, 2 * reach + 1] around the diagonal."""
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
