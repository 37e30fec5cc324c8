"""The mathematics of position encodings in NumPy, for any length, width and base.

Sinusoids: Vaswani et al. 2017, section 3.5. Rotary: Su et al. 2021, section 3.2.2. ALiBi: Press et al. 2021, section 3,
and their code for numbers of heads that are no powers of two. Buckets: Raffel et al. 2020, section 2.1, and their code.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.record import Array

Exact = NDArray[np.float64]
Whole = NDArray[np.int64]


# -- sinusoids --------------------------------------------------------------------------------------------------------


def frequencies(d_model: int, base: float) -> Exact:
    """Return base^(-2i / d_model), the angle in radians by which each pair of dimensions turns per position [d_model /
    2]."""
    if d_model % 2:
        raise ValueError(f"d_model is {d_model}, expected an even number: every sine has its cosine.")
    pair = np.arange(0, d_model, 2, dtype=np.float64)
    angles: Exact = base ** (-pair / d_model)
    return angles


def sinusoids(n_positions: int, d_model: int, base: float) -> Array:
    """Return PE [n_positions, d_model], sines in the even dimensions, cosines in the odd ones; float64, rounded once.

    PE(position, 2i) = sin(position / base^(2i / d_model)), PE(position, 2i + 1) = cos(position / base^(2i / d_model))
    """
    angle = np.arange(n_positions, dtype=np.float64)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    encoding: Array = np.stack((np.sin(angle), np.cos(angle)), axis=-1).reshape(n_positions, d_model).astype(np.float32)
    return encoding


def shift_matrix(shift: int, frequency: float) -> Exact:
    """Return R(shift) [2, 2] with (sin, cos)(position + shift) = R(shift) @ (sin, cos)(position), at every position."""
    sine, cosine = math.sin(shift * frequency), math.cos(shift * frequency)
    return np.array([[cosine, sine], [-sine, cosine]])


def shift_encoding(encoding: Array, shift: int, turns: Exact) -> Array:
    """Shift every row of an encoding [n, d_model] by `shift` positions: R(shift) turns each of its pairs."""
    pairs = encoding.reshape(len(encoding), -1, 2).astype(np.float64)
    matrices = np.stack([shift_matrix(shift, float(turn)) for turn in turns])  # [d_model / 2, 2, 2]
    turned: Array = np.einsum("pij,npj->npi", matrices, pairs).reshape(encoding.shape).astype(np.float32)
    return turned


# -- how alike positions are ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The similarity of positions by distance: mean, least and most [n_distances], from 0 on."""

    mean: Exact
    least: Exact
    most: Exact


def dot_products(table: Array) -> Array:
    """Return the dot product of every two positions [n_positions, n_positions]."""
    exact = table.astype(np.float64)
    products: Array = (exact @ exact.T).astype(np.float32)
    return products


def cosine_similarities(table: Array) -> Array:
    """Return the cosine similarity of every two positions [n_positions, n_positions]; 0 for a row of zeros."""
    exact = table.astype(np.float64)
    length = np.linalg.norm(exact, axis=1, keepdims=True)
    unit = np.divide(exact, length, out=np.zeros_like(exact), where=length > 0)
    similarities: Array = (unit @ unit.T).astype(np.float32)
    return similarities


def profile(similarities: Array) -> Profile:
    """Return mean, least and most of each diagonal of a map [n, n], for the distances 0, 1, ... n - 1."""
    diagonals = [np.diagonal(similarities, distance).astype(np.float64) for distance in range(len(similarities))]
    return Profile(
        mean=np.array([diagonal.mean() for diagonal in diagonals]),
        least=np.array([diagonal.min() for diagonal in diagonals]),
        most=np.array([diagonal.max() for diagonal in diagonals]),
    )


# -- rotary -----------------------------------------------------------------------------------------------------------


def example_vectors(n_pairs: int, *, seed: int) -> tuple[Exact, Exact]:
    """Return a made-up query and key [2 * n_pairs], of length 1 and close to each other."""
    generator = np.random.default_rng(seed)
    query = generator.normal(size=2 * n_pairs)
    key = query + 0.6 * generator.normal(size=2 * n_pairs)
    return query / np.linalg.norm(query), key / np.linalg.norm(key)


def rotate_vector(vector: Exact, positions: Whole, turns: Exact) -> Exact:
    """Rotate a vector to every position [n_positions, d]: pair i, of dimensions 2i and 2i + 1, by position * turn."""
    angle = positions[:, None] * turns  # [n_positions, d / 2]
    first, second = vector[0::2], vector[1::2]
    sine, cosine = np.sin(angle), np.cos(angle)
    pairs = np.stack((first * cosine - second * sine, first * sine + second * cosine), axis=-1)
    turned: Exact = pairs.reshape(len(positions), -1)
    return turned


def rotary_scores(query: Exact, key: Exact, n_positions: int, turns: Exact) -> Exact:
    """Return q . k for the same query and key at every pair of positions [n_positions, n_positions]."""
    positions = np.arange(n_positions)
    scores: Exact = rotate_vector(query, positions, turns) @ rotate_vector(key, positions, turns).T
    return scores


def spread_at_distance(scores: Exact) -> float:
    """Return the largest difference between two scores [n, n] of equal distance: 0 if only the distance counts."""
    n_positions = len(scores)
    return max(float(np.ptp(np.diagonal(scores, offset))) for offset in range(1 - n_positions, n_positions))


# -- ALiBi ------------------------------------------------------------------------------------------------------------


def alibi_slopes(n_heads: int) -> Exact:
    """Return the ALiBi slopes 2^(-8 i / n_heads) for head i = 1 ... n_heads, a power of two.

    Other numbers get those of the power of two below, then every second one of the power above (Press et al., code).
    """
    power = 2 ** int(math.log2(n_heads))
    slopes = 2.0 ** (-8 / power * np.arange(1, power + 1))
    between = 2.0 ** (-8 / (2 * power) * np.arange(1, 2 * power + 1, 2))
    all_slopes: Exact = np.concatenate((slopes, between[: n_heads - power]))
    return all_slopes


def alibi_bias(n_positions: int, slope: float) -> Array:
    """Return -slope * distance for every query and the keys before it [n, n]; minus infinity for the keys after it."""
    distance = np.arange(n_positions)[:, None] - np.arange(n_positions)
    bias: Array = np.where(distance >= 0, -slope * distance, -np.inf).astype(np.float32)
    return bias


# -- T5 ---------------------------------------------------------------------------------------------------------------


def relative_buckets(distances: Whole, *, both_ways: bool, n_buckets: int, max_distance: int) -> Whole:
    """Return the T5 bucket of every distance, key position minus query position.

    Half of the buckets hold one distance each, the other half grow with the logarithm up to `max_distance`; beyond it
    all share the last. An encoder looks both ways and has half of its buckets for the keys that follow.
    """
    first = np.zeros_like(distances)
    if both_ways:
        n_buckets //= 2
        first = np.where(distances > 0, n_buckets, 0)
        distances = np.abs(distances)
    else:
        distances = np.maximum(-distances, 0)
    n_exact = n_buckets // 2
    # In float32, as T5 does it: at the borders of buckets a more exact logarithm would choose the other one.
    logarithm = np.log(np.maximum(distances, 1).astype(np.float32) / np.float32(n_exact))
    grown = logarithm / np.float32(math.log(max_distance / n_exact)) * np.float32(n_buckets - n_exact)
    far = np.minimum(n_exact + grown.astype(np.int64), n_buckets - 1)
    buckets: Whole = first + np.where(distances < n_exact, distances, far)
    return buckets
