"""The shapes of an upload's weights, from the header of their file alone."""

from __future__ import annotations

import math
import re
import struct

from lab.limits import MEGABYTE
from lab.uploads.json_tables import parse_json
from models.values.errors import LabError
from models.values.wording import to_say, worded

MOST_HEADER, MOST_TENSORS, MOST_DIMENSIONS = 4 * MEGABYTE, 5000, 4
DTYPES = {"F16": 2, "BF16": 2, "F32": 4}
DTYPES_OF_BUFFERS = {"BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "I32": 4, "I64": 8, "F64": 8}
BUFFERS = re.compile(r"(?:.*\.)?(?:position_ids|token_type_ids|attn\.(?:masked_)?bias)")
"""Tensors that older versions of transformers saved along with the weights, and that no model reads: the numbers of the
positions, a causal mask. They may be of whole numbers, and are no parameters."""


def shapes_of(weights: bytes) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor, from the header alone. Raises LabError if header and file contradict each
    other."""
    if len(weights) < 8:
        raise LabError(to_say("model.safetensors is empty or cut short."))
    (n_header,) = struct.unpack("<Q", weights[:8])
    if n_header > MOST_HEADER or n_header > len(weights) - 8:
        raise LabError(
            worded(
                "model.safetensors says that its header has {header} bytes, of {all} in all: it is damaged, or not a "
                "safetensors file.",
                header=f"{n_header:,}",
                all=f"{len(weights):,}",
            )
        )
    header = parse_json(weights[8 : 8 + n_header], "model.safetensors", MOST_HEADER)
    header.pop("__metadata__", None)
    if not 0 < len(header) <= MOST_TENSORS:
        raise LabError(
            worded(
                "model.safetensors contains {tensors} tensors, expected 1 to {most}.",
                tensors=f"{len(header):,}",
                most=f"{MOST_TENSORS:,}",
            )
        )
    return {name: _shape(name, about, len(weights) - 8 - n_header) for name, about in header.items()}


def _shape(name: str, about: object, n_bytes: int) -> tuple[int, ...]:
    given = about if isinstance(about, dict) else {}
    dtype, shape, offsets = str(given.get("dtype")), _whole_numbers(given.get("shape")), given.get("data_offsets")
    sizes = DTYPES | DTYPES_OF_BUFFERS if BUFFERS.fullmatch(name) else DTYPES
    if dtype not in sizes or shape is None or len(shape) > MOST_DIMENSIONS:
        raise LabError(
            worded(
                "The tensor {name} in model.safetensors has type {type} and shape {shape}, expected floating-point "
                "numbers in at most {most} dimensions.",
                name=repr(name[:80]),
                type=repr(dtype[:20]),
                shape=str(given.get("shape"))[:60],
                most=MOST_DIMENSIONS,
            )
        )
    place = _whole_numbers(offsets)
    if place is None or len(place) != 2 or not place[0] <= place[1] <= n_bytes:
        raise LabError(
            worded("The tensor {name} in model.safetensors is outside the file: it is damaged.", name=repr(name[:80]))
        )
    if place[1] - place[0] != sizes[dtype] * math.prod(shape):
        raise LabError(
            worded("The tensor {name} in model.safetensors does not have the size of its shape.", name=repr(name[:80]))
        )
    return shape


def _whole_numbers(given: object) -> tuple[int, ...] | None:
    """Return a list of whole numbers from 0 on; None for anything else."""
    if isinstance(given, list) and all(type(number) is int and number >= 0 for number in given):
        return tuple(given)
    return None
