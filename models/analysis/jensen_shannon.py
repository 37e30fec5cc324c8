"""How far two distributions are apart (Lin 1991), as a distance from 0 to 1 (Endres and Schindelin 2003)."""

from __future__ import annotations

import numpy as np

from models.values.record import Array
from models.values.writing import Numbers


def entropies(distributions: Array | Numbers) -> Numbers:
    """The entropies of distributions [..., n] in bits; 0 · log 0 is 0."""
    given = np.asarray(distributions, dtype=np.float64)
    logarithms = np.log2(given, out=np.zeros_like(given), where=given > 0)
    bits: Numbers = -(given * logarithms).sum(axis=-1)
    return bits


def divergences(one: Array, other: Array) -> Numbers:
    """H((p + q) / 2) - (H(p) + H(q)) / 2 for pairs of distributions [..., n], in bits, 0 to 1."""
    first, second = one.astype(np.float64), other.astype(np.float64)
    middle = entropies((first + second) / 2)
    bits: Numbers = np.clip(middle - (entropies(first) + entropies(second)) / 2, 0, 1)
    return bits


def distances(one: Array, other: Array) -> Array:
    """The square roots of the divergences, which are distances."""
    return np.sqrt(divergences(one, other)).astype(np.float32)
