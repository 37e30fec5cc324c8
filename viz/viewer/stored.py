"""A recording as a notebook stores it: the weights of a short text in two bytes each, and everything compressed.

Queries and keys are numbers that no compression makes smaller: 16 tokens of 6 x 12 heads take 460 kB with them, and 45
kB without.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from models.values.record import AttentionRecord, Recording
from viz.attention.matrix import Quantity
from viz.kit.language import said, to_say
from viz.viewer import payload
from viz.viewer.html import contents_of
from viz.viewer.packing import pack_arrays

MOST = 2_000_000
"""Bytes of exact heads of a long text, or of a quantity that is not the weights."""
WEIGHTS_ALONE = to_say(
    "The cell of a notebook stores the weights alone. This number is in the file of .save('attention.html')."
)
DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=:?@^_`{|}~"
"""The digits of RFC 1924, but for three that would have to be escaped in an attribute."""


def stored_contents(recording: Recording, chosen: Mapping[str, Any]) -> bytes:
    """Return what the cell of a notebook reads of a recording, packed as `stored_weights.js` reads it.

    Of a short text these are all weights, exact to 1.5e-5, if the weights are what is chosen to be shown.
    """
    is_rounded = chosen.get("quantity", "weights") == "weights"
    contents = contents_of(recording, chosen, most=MOST)
    for about, record in zip(contents["about"]["kinds"], recording.attention, strict=True):
        kind = record.kind
        if is_rounded and about["whole"]:
            about["refused"] = {quantity: said(WEIGHTS_ALONE) for quantity in _others()} | about["refused"]
            others = {name: head for name, head in contents["heads"].items() if not name.startswith(f"{kind} ")}
            contents["heads"] = others | dict(_sums(record))
        if about["whole"]:
            contents["overviews"][kind] = byte_planes(_heads_alone(record))
    arrays = {
        f"{part} {name}": np.frombuffer(content, dtype=np.uint8)
        for part in ("overviews", "heads")
        for name, content in contents[part].items()
    }
    return pack_arrays({"about": contents["about"], "choices": dict(chosen), "rounded": is_rounded}, arrays)


def stored_text(content: bytes) -> str:
    """Return bytes compressed, as text that stands in an attribute of HTML and in JSON as it is: five characters for
    four bytes."""
    packed = zlib.compress(content, 9)
    rest = -len(packed) % 4
    numbers = np.frombuffer(packed + bytes(rest), dtype=">u4").astype(np.uint32)
    places = np.stack([numbers // np.uint32(85**power) % np.uint32(85) for power in (4, 3, 2, 1, 0)], axis=1)
    text = np.frombuffer(DIGITS, dtype=np.uint8)[places].tobytes().decode()
    return text[: len(text) - rest]


def byte_planes(codes: Iterable[NDArray[np.uint16]]) -> bytes:
    """Return the low bytes of all numbers, then the high ones, which are alike and take little when compressed."""
    pairs: NDArray[np.uint8] = np.concatenate(list(codes)).astype("<u2").view(np.uint8).reshape(-1, 2)
    return pairs.T.tobytes()


def _others() -> tuple[Quantity, ...]:
    return tuple(quantity for quantity in get_args(Quantity) if quantity != "weights")


def _heads_alone(record: AttentionRecord) -> Iterator[NDArray[np.uint16]]:
    """Yield the codes of every layer without the mean over its heads, which the browser makes of them."""
    size = len(record.query_tokens) * len(record.key_tokens)
    for layer in islice(payload.overview_and_weights(record), record.n_layers):
        yield np.frombuffer(layer, dtype="<u2")[: record.n_heads * size]


def _sums(record: AttentionRecord) -> Iterator[tuple[str, bytes]]:
    """Yield what the rows of a head sum to, or give to a sink, where they do not sum to 1, by the name of the head."""
    for layer in range(record.n_layers):
        for head in range(record.n_heads):
            if sums := payload.sinks(record, layer, head):
                yield f"{record.kind} {layer} {head}", pack_arrays({}, sums)
