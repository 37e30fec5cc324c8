"""Queries and keys before a rotary model turned them: found by turning what the modules gave and comparing.

Su et al. 2021, "RoFormer", section 3.2.2. A pair is two neighbours there, and the same place of both halves in Llama.
"""

from __future__ import annotations

from itertools import product
from typing import Literal, get_args

import numpy as np

from models.inspection.layer_parts import TOLERANCE
from models.recording.watched_copy import Watch
from models.values.record import Array

Pairing = Literal["halves", "neighbours"]
"""Which dimensions of a head are turned together: those of its two halves, or each with the next."""


def turned(vectors: Array, angles: Array, pairing: Pairing) -> Array:
    """Vectors [n, n_slices, d_head] whose first dimensions are turned in pairs by angles [n, d_rotary / 2]."""
    d_rotary = 2 * angles.shape[1]
    pairs = (slice(0, d_rotary, 2), slice(1, d_rotary, 2))
    halves = (slice(0, d_rotary // 2), slice(d_rotary // 2, d_rotary))
    one, other = pairs if pairing == "neighbours" else halves
    cos, sin = np.cos(angles)[:, None].astype(np.float32), np.sin(angles)[:, None].astype(np.float32)
    result = vectors.copy()  # [n, n_slices, d_head]
    result[..., one] = vectors[..., one] * cos - vectors[..., other] * sin
    result[..., other] = vectors[..., other] * cos + vectors[..., one] * sin
    return result


def before_turning(seen: Watch, head: Array, angles: Array) -> Array | None:
    """What a module gave that, turned by the angles [n, d_rotary / 2] of its tokens, is this query or key of a head
    [n, d_head]; None if there is nothing like it."""
    n, d_head = head.shape
    if len(angles) != n or 2 * angles.shape[1] > d_head:
        return None
    reach = TOLERANCE * max(float(np.abs(head).max()), 1e-6)
    for call in seen.inside:
        if not call.gave.size or call.gave.size % (n * d_head):
            continue
        by_token = call.gave.reshape(n, -1, d_head)  # [n, n_slices, d_head]
        by_head = call.gave.reshape(-1, n, d_head).swapaxes(0, 1)  # [n, n_slices, d_head], as Gemma 3 norms its heads
        for slices, pairing in product((by_token, by_head), get_args(Pairing)):
            differences = np.abs(turned(slices, angles, pairing) - head[:, None]).max(axis=(0, 2))  # [n_slices]
            if differences.min() < reach:
                return np.ascontiguousarray(slices[:, int(differences.argmin())])
    return None
