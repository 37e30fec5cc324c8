"""Biases that depend on nothing but the offset of key and query, in memory that grows with the text and not its square.

Causal masks, sliding windows, T5's relative biases (Raffel et al. 2020, section 2.1) and ALiBi (Press et al. 2021) are
the same along every diagonal: one number for each offset j - i says it all. They are kept as that vector, and seen by
everybody as the matrix that they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Array = NDArray[np.float32]
PackedBias = Array | tuple[Array, int]
"""A bias as it goes between processes: as it is, or as its numbers for every offset with n_query."""
ROWS_AT_ONCE = 64
"""So many rows of a matrix are compared at a time: the comparison takes little memory, too."""


def offsets_of(bias: Array) -> Array | None:
    """The numbers [n_heads, n_query + n_key - 1] of a bias [n_heads, n_query, n_key], for the offset 1 - n_query first.

    None if they differ anywhere along a diagonal, and for one row or column, which takes no more memory as it is.
    """
    n_query = bias.shape[1]
    if 1 in bias.shape[1:]:
        return None
    offsets = np.concatenate((bias[:, :0:-1, 0], bias[:, 0]), axis=1)
    spread = spread_out(offsets, n_query)
    starts = range(0, n_query, ROWS_AT_ONCE)
    chunks = (slice(start, start + ROWS_AT_ONCE) for start in starts)
    return offsets if all(np.array_equal(bias[:, rows], spread[:, rows]) for rows in chunks) else None


def spread_out(offsets: Array, n_query: int) -> Array:
    """The matrix [n_heads, n_query, n_key] of `offsets_of`: a read-only view that takes no memory of its own."""
    n_key = offsets.shape[1] - n_query + 1
    in_a_row = np.ascontiguousarray(offsets)  # T5 counts its heads fastest
    windows = sliding_window_view(in_a_row, n_key, axis=1)  # [n_heads, n_query, n_key], the last query first
    spread: Array = windows[:, ::-1]
    return spread


def known_offsets(bias: Array) -> Array | None:
    """The numbers for every offset of a bias that `spread_out` gave; None for any other, without comparing them."""
    is_spread = bias.ndim == 3 and bias.strides[1] == -bias.strides[2] == -bias.itemsize
    return np.concatenate((bias[:, :0:-1, 0], bias[:, 0]), axis=1) if is_spread else None


def pack(biases: Sequence[Array]) -> tuple[PackedBias, ...]:
    """The biases of the layers without the matrices that are only seen; what layers share, they still share."""
    packed: dict[int, PackedBias] = {}
    for bias in biases:
        if id(bias) not in packed:
            offsets = known_offsets(bias)
            packed[id(bias)] = bias if offsets is None else (offsets, bias.shape[1])
    return tuple(packed[id(bias)] for bias in biases)


def unpack(biases: Iterable[PackedBias]) -> tuple[Array, ...]:
    """The biases of `packed` as they were."""
    return tuple(spread_out(*bias) if isinstance(bias, tuple) else bias for bias in biases)
