"""The format of numbers for the viewer: arrays behind a header in JSON, weights as integers of 8 or 16 bits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.values.record import Array

CODES_16, CODES_8 = 65_534, 254
"""The codes of a weight of 1; the next number marks a masked cell."""
_ALIGNED = 8


def pack_arrays(meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Pack a header and arrays: [bytes of the header, uint32][header][arrays], each part at a multiple of 8."""
    described, parts, offset = [], [], 0
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        described.append({"name": name, "type": array.dtype.name, "shape": list(array.shape), "offset": offset})
        parts.append(_pad_bytes(content))
        offset += len(parts[-1])
    header = json.dumps({"meta": dict(meta), "arrays": described}, allow_nan=False).encode()
    start = np.uint32(len(header)).tobytes() + header
    return b"".join([_pad_bytes(start), *parts])


def codes(weights: Array, masked: NDArray[np.bool_] | None, *, bits: int) -> NDArray[np.uint8 | np.uint16]:
    """Encode weights 0..1 as integers of 8 or 16 bits, lowest byte first."""
    most, kind = (CODES_8, np.dtype(np.uint8)) if bits == 8 else (CODES_16, np.dtype("<u2"))
    roots = np.sqrt(weights)
    roots *= np.float32(most)
    roots += np.float32(0.5)
    np.minimum(roots, np.float32(most), out=roots)  # a weight of half precision may be a little over 1
    coded: NDArray[np.uint8 | np.uint16] = roots.astype(kind)
    if masked is not None:
        coded[np.broadcast_to(masked, coded.shape)] = most + 1
    return coded


def _pad_bytes(content: bytes) -> bytes:
    return content + bytes(-len(content) % _ALIGNED)
