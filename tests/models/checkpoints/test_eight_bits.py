"""Weights in 8 bits are the nearest there are, and a model that travels says where it comes from."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from safetensors.numpy import load

from models.checkpoints.eight_bits import LARGEST, SCALE, in_eight_bits, is_portable, portable_model, round_rows
from models.opening.registry import REGISTRY, embedded_folder, is_embedded
from tests.closeness import assert_close


def test_every_number_is_rounded_to_the_nearest_of_its_row() -> None:
    matrix = np.random.default_rng(0).normal(size=(7, 33)).astype(np.float32) * np.float32(
        [[10.0**k] for k in range(7)]
    )
    whole, scale = round_rows(matrix)
    assert whole.dtype == np.int8
    assert (np.abs(whole).max(axis=1) == LARGEST).all()
    for row, rounded, step in zip(matrix, whole * scale[:, None], scale, strict=True):
        assert_close(rounded, row, tolerance=0, step=step * 1.0001)


def test_a_row_of_zeros_stays_zero() -> None:
    whole, scale = round_rows(np.zeros((2, 3), np.float16))
    assert not whole.any()
    assert np.isfinite(scale).all()


def test_vectors_stay_as_they_are() -> None:
    stored = in_eight_bits({"a.weight": np.eye(2, dtype=np.float16), "a.bias": np.ones(2, np.float16)})
    assert set(stored) == {"a.weight", f"a.weight{SCALE}", "a.bias"}
    assert stored["a.bias"].dtype == np.float16


@pytest.mark.parametrize(
    ("name", "travels"),
    [
        ("mini-bert", True),
        ("headlight-ko", True),
        ("mini-llama", True),
        ("translator-ko", True),
        ("mini-gpt", True),
        ("sentiment", False),
    ],
)
def test_models_that_a_browser_computes_travel(name: str, travels: bool) -> None:
    folder = embedded_folder(name)
    assert folder is not None
    assert is_portable(folder) is travels


@pytest.mark.parametrize("name", [name for name in REGISTRY if is_embedded(name)])
def test_whatever_travels_has_a_licence(name: str) -> None:
    folder = embedded_folder(name)
    assert folder is not None
    if is_portable(folder):
        assert portable_model(folder, name).license == "apache-2.0"


def test_a_model_that_travels_says_where_it_comes_from() -> None:
    folder = embedded_folder("headlight-ko")
    assert folder is not None
    model = portable_model(folder, "headlight-ko")
    assert model.license == "apache-2.0"
    assert model.notice == (folder / "NOTICE").read_text(encoding="utf-8")
    content = (folder / "model.safetensors").read_bytes()
    assert model.sha256 == hashlib.sha256(content).hexdigest()
    assert len(model.weights) < 0.51 * len(content)
    assert load(model.weights)["bert.embeddings.word_embeddings.weight"].dtype == np.int8
