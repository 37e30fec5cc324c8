"""The matrices of a head by least squares, in closed form, as a comparison with those made by hand.

A score is xᵀ W_Q W_Kᵀ y / √d: linear in the product of the matrices. It is fitted to a score that is high at the goal
and 0 elsewhere, both without the mean of their row, which a softmax does not see. The product of rank four that is
nearest to the fit comes from its largest singular values (Eckart and Young 1936), and is split between W_Q and W_K.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.inspection.by_hand.goals import N_LAYERS, Goal, targets_of
from models.inspection.by_hand.heads import D_HEAD, LETTERS, MOST_LETTERS, HandHead, run_heads, zero_head
from models.values.record import Array

HEIGHT = 10.0
"""The score of a token at which the goal looks; that of the others is 0."""
N_WORDS, SEED = 400, 46
Doubles = NDArray[np.float64]


@cache
def fit_heads(goal: Goal, *, n_layers: int | None = None) -> tuple[HandHead, ...]:
    """Return heads for a goal, fitted layer by layer on random words. All but the last fit "previous"."""
    generator = np.random.default_rng(SEED)
    words = [tuple(map(int, generator.integers(len(LETTERS), size=2 + n % (MOST_LETTERS - 1)))) for n in range(N_WORDS)]
    heads: tuple[HandHead, ...] = ()
    n_layers = n_layers or N_LAYERS[goal]
    for layer in range(n_layers):
        heads += (_fit_head(goal if layer == n_layers - 1 else "previous", words, heads),)
    return heads


def _fit_head(goal: Goal, words: Sequence[tuple[int, ...]], below: tuple[HandHead, ...]) -> HandHead:
    pairs, wanted, read, letters = [], [], [], []
    for word in words:
        vectors = _read_by_next(below, word)
        for query, keys in targets_of(goal, word).items():
            seen = vectors[: query + 1]  # [n_seen, n_dimensions]
            pairs.append((vectors[query][:, None] * (seen - seen.mean(axis=0))[:, None]).reshape(len(seen), -1))
            heights = np.where(np.isin(np.arange(len(seen)), keys), HEIGHT, 0)
            wanted.append(heights - heights.mean())
            read += [vectors[key] for key in keys if key]
            letters += [word[key - 1] for key in keys if key]
    product = np.linalg.lstsq(np.concatenate(pairs), np.concatenate(wanted), rcond=None)[0]
    left, sizes, right = np.linalg.svd(product.reshape(vectors.shape[1], -1) * np.sqrt(D_HEAD))
    roots = np.sqrt(sizes[:D_HEAD])
    value = np.linalg.lstsq(np.array(read), np.eye(len(LETTERS))[letters], rcond=None)[0]
    return HandHead(
        query=_single(left[:, :D_HEAD] * roots), key=_single(right[:D_HEAD].T * roots), value=_single(value)
    )


def _read_by_next(below: tuple[HandHead, ...], word: tuple[int, ...]) -> Doubles:
    """Return the vectors of a word that the layer above some heads reads."""
    heads = (*below, zero_head(len(below)))
    return np.asarray(run_heads(heads, word).read[-1], np.float64)


def _single(matrix: Doubles) -> Array:
    return np.ascontiguousarray(matrix, dtype=np.float32)
