"""Encode a batch without work on padding.

Rows of reviews differ in length. Everything but attention treats tokens one by one, so they are packed end to end for
it and laid out in rows for attention alone: a third less to compute than with rows padded to the longest.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from models.scratch.attention import attention_function, mask_to_bias
from models.scratch.encoder import Encoder, EncoderLayer
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch
from recipes.korean.measures import heads


def losses(model: PretrainingModel, batch: Batch) -> tuple[Tensor, Tensor]:
    """Return the MLM and the NSP loss of a batch, in nats, summed."""
    mlm, nsp = heads(model)
    b, n_tokens = batch.input_ids.shape
    asked = torch.cat((torch.arange(b, device=batch.masked.device) * n_tokens, batch.masked))  # [b + n_masked]
    x = encode_at(model.encoder, batch.input_ids, batch.segment_ids, asked)  # [b + n_masked, d_model]
    logits = nsp(x[:b, None])  # [b, 2]
    nsp_loss = functional.cross_entropy(logits, batch.next_labels, ignore_index=NO_LABEL, reduction="sum")
    return functional.cross_entropy(mlm(x[b:]), batch.targets, reduction="sum"), nsp_loss


def encode_at(encoder: Encoder, input_ids: Tensor, segment_ids: Tensor | None, asked: Tensor) -> Tensor:
    """Return the last states at some flat places of ids [b, n_tokens]: [n_asked, d_model]. Padding is 0.

    The last layer's feed-forward sub-layer runs there alone.
    """
    b, n_tokens = input_ids.shape
    is_token = input_ids != 0  # [b, n_tokens]
    places = is_token.flatten().nonzero().squeeze(1)  # [n], where the tokens stand in the rows laid end to end
    bias = None if bool(is_token.all()) else mask_to_bias(is_token)[:, None, None, :]  # [b, 1, 1, n_tokens]
    x = encoder.embeddings(input_ids, segment_ids).flatten(end_dim=1)[places]  # [n, d_model]
    *lower, last = (layer for layer in encoder.layers if isinstance(layer, EncoderLayer))
    for layer in lower:
        x = attend(layer, x, places, bias, (b, n_tokens))  # [n, d_model]
        x = layer.feed_forward_norm(x + layer.feed_forward(x))  # [n, d_model]
    x = attend(last, x, places, bias, (b, n_tokens))  # [n, d_model]
    number = is_token.flatten().cumsum(0) - 1  # [b * n_tokens], which of the packed tokens stands there
    x = x[number[asked]]  # [n_asked, d_model]
    states: Tensor = last.feed_forward_norm(x + last.feed_forward(x))  # [n_asked, d_model]
    return states


def attend(layer: EncoderLayer, x: Tensor, places: Tensor, bias: Tensor | None, shape: tuple[int, int]) -> Tensor:
    """Return x after the attention sub-layer of a post-LN layer [n, d_model]; `places` [n] in rows of `shape`."""
    attention = layer.attention
    query, key, value = (
        _laid_out(project(x), places, shape, attention.n_heads)
        for project in (attention.query, attention.key, attention.value)
    )  # [b, n_heads, n_tokens, d_head] each
    compute = attention_function.get()
    mixed = compute(query=query, key=key, value=value, bias=bias, scale=attention.d_head**-0.5)
    merged = mixed.transpose(1, 2).reshape(-1, x.shape[1])[places]  # [n, d_model]
    after: Tensor = layer.attention_norm(x + attention.output(merged))  # [n, d_model]
    return after


def _laid_out(x: Tensor, places: Tensor, shape: tuple[int, int], n_heads: int) -> Tensor:
    """Return packed tokens [n, d_model] in rows, split into heads [b, n_heads, n_tokens, d_head]; padding is 0."""
    rows = x.new_zeros(shape[0] * shape[1], x.shape[1]).index_copy(0, places, x)  # [b * n_tokens, d_model]
    return rows.view(*shape, n_heads, -1).transpose(1, 2)
