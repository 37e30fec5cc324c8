"""The one comparison of floating-point numbers: what passes, what fails, what it reports."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.closeness import REPORT, assert_close


def test_the_largest_number_decides_what_is_close() -> None:
    assert_close([1000.0, 0.001], [1000.0, 0.005])
    with pytest.raises(AssertionError):
        assert_close([1.0, 0.001], [1.0, 0.005])
    with pytest.raises(AssertionError):
        assert_close([1e-9], [2e-9])


def test_terms_that_cancel_are_measured_against_their_own_size() -> None:
    assert_close(torch.tensor([1e-6]), 0, magnitude=1)
    with pytest.raises(AssertionError):
        assert_close(torch.tensor([1e-6]), 0)


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_has_to_stand_in_the_same_place(odd: float) -> None:
    assert_close([1, odd], [1, odd])
    with pytest.raises(AssertionError):
        assert_close([odd, 1], [1, odd])


def test_only_one_number_is_compared_with_many() -> None:
    assert_close(np.ones((2, 3)), 1)
    with pytest.raises(AssertionError, match="shape"):
        assert_close(np.ones((2, 3)), np.ones(3))


def test_the_share_of_the_tolerance_that_was_used_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPORT, str(tmp_path / "used.jsonl"))
    assert_close([1.0], [1.0 + 5e-6])
    (line,) = map(json.loads, (tmp_path / "used.jsonl").read_text("utf-8").splitlines())
    assert line["used"] == pytest.approx(0.5, rel=0.01)
    assert "test_the_share_of_the_tolerance" in line["test"]
