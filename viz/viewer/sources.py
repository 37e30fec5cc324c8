"""The viewer's data about a picture or a sound: small enough for a file, and the place of each token in it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.values.places import Image, Patch, SourcePlace, Waveform
from models.values.record import Token
from viz.kit.places import place_name

MOST_PIXELS = 256
"""A side of a picture as it is sent; a larger one is averaged."""
MOST_PEAKS = 1200
"""The most pairs of a lowest and a highest sample for a sound."""
LOUDEST = 127


def about_source(source: Image | Waveform | None) -> dict[str, Any]:
    """Return the entry about the source of a recording; empty for text."""
    if source is None:
        return {}
    return {"source": _picture(source) if isinstance(source, Image) else _sound(source)}


def about_places(tokens: Sequence[Token], source: Image | Waveform | None) -> dict[str, list[Any]]:
    """Return further columns of an axis, None for a token without a place; empty if no token has one.

    `places` are [left, top, right, bottom] as shares of the sides of the picture, or [start, end] in seconds.
    """
    if not any(token.place for token in tokens):
        return {}
    return {
        "named": [token.place and place_name(token.place) for token in tokens],
        "places": [token.place and _numbers(token.place, source) for token in tokens],
    }


def _numbers(place: SourcePlace, source: Image | Waveform | None) -> list[float]:
    if not isinstance(place, Patch):
        return [place.start, place.end]
    width, height = (source.width, source.height) if isinstance(source, Image) else (1, 1)
    sides = (place.left / width, place.top / height, place.right / width, place.bottom / height)
    return [round(side, 6) for side in sides]


def _picture(image: Image) -> dict[str, Any]:
    """Return a picture of at most MOST_PIXELS a side, with its proportions: red, green and blue, row by row."""
    shrunk = min(1.0, MOST_PIXELS / max(image.height, image.width))
    height, width = (max(1, round(side * shrunk)) for side in (image.height, image.width))
    means = _means(_means(image.pixels.astype(np.float32), height, axis=0), width, axis=1)  # [height, width, 3]
    return {"kind": "picture", "width": width, "height": height, "pixels": _base64(np.round(means).astype(np.uint8))}


def _means(values: NDArray[np.float32], n: int, *, axis: int) -> NDArray[np.float32]:
    """Pool an axis into `n` parts of nearly the same size, each its mean."""
    edges = _edges(values.shape[axis], n)
    sums: NDArray[np.float32] = np.add.reduceat(values, edges[:-1], axis=axis)
    sizes: NDArray[np.float32] = np.diff(edges).astype(np.float32)
    sums /= np.expand_dims(sizes, tuple(other for other in range(values.ndim) if other != axis))
    return sums


def _sound(waveform: Waveform) -> dict[str, Any]:
    """Return the lowest and the highest sample of every stretch [2, n], as whole numbers: the loudest of all is
    LOUDEST."""
    samples = waveform.samples
    starts = _edges(len(samples), min(MOST_PEAKS, len(samples)))[:-1]
    peaks = np.stack([np.minimum.reduceat(samples, starts), np.maximum.reduceat(samples, starts)])
    loudest = float(np.abs(peaks).max()) or 1.0
    return {
        "kind": "sound",
        "seconds": waveform.seconds,
        "n": len(starts),
        "peaks": _base64(np.round(peaks / loudest * LOUDEST).astype(np.int8)),
    }


def _edges(size: int, n: int) -> NDArray[np.int64]:
    """Return the edges of `n` parts of an axis of `size`; n is at most `size`."""
    return np.arange(n + 1, dtype=np.int64) * size // n


def _base64(array: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
