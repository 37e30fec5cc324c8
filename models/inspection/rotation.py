"""Find queries and keys before a rotary model turned them: rotate the outputs of modules, and compare.

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


def rotate(vectors: Array, angles: Array, pairing: Pairing) -> Array:
    """Rotate the first dimensions of vectors [n, n_slices, d_head], in pairs, by angles [n, d_rotary / 2]."""
    d_rotary = 2 * angles.shape[1]
    pairs = (slice(0, d_rotary, 2), slice(1, d_rotary, 2))
    halves = (slice(0, d_rotary // 2), slice(d_rotary // 2, d_rotary))
    one, other = pairs if pairing == "neighbours" else halves
    cos, sin = np.cos(angles)[:, None].astype(np.float32), np.sin(angles)[:, None].astype(np.float32)
    result = vectors.copy()  # [n, n_slices, d_head]
    result[..., one] = vectors[..., one] * cos - vectors[..., other] * sin
    result[..., other] = vectors[..., other] * cos + vectors[..., one] * sin
    return result


def before_rotation(watched: Watch, head: Array, angles: Array) -> Array | None:
    """Find the output of a module that becomes the queries or keys of a head [n, d_head] when it is rotated.

    `angles` are those of the tokens [n, d_rotary / 2]. None if there is no such output.
    """
    n, d_head = head.shape
    if len(angles) != n or 2 * angles.shape[1] > d_head:
        return None
    reach = TOLERANCE * max(float(np.abs(head).max()), 1e-6)
    for call in watched.inside:
        if not call.output.size or call.output.size % (n * d_head):
            continue
        by_token = call.output.reshape(n, -1, d_head)  # [n, n_slices, d_head]
        by_head = call.output.reshape(-1, n, d_head).swapaxes(0, 1)  # [n, n_slices, d_head], as Gemma 3 norms its heads
        for slices, pairing in product((by_token, by_head), get_args(Pairing)):
            differences = np.abs(rotate(slices, angles, pairing) - head[:, None]).max(axis=(0, 2))  # [n_slices]
            if differences.min() < reach:
                return np.ascontiguousarray(slices[:, int(differences.argmin())])
    return None
