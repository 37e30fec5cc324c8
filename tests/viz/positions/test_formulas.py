"""The formulas against the papers, against our own encoder, and against transformers."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.t5.modeling_t5 import T5Attention

from models.scratch.positions import sinusoidal_encoding
from tests.closeness import assert_close, is_close
from viz.positions.formulas import (
    alibi_bias,
    alibi_slopes,
    cosine_similarities,
    dot_products,
    example_vectors,
    frequencies,
    profile,
    relative_buckets,
    rotary_scores,
    rotate_vector,
    shift_encoding,
    shift_matrix,
    sinusoids,
    spread_at_distance,
)


@pytest.mark.parametrize(("n_positions", "d_model", "base"), [(1, 8, 10), (50, 12, 10000), (512, 512, 1e6)])
def test_sinusoids_are_the_formula_and_those_of_our_encoder(n_positions: int, d_model: int, base: float) -> None:
    encoding = sinusoids(n_positions, d_model, base)
    for position in {0, n_positions // 2, n_positions - 1}:
        for i in range(d_model // 2):
            angle = position / base ** (2 * i / d_model)
            assert_close(encoding[position, 2 * i], math.sin(angle))
            assert_close(encoding[position, 2 * i + 1], math.cos(angle))
    assert_close(encoding, sinusoidal_encoding(n_positions, d_model, base).numpy())
    with pytest.raises(ValueError, match="even"):
        frequencies(7, base)


@pytest.mark.parametrize("shift", [-3, 0, 1, 40])
def test_a_shift_is_a_rotation_of_every_pair(shift: int) -> None:
    turns = frequencies(16, 10000)
    encoding = sinusoids(100, 16, 10000)
    turned = shift_encoding(encoding[10:60], shift, turns)
    assert_close(turned, encoding[10 + shift : 60 + shift])
    matrix = shift_matrix(shift, float(turns[2]))
    assert_close(matrix @ matrix.T, np.eye(2), tolerance=1e-12)
    assert_close(np.linalg.det(matrix), 1)


def test_dot_products_of_sinusoids_depend_on_the_distance_alone() -> None:
    products = dot_products(sinusoids(60, 32, 10000))
    found = profile(products)
    assert_close(found.least, found.most)
    expected = [np.cos(frequencies(32, 10000) * distance).sum() for distance in range(60)]
    assert_close(found.mean, expected)
    assert_close(cosine_similarities(sinusoids(60, 32, 10000)), products / 16)


def test_cosines_are_within_bounds_and_profiles_are_diagonals() -> None:
    table = np.random.default_rng(0).normal(size=(7, 4)).astype(np.float32)
    table[3] = 0
    similarities = cosine_similarities(table)
    assert_close(np.diag(similarities), [1, 1, 1, 0, 1, 1, 1])
    assert_close(similarities, similarities.T)
    found = profile(similarities)
    assert len(found.mean) == 7
    assert_close(found.mean[2], np.mean([similarities[i, i + 2] for i in range(5)]))
    assert_close([found.least[6], found.most[6]], similarities[0, 6])


def test_rotary_scores_depend_on_the_distance_alone_and_turning_keeps_lengths() -> None:
    turns = frequencies(24, 10000)
    query, key = example_vectors(12, seed=3)
    scores = rotary_scores(query, key, 40, turns)
    assert_close(spread_at_distance(scores), 0, tolerance=1e-13, magnitude=np.abs(scores).max())
    assert_close(scores[0, 0], query @ key)
    assert not is_close(scores[0, 9], query @ key)
    assert_close(np.linalg.norm(rotate_vector(query, np.arange(40), turns), axis=1), 1)
    assert spread_at_distance(scores + np.arange(40)) > 1


def test_rotation_is_the_product_of_complex_numbers() -> None:
    turns = frequencies(6, 100)
    query, _ = example_vectors(3, seed=0)
    turned = rotate_vector(query, np.array([5]), turns)[0]
    expected = (query[0::2] + 1j * query[1::2]) * np.exp(5j * turns)
    assert_close(turned[0::2] + 1j * turned[1::2], expected)


@pytest.mark.parametrize("n_heads", [1, 2, 6, 8, 12, 16, 40])
def test_slopes_are_those_of_press_et_al_for_any_number_of_heads(n_heads: int) -> None:
    slopes = alibi_slopes(n_heads)
    theirs = build_alibi_tensor(torch.ones(1, 2), n_heads, torch.float32)[:, 0, 1].numpy()
    assert_close(np.divide(slopes, theirs), 1)
    if n_heads == 8:
        assert_close(slopes * 2 ** np.arange(1, 9), 1)


def test_the_bias_of_alibi_falls_with_the_distance_and_hides_the_future() -> None:
    bias = alibi_bias(5, 0.25)
    assert bias[4].tolist() == [-1, -0.75, -0.5, -0.25, 0]
    assert np.isneginf(bias[np.triu_indices(5, 1)]).all()


@pytest.mark.parametrize("both_ways", [True, False])
@pytest.mark.parametrize(("n_buckets", "max_distance"), [(32, 128), (8, 16), (64, 256), (32, 100)])
def test_buckets_are_those_of_t5(both_ways: bool, n_buckets: int, max_distance: int) -> None:
    distances = np.arange(-600, 601)
    theirs = T5Attention._relative_position_bucket(
        torch.tensor(distances), bidirectional=both_ways, num_buckets=n_buckets, max_distance=max_distance
    )
    ours = relative_buckets(distances, both_ways=both_ways, n_buckets=n_buckets, max_distance=max_distance)
    np.testing.assert_array_equal(ours, theirs.numpy())
    assert ours.max() == n_buckets - 1
