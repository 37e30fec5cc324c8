"""How much of every token is in every other after a layer, as one matrix for each attention, over the tokens of all
stacks; and what comes of their product.

Of an encoder-decoder the tokens are the source, then what the decoder reads: encoder attention mixes the first, decoder
attention the second, and cross attention mixes the first into the second (Ferrando et al. 2022b, "Towards Opening the
Black Box of Neural Machine Translation", section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.values.record import Array, AttentionRecord, mixed_otherwise

OfLayer = Callable[[AttentionRecord, int], tuple[Array, Array]]
"""Gives for one attention of one layer what every query takes from every key [n_query, n_key], and what it keeps of
itself beside that [n_query]."""


def mixings(evidence: Evidence, of_layer: OfLayer) -> list[Array]:
    """One matrix [n_tokens, n_tokens] for every attention, in the order in which they run; its rows are queries."""
    n_tokens, n_source = len(evidence.tokens), evidence.n_source
    matrices = []
    for record, layer in attention_layers(evidence):
        taken, kept = of_layer(record, layer)
        rows = slice(0, n_source or n_tokens) if record.kind == "encoder" else slice(n_source, n_tokens)
        columns = slice(n_source, n_tokens) if record.kind == "decoder" else slice(0, n_source or n_tokens)
        matrix = np.eye(n_tokens, dtype=np.float32)
        matrix[rows, rows] *= kept[:, None]
        matrix[rows, columns] += taken
        matrices.append(matrix)
    return matrices


def attention_layers(evidence: Evidence) -> Iterator[tuple[AttentionRecord, int]]:
    """Every attention as (record, layer): the encoder's layers, then those of the decoder, itself before cross.

    Raises MissingCapabilityError for a model that does not mix tokens by attention alone.
    """
    if evidence.recording.info.mixes_otherwise:
        raise mixed_otherwise(evidence.recording.info)
    records = evidence.records
    for record in (records[kind] for kind in ("encoder",) if kind in records):
        yield from ((record, layer) for layer in range(record.n_layers))
    decoders = [records[kind] for kind in ("decoder", "cross") if kind in records]
    for layer in range(decoders[0].n_layers if decoders else 0):
        yield from ((record, layer) for record in decoders)


def roll_out(matrices: list[Array]) -> Array:
    """A_n ... A_2 A_1 [n_tokens, n_tokens]: how much of every token that was read is in every token at the end."""
    product: Array = reduce(lambda below, above: above @ below, matrices)
    return product


def keep_half(weights: Array) -> tuple[Array, Array]:
    """Attention beside a residual connection that counts for as much: 0.5 A + 0.5 I (Abnar and Zuidema 2020). What
    heads give to a sink, and so to no token, leaves a token what it was: it is kept."""
    taken: Array = np.float32(0.5) * weights
    return taken, 1 - taken.sum(axis=1)


def mean_attention(record: AttentionRecord, layer: int) -> tuple[Array, Array]:
    """The mean over the heads, half kept."""
    return keep_half(record.mean_weights(layer))
