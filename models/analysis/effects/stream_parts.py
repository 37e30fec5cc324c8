"""Take a linear reading of a residual stream apart into what each head and feed-forward network has added to it.

A direction at the end of the stream is followed back through every sum and every norm, the norms held at the statistics
of the pass: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Kobayashi et al. 2021,
"Incorporating Residual and Normalization Layers into Analysis of Masked Language Models", section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from models.values.probing.stream import Projection, ResidualStream, SubLayer
from models.values.record import AttentionRecord, Kind
from models.values.writing import Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSum:
    """The terms of `directions` · stream at one position, each of the shape [...] of the directions [..., d_model].

    `heads` [n_heads, ...] by kind and layer, `feed_forward` by layer; `biases` are those of projections and the shifts
    of norms. `directions` [..., d_model] are what reads the first state of the stream.
    """

    heads: Mapping[tuple[Kind, int], Numbers]
    feed_forward: Mapping[int, Numbers]
    biases: Numbers
    directions: Numbers


def split_stream(
    stream: ResidualStream, records: Mapping[Kind, AttentionRecord], directions: Numbers, position: int
) -> StreamSum:
    """Return the terms of what some directions [..., d_model] read at the end of a stream, at one position."""
    heads: dict[tuple[Kind, int], Numbers] = {}
    feed_forward: dict[int, Numbers] = {}
    biases = np.zeros(directions.shape[:-1])
    for sub_layer in reversed(stream.sub_layers):
        if sub_layer.norm is not None:
            biases += directions @ sub_layer.norm.shift
            directions = sub_layer.norm.before(directions, position)
        if sub_layer.part == "feed_forward" or sub_layer.projection is None:
            feed_forward[sub_layer.layer] = directions @ sub_layer.added[position]
            continue
        of_heads, bias = _of_heads(sub_layer, sub_layer.projection, records[sub_layer.part], directions, position)
        heads[sub_layer.part, sub_layer.layer] = of_heads
        biases += bias
    return StreamSum(heads=heads, feed_forward=feed_forward, biases=biases, directions=directions)


def _of_heads(
    sub_layer: SubLayer, projection: Projection, record: AttentionRecord, directions: Numbers, position: int
) -> tuple[Numbers, Numbers]:
    """Return what every head adds along some directions [n_heads, ...], and what their biases add [...]."""
    bias = np.zeros(directions.shape[:-1])
    if projection.norm is not None:
        bias += directions @ projection.norm.shift
        directions = projection.norm.before(directions, position)
    row = slice(position, position + 1)
    outputs = np.stack(
        [
            (record.weights(sub_layer.layer, head, row) @ record.value[sub_layer.layer, head])[0]
            for head in range(record.n_heads)
        ]
    )  # [n_heads, d_head]
    written = np.einsum("hd,hdm->hm", outputs, projection.weight)  # [n_heads, d_model]
    of_heads = written @ directions.T  # [n_heads, ...]
    return of_heads, bias + directions @ projection.bias
