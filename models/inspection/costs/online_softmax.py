"""FlashAttention on one row: the softmax, and the output, from blocks of keys that come one after the other.

Dao et al. 2022, "FlashAttention", Algorithm 1, lines 9 to 13; the running maximum and sum are those of Milakov and
Gimelshein 2018, "Online normalizer calculation for softmax", Algorithm 3. A sink (Xiao et al. 2023) is there from the
beginning, with no value.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.values.arguments.bounds import Count, Index
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import AttentionRecord
from models.values.results.blocks import KeyBlock
from models.values.wording import worded
from models.values.writing import Numbers


@check_arguments
def walk_blocks(
    record: AttentionRecord, *, layer: Index, head: Index, query: Index, block: Count = 4
) -> tuple[KeyBlock, ...]:
    """Return what is known after every block of keys of a query's row; after the last one, the row and its output.

    Raises SelectionError for a query, layer or head that is not there, and for a record of weights alone.
    """
    if query >= record.n_query or not record.has_vectors:
        raise SelectionError(
            worded(
                "query {query} was asked for, expected one of {n}, in a record with queries, keys and values.",
                query=query,
                n=record.n_query,
            )
        )
    scores = record.scores(layer, head)[query].astype(np.float64)  # [n_key], the very numbers of the map
    sinks = record.sink_logits(layer, head, slice(query, query + 1))
    sink = -np.inf if sinks is None else float(np.asarray(sinks).reshape(-1)[0])
    return tuple(_walk(scores, record.value[layer, head].astype(np.float64), sink, block))


@check_arguments
def most_corrected(record: AttentionRecord, *, layer: Index, head: Index, block: Count = 4) -> int:
    """Return the query whose running maximum rises most often from block to block; the last of several."""
    scores = record.scores(layer, head)  # [n_query, n_key]
    highest = np.stack([scores[:, at : at + block].max(axis=1) for at in range(0, record.n_key, block)])
    running = np.maximum.accumulate(highest)  # [n_blocks, n_query]
    rises = ((running[1:] > running[:-1]) & (running[:-1] > -np.inf)).sum(axis=0)  # [n_query]
    return int(record.n_query - 1 - rises[::-1].argmax())


def _walk(scores: Numbers, value: Numbers, sink: float, block: int) -> Iterator[KeyBlock]:
    """Yield the blocks of scores [n_key] and values [n_key, d_head]."""
    maximum, total = sink, 1.0 if sink > -np.inf else 0.0
    powers = np.zeros(len(scores))  # [n_key], of the keys so far
    output = np.zeros(value.shape[1])  # [d_head]
    for start in range(0, len(scores), block):
        here = slice(start, start + block)
        highest = max(maximum, float(scores[here].max()))
        correction = np.exp(maximum - highest) if maximum > -np.inf else 1.0
        powers[here] = np.exp(scores[here] - highest) if highest > -np.inf else 0.0
        before, total = correction * total, correction * total + powers[here].sum()
        powers[:start] *= correction
        output = (before * output + powers[here] @ value[here]) / (total or 1.0)
        maximum = highest
        yield KeyBlock(
            start=start,
            stop=min(start + block, len(scores)),
            scores=scores[here].copy(),
            maximum=maximum,
            total=float(total),
            correction=float(correction),
            weights=powers / (total or 1.0),
            output=output.copy(),
        )
