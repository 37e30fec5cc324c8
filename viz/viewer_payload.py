"""What the viewer's browser side is sent: a recording as JSON and bytes, small at first, exact when a head is wanted.

A weight in 0..1 is sent as the whole number nearest to its square root times 65,534: 16 bits keep it to 1.5e-5. The
small maps take 8 bits. The largest number of either says "masked". Numbers that a person reads are float32.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.record import Array, AttentionRecord, Recording, Token
from viz.theme import DARK, LIGHT, Palette
from viz.tokens import token_texts
from viz.transform import Matrix, Quantity, Special, hide_special, pool, select, to_words

WHOLE = 2_400_000
"""Up to so many weights in all (12 x 12 heads of 128 tokens), every one is sent at once: 2 bytes each."""
DENSE = 1024 * 1024
"""Up to so many weights, a head is sent as numbers; above, as the queries and keys that they are computed from."""
SMALL_SIDE = 64
"""Cells a side of a small map."""
COARSE_SIDE = 512
"""Cells a side of the picture of a whole head that is too large to be sent."""
SAMPLED = 250_000_000
"""Above so many weights in all, the small maps look at evenly spaced rows only."""
CHUNK = 4_000_000
"""Weights that are in memory at a time."""
CODES_16, CODES_8 = 65_534, 254
"""The codes of a weight of 1; the next number says that a cell is masked."""
_ALIGNED = 8


def about(recording: Recording, *, name: str) -> dict[str, Any]:
    """What the viewer has to know before any number: model, kinds, tokens, colours. JSON types only.

    `name` identifies the recording: another text or model has another one.
    """
    return {
        "id": name,
        "model": recording.info.name,
        "segment_b_start": recording.segment_b_start,
        "kinds": [_about_kind(record) for record in recording.attention],
        "palettes": {"light": _colours(LIGHT), "dark": _colours(DARK)},
    }


def overview_and_weights(record: AttentionRecord) -> Iterator[bytes]:
    """All heads, layer by layer: small maps of 8 bits, and all weights in 16 bits where they are few enough.

    A layer is the maps [n_heads + 1, tall, wide], the mean over its heads last, and then, if `is_whole`, the weights
    [n_heads + 1, n_query, n_key] in the same order. At the end comes one map (and one matrix), the mean over all heads.
    Whole numbers have the lowest byte first.
    """
    step = row_step(record)
    shape = (-(-len(record.query_tokens) // step), len(record.key_tokens))
    overall, hidden_everywhere = np.zeros(shape, np.float32), np.ones(shape, np.bool_)
    for layer in range(record.n_layers):
        weights = _with_mean(record, layer, step)  # [n_heads + 1, n_sampled, n_key]
        masked = _masked(record, layer, step)
        overall += weights[-1]
        hidden_everywhere &= False if masked is None else masked[-1]
        yield _block(record, weights, masked, step)
    overall /= np.float32(record.n_layers)
    yield _block(record, overall[None], hidden_everywhere[None] if hidden_everywhere.any() else None, step)


def head(
    record: AttentionRecord,
    *,
    layer: int,
    head: int | None,
    quantity: Quantity = "weights",
    words: bool = False,
    special: Special = "shown",
) -> bytes:
    """One head exactly; `head=None` is the mean. Raises SelectionError, and PictureError for whole words of scores.

    A head of at most DENSE weights is `values` [n_query, n_key], not yet merged into words nor rid of special tokens:
    the browser does that. A longer one is `coarse`, the prepared matrix in blocks of `step` x `step` each with its
    largest value, and for a single head its `parts`. Cells that are masked are not numbers (NaN).
    """
    if is_dense(record):
        matrix = select(record, layer=layer, head=head, quantity=quantity)
        return packed({}, {"values": _with_gaps(matrix)})
    coarse, step = coarse_matrix(record, layer=layer, head=head, quantity=quantity, words=words, special=special)
    if head is None:
        return packed({"step": step}, {"coarse": coarse})
    meta, arrays = parts(record, layer=layer, head=head)
    return packed({"step": step, **meta}, {"coarse": coarse, **arrays})


def parts(record: AttentionRecord, *, layer: int, head: int) -> tuple[dict[str, Any], dict[str, Array]]:
    """What every number of a head follows from: scale, soft cap; `query`, `key`, `value_norms`, and the bias."""
    meta = {"scale": float(record.scale[layer]), "soft_cap": record.soft_cap}
    arrays = {
        "query": record.query[layer, head],
        "key": record.key[layer, head],
        "value_norms": np.linalg.norm(record.value[layer, head], axis=-1),
        **_bias(record, layer, head),
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
    """A head as `prepare` gives it, in blocks with their largest value, NaN if all is masked; and the cells of a block.

    It takes the memory of some rows at a time.
    """
    shape = len(record.query_tokens), len(record.key_tokens)
    step = -(-max(shape) // COARSE_SIDE)
    blocks: list[Array] = []
    kept = np.zeros((0, 0), np.float32)
    for rows in _row_chunks(record, step):
        matrix = select(record, layer=layer, head=head, quantity=quantity, rows=rows)
        if words:
            matrix = to_words(matrix)
        if special != "shown":
            matrix = hide_special(matrix, renormalise=special == "hidden_renormalised")
        values = _with_gaps(matrix)
        kept = values if not kept.size else np.concatenate([kept, values])
        full = kept.shape[0] // step * step
        blocks.append(_pooled(kept[:full], step))
        kept = kept[full:]
    if kept.shape[0]:
        blocks.append(_pooled(kept, step))
    return np.concatenate([block for block in blocks if block.size] or [kept]), step


def is_whole(record: AttentionRecord) -> bool:
    """Whether all weights of all heads are sent at once."""
    n_maps = (record.n_heads + 1) * record.n_layers + 1
    return n_maps * len(record.query_tokens) * len(record.key_tokens) <= WHOLE * 13 // 12


def is_dense(record: AttentionRecord) -> bool:
    """Whether one head is sent as its numbers."""
    return len(record.query_tokens) * len(record.key_tokens) <= DENSE


def row_step(record: AttentionRecord) -> int:
    """The small maps look at every so-manieth row: 1 is all of them."""
    cells = record.n_layers * record.n_heads * len(record.query_tokens) * len(record.key_tokens)
    return max(1, min(-(-cells // SAMPLED), small_step(record)))


def small_step(record: AttentionRecord) -> int:
    """The tokens that a cell of a small map stands for, on either axis."""
    return -(-max(len(record.query_tokens), len(record.key_tokens)) // SMALL_SIDE)


def packed(meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """A header in JSON and arrays: [bytes of the header, uint32][header][arrays], each part at a multiple of 8."""
    described, parts, offset = [], [], 0
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        described.append({"name": name, "type": array.dtype.name, "shape": list(array.shape), "offset": offset})
        parts.append(_padded(content))
        offset += len(parts[-1])
    header = json.dumps({"meta": dict(meta), "arrays": described}, allow_nan=False).encode()
    start = np.uint32(len(header)).tobytes() + header
    return b"".join([_padded(start), *parts])


def codes(weights: Array, masked: NDArray[np.bool_] | None, *, bits: int) -> NDArray[np.uint8 | np.uint16]:
    """Weights 0..1 as whole numbers of 8 or 16 bits, lowest byte first."""
    most, kind = (CODES_8, np.dtype(np.uint8)) if bits == 8 else (CODES_16, np.dtype("<u2"))
    roots = np.sqrt(weights)
    roots *= np.float32(most)
    roots += np.float32(0.5)
    coded: NDArray[np.uint8 | np.uint16] = roots.astype(kind)
    if masked is not None:
        coded[np.broadcast_to(masked, coded.shape)] = most + 1
    return coded


def _about_kind(record: AttentionRecord) -> dict[str, Any]:
    shape, step = (len(record.query_tokens), len(record.key_tokens)), small_step(record)
    return {
        "kind": record.kind,
        "n_layers": record.n_layers,
        "n_heads": record.n_heads,
        "queries": _tokens(record.query_tokens),
        "keys": None if record.key_tokens == record.query_tokens else _tokens(record.key_tokens),
        "whole": is_whole(record),
        "dense": is_dense(record),
        "tall": -(-shape[0] // step),
        "wide": -(-shape[1] // step),
        "step": step,
        "row_step": row_step(record),
    }


def _tokens(tokens: tuple[Token, ...]) -> dict[str, list[Any]]:
    """Columns, not rows: 4,096 tokens take 100 kB."""
    return {
        "texts": list(token_texts(tokens)),
        "words": [token.word for token in tokens],
        "segments": [token.segment for token in tokens],
        "special": [token.is_special for token in tokens],
    }


def _colours(palette: Palette) -> dict[str, Any]:
    return {name: getattr(palette, name) for name in palette.__dataclass_fields__}


def _with_mean(record: AttentionRecord, layer: int, step: int) -> Array:
    """The weights of a layer and, last, their mean [n_heads + 1, n_sampled, n_key]; every `step`-th row."""
    n_query, n_key = len(record.query_tokens), len(record.key_tokens)
    n_rows = max(1, CHUNK // (record.n_heads * n_key))
    made = np.empty((record.n_heads + 1, -(-n_query // step), n_key), np.float32)
    for start in range(0, made.shape[1], n_rows):
        stop = min(start + n_rows, made.shape[1])
        part = record.layer_weights(layer, rows=slice(start * step, min(stop * step, n_query), step))
        made[:-1, start:stop] = part
        made[-1, start:stop] = part.mean(axis=0)
    return made


def _masked(record: AttentionRecord, layer: int, step: int) -> NDArray[np.bool_] | None:
    """Where a query may not look [n_heads + 1, n_sampled, n_key], the last is true where no head may; None: nowhere."""
    bias, offsets = record.bias[layer], record.bias_by_offset(layer)
    if not np.isneginf(bias if offsets is None else offsets).any():
        return None
    shape = (record.n_heads, len(record.query_tokens), len(record.key_tokens))
    hidden: NDArray[np.bool_] = np.isneginf(np.broadcast_to(bias, shape)[:, ::step])
    return np.concatenate([hidden, hidden.all(axis=0, keepdims=True)])


def _block(record: AttentionRecord, weights: Array, masked: NDArray[np.bool_] | None, step: int) -> bytes:
    """A layer's maps, and its weights where all are sent."""
    maps = _small(record, weights, step)
    hidden = None if masked is None else ~_small(record, ~masked, step)
    first = codes(maps, hidden, bits=8).tobytes()
    return first + codes(weights, masked, bits=16).tobytes() if is_whole(record) else first


def _small(record: AttentionRecord, values: NDArray[Any], step: int) -> NDArray[Any]:
    """The largest value of every block [n, n_sampled, n_key] -> [n, tall, wide]; every `step`-th row was sampled."""
    side = small_step(record)
    if side == 1:
        return values
    sampled = np.arange(0, len(record.query_tokens), step)
    rows = np.searchsorted(sampled, np.arange(0, len(record.query_tokens), side))
    columns = np.arange(0, len(record.key_tokens), side)
    return np.maximum.reduceat(np.maximum.reduceat(values, rows, axis=1), columns, axis=2)


def _row_chunks(record: AttentionRecord, step: int) -> Iterator[slice]:
    """Rows whose weights fit in memory; no word is cut in two."""
    n_rows = max(step, CHUNK // len(record.key_tokens))
    start, n_query = 0, len(record.query_tokens)
    while start < n_query:
        stop = min(start + n_rows, n_query)
        while stop < n_query and _continues(record.query_tokens[stop - 1], record.query_tokens[stop]):
            stop += 1
        yield slice(start, stop)
        start = stop


def _continues(before: Token, token: Token) -> bool:
    return token.word is not None and token.word == before.word


def _with_gaps(matrix: Matrix) -> Array:
    gaps: Array = np.where(matrix.masked, np.float32(np.nan), matrix.values)
    return gaps


def _pooled(values: Array, step: int) -> Array:
    """`pool`, for values with gaps: a block is NaN if all of it is."""
    if not values.size:
        return np.zeros((0, -(-values.shape[1] // step)), np.float32)
    lowest = np.where(np.isnan(values), np.float32(-np.inf), values)
    pooled = pool(lowest, step=step)
    gaps: Array = np.where(np.isneginf(pooled), np.float32(np.nan), pooled)
    return gaps


def _bias(record: AttentionRecord, layer: int, head: int) -> dict[str, Array]:
    """The bias of a head in the smallest form: one number a key, one an offset (key - query), or one a cell."""
    bias = record.bias[layer]
    which = head if bias.shape[0] > 1 else 0
    offsets = record.bias_by_offset(layer)
    if offsets is not None:
        return {"bias_by_offset": offsets[head if offsets.shape[0] > 1 else 0]}
    if bias.shape[1] == 1:
        return {"bias_by_key": np.broadcast_to(bias[which, 0], (len(record.key_tokens),))}
    return {"bias": np.broadcast_to(bias[which], (len(record.query_tokens), len(record.key_tokens)))}


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % _ALIGNED)
