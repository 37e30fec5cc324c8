"""The plane of a head: all its queries and keys on their first two principal components.

Pearson 1901, "On lines and planes of closest fit"; computed by a singular value decomposition. Queries and keys are
centred together, on the mean of both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.kit.errors import expect_vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """The coordinates of queries [n_query, 2] and keys [n_key, 2], and the share of the variance on each axis, 0 to
    1."""

    queries: Array
    keys: Array
    shares: tuple[float, float]


@check_arguments
def project(record: AttentionRecord, *, layer: int, head: int) -> Plane:
    """Return the first two principal components of the queries and keys of a head, both in one cloud. Raises
    PictureError for a record of weights alone."""
    expect_vectors(record)
    queries, keys = record.query[layer, head], record.key[layer, head]
    points = np.concatenate([queries, keys]).astype(np.float64)
    points -= points.mean(axis=0)
    left, strengths, right = np.linalg.svd(points, full_matrices=False)
    places = np.zeros((len(points), 2))
    n_axes = min(2, len(strengths))
    # An axis may point either way; the largest number of its direction is made positive, so that pictures stay put.
    signs = np.sign(right[np.arange(n_axes), np.argmax(np.abs(right[:n_axes]), axis=1)])
    places[:, :n_axes] = left[:, :n_axes] * strengths[:n_axes] * np.where(signs == 0, 1, signs)
    total = float((strengths**2).sum())
    shares = np.zeros(2)
    shares[:n_axes] = strengths[:n_axes] ** 2 / total if total > 0 else 0
    plane = places.astype(np.float32)
    return Plane(queries=plane[: len(queries)], keys=plane[len(queries) :], shares=(float(shares[0]), float(shares[1])))
