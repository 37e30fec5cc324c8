"""The data for the viewer's browser side: a recording as JSON and bytes, small at first, exact on request.

A weight in 0..1 is sent as the whole number nearest to its square root times 65,534: 16 bits keep it to 1.5e-5. The
small maps take 8 bits. The largest number of either says "masked". Numbers that a person reads are float32.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from models.values.record import Array, AttentionRecord
from viz.attention.matrix import Matrix, Quantity
from viz.attention.transform import Number, Special, pool, prepare, row_chunks, select
from viz.viewer.packing import codes, pack_arrays

WHOLE = 2_400_000
"""Up to so many weights in all (12 x 12 heads of 128 tokens), every one is sent at once: 2 bytes each."""
DENSE = 1024 * 1024
"""Up to so many weights, a head is sent as numbers; above, as the queries and keys that they are computed from."""
SMALL_SIDE = 64
"""Cells a side of a small map."""
COARSE_SIDE = 512
"""Cells a side of the picture of a whole head that is too large to be sent."""
SAMPLED = 160_000_000
"""Above so many weights in all, the small maps look at evenly spaced rows only."""
CHUNK = 262_144
"""Weights of a long text that are in work at a time: 1 MB, which stays in a processor's cache."""
N_CORES = os.cpu_count() or 1
_threads = ThreadPoolExecutor(N_CORES)
Item = TypeVar("Item")
Made = TypeVar("Made")


def overview_and_weights(record: AttentionRecord) -> Iterator[bytes]:
    """Yield all heads, layer by layer: all weights in 16 bits if they are few enough, else small maps of 8 bits.

    A layer is, if `is_whole`, the weights [n_heads + 1, n_query, n_key], the mean over its heads last, else the maps
    [n_heads + 1, tall, wide] in the same order. At the end comes one matrix or map, the mean over all heads. Whole
    numbers have the lowest byte first.
    """
    rows = slice(None, None, row_step(record))
    overall = _Mean()
    for layer in range(record.n_layers):
        made = partial(_head_of, record, layer, rows)
        heads: list[bytes] = []
        mean = _Mean()
        for weights, masked, coded in _side_by_side(made, range(record.n_heads), is_large=not is_whole(record)):
            mean.add(weights, masked)
            heads.append(coded)
        overall.add(mean.values, mean.masked)
        yield b"".join([*heads, _encode_weights(record, mean.values, mean.masked)])
    yield _encode_weights(record, overall.values, overall.masked)


def head(
    record: AttentionRecord,
    *,
    layer: int,
    head: int | None,
    quantity: Quantity = "weights",
    words: bool = False,
    special: Special = "shown",
) -> bytes:
    """Return one head exactly; `head=None` is the mean. Raises SelectionError, and PictureError for whole words of
    scores.

    A head of at most DENSE weights is `values` [n_query, n_key], not yet merged into words nor rid of special tokens:
    the browser does that; if it has a sink, with `sink_shares` [n_query], if its rows have sums of their own, with
    `row_sums` [n_query]. A longer one is `coarse`, the prepared matrix
    in blocks of `step` x `step` each with its largest value, and for a single head its `parts`. Cells that are masked
    are not numbers (NaN).
    """
    if is_dense(record):
        matrix = select(record, layer=layer, head=head, quantity=quantity)
        return pack_arrays({}, {"values": _with_gaps(matrix), **sinks(record, layer, head)})
    coarse, step = coarse_matrix(record, layer=layer, head=head, quantity=quantity, words=words, special=special)
    if head is None:
        return pack_arrays({"step": step}, {"coarse": coarse})
    meta, arrays = parts(record, layer=layer, head=head)
    return pack_arrays({"step": step, **meta}, {"coarse": coarse, **arrays})


def parts(record: AttentionRecord, *, layer: int, head: int) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return scale and soft cap, and the arrays from which every number of a head follows: `query`, `key`,
    `value_norms`, `output_norms` where known, the bias, and the weights that a sink takes."""
    output = {} if record.output_norms is None else {"output_norms": record.output_norms[layer, head]}
    meta = {"scale": float(record.scale[layer]), "soft_cap": record.soft_cap}
    arrays = {
        "query": record.query[layer, head],
        "key": record.key[layer, head],
        "value_norms": np.linalg.norm(record.value[layer, head], axis=-1),
        **output,
        **_bias(record, layer, head),
        **sinks(record, layer, head),
    }
    return meta, arrays


def coarse_matrix(
    record: AttentionRecord,
    *,
    layer: int,
    head: int | None,
    quantity: Quantity = "weights",
    words: bool = False,
    special: Special = "shown",
) -> tuple[Array, int]:
    """Return a head as `prepare` gives it, in blocks with their largest value, NaN if all is masked; and the cells of a
    block.

    It takes the memory of some rows at a time.
    """
    shape = len(record.query_tokens), len(record.key_tokens)
    step = -(-max(shape) // COARSE_SIDE)

    def prepare_rows(rows: slice) -> Array:
        matrix = prepare(record, layer=layer, head=head, quantity=quantity, words=words, special=special, rows=rows)
        return _with_gaps(matrix)

    n_rows = max(1, CHUNK // len(record.key_tokens) // step) * step  # so many fit into a cache
    chunks = list(row_chunks(record, n_rows, whole_words=words))
    if not words and special == "shown":  # every chunk is a number of whole blocks
        blocks = list(_side_by_side(lambda rows: _pool_values(prepare_rows(rows), step), chunks, is_large=True))
        return np.concatenate(blocks), step
    blocks, rest = [], np.zeros((0, 0), np.float32)
    for values in _side_by_side(prepare_rows, chunks, is_large=True):
        rest = np.concatenate([rest, values]) if rest.size else values
        full = rest.shape[0] // step * step
        blocks.append(_pool_values(rest[:full], step))
        rest = rest[full:]
    if rest.shape[0]:
        blocks.append(_pool_values(rest, step))
    return np.concatenate([block for block in blocks if block.size] or [rest]), step


def is_whole(record: AttentionRecord) -> bool:
    """Return whether all weights of all heads are sent at once."""
    n_maps = (record.n_heads + 1) * record.n_layers + 1
    return n_maps * len(record.query_tokens) * len(record.key_tokens) <= WHOLE * 13 // 12


def is_dense(record: AttentionRecord) -> bool:
    """Return whether one head is sent as exact numbers."""
    return len(record.query_tokens) * len(record.key_tokens) <= DENSE


def row_step(record: AttentionRecord) -> int:
    """Return the stride of the rows that the small maps look at, a power of 2: 1 is all of them."""
    return min(_power_of_two(record.n_weights / SAMPLED), small_step(record))


def small_step(record: AttentionRecord) -> int:
    """Return how many tokens a cell of a small map pools, on either axis, a power of 2."""
    return _power_of_two(max(len(record.query_tokens), len(record.key_tokens)) / SMALL_SIDE)


class _Mean:
    """The mean of the added arrays; a cell is masked if it is masked in all of them."""

    def __init__(self) -> None:
        self.total: Array = np.zeros((0, 0), np.float32)
        self.masked: NDArray[np.bool_] | None = None
        self.n_added = 0

    def add(self, values: Array, masked: NDArray[np.bool_] | None) -> None:
        if self.n_added == 0:
            self.total, self.masked = values.copy(), masked
        else:
            self.total += values
            self.masked = None if masked is None or self.masked is None else self.masked & masked
        self.n_added += 1

    @property
    def values(self) -> Array:
        return self.total / np.float32(self.n_added)


def _head_of(
    record: AttentionRecord, layer: int, rows: slice, head: int
) -> tuple[Array, NDArray[np.bool_] | None, bytes]:
    """Return some rows of the weights of a head, their mask, and their packed form."""
    weights, masked = record.weights(layer, head, rows), _mask_of(record, layer, head, rows)
    return weights, masked, _encode_weights(record, weights, masked)


def _side_by_side(make: Callable[[Item], Made], items: Sequence[Item], *, is_large: bool) -> Iterator[Made]:
    """Yield `make` of every item, in order; large items run in parallel, as many at once as there are cores."""
    if not is_large:
        yield from map(make, items)
        return
    for start in range(0, len(items), N_CORES):
        yield from _threads.map(make, items[start : start + N_CORES])


def _encode_weights(record: AttentionRecord, weights: Array, masked: NDArray[np.bool_] | None) -> bytes:
    """Return all weights of a head, or its small map."""
    if is_whole(record):
        return codes(weights, masked, bits=16).tobytes()
    hidden = None if masked is None else ~_small(record, ~masked)
    return codes(_small(record, weights), hidden, bits=8).tobytes()


def _mask_of(record: AttentionRecord, layer: int, head: int, rows: slice) -> NDArray[np.bool_] | None:
    """Return a mask of the cells where a query may not look [n_sampled, n_key]; None if it may look everywhere."""
    bias, offsets = record.bias[layer], record.bias_by_offset(layer)
    if not np.isneginf(bias if offsets is None else offsets).any():
        return None
    hidden: NDArray[np.bool_] = np.isneginf(record.bias_of(layer, head, rows))
    return hidden


def _small(record: AttentionRecord, values: NDArray[Number]) -> NDArray[Number]:
    """Return the largest value of every block [n_sampled, n_key] -> [tall, wide]."""
    side = small_step(record)
    return pool(values, step=side, row_step=side // row_step(record))


def _power_of_two(at_least: float) -> int:
    power = 1
    while power < at_least:
        power *= 2
    return power


def _with_gaps(matrix: Matrix) -> Array:
    """Return the values with NaN where a query may not look."""
    if not matrix.masked.any():
        return matrix.values
    gaps: Array = np.where(matrix.masked, np.float32(np.nan), matrix.values)
    return gaps


def _pool_values(values: Array, step: int) -> Array:
    """Apply `pool` to values with gaps: a block is NaN if all of it is."""
    missing = np.isnan(values)
    if not missing.any():
        return pool(values, step=step) if values.size else values[:0, ::step]
    pooled = pool(np.where(missing, np.float32(-np.inf), values), step=step)
    pooled[np.isneginf(pooled)] = np.nan
    return pooled


def sinks(record: AttentionRecord, layer: int, head: int | None) -> dict[str, Array]:
    """Return the weight that every query gives to the sink of a head [n_query], or the sums of its rows if they are of
    their own; empty where rows sum to 1."""
    if record.row_sums is not None:
        sums = record.row_sums[layer]
        return {"row_sums": sums.mean(axis=0) if head is None else sums[head]}
    if not record.has_sinks(layer):
        return {}
    chunks = row_chunks(record, max(1, CHUNK // record.n_key), whole_words=False)
    return {"sink_shares": np.concatenate([record.sink_shares(layer, head, rows) for rows in chunks])}


def _bias(record: AttentionRecord, layer: int, head: int) -> dict[str, Array]:
    """Return the bias of a head in the smallest form: one number for each key, for each offset (key - query), or for
    each cell."""
    offsets = record.bias_by_offset(layer)
    if offsets is not None:
        return {"bias_by_offset": offsets[head if len(offsets) > 1 else 0]}
    bias = record.bias_of(layer, head)
    return {"bias_by_key": bias[0]} if bias.strides[0] == 0 else {"bias": bias}
