"""The one comparison of floating-point numbers: what passes, what fails, what it reports."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.closeness import (
    REPORT,
    CloseTo,
    assert_at_most,
    assert_close,
    assert_same_ranking,
    is_close,
)


@pytest.fixture(autouse=True)
def unreported(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compared here in order to fail is nothing to report."""
    monkeypatch.delenv(REPORT, raising=False)


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


@pytest.mark.parametrize("number", [float, np.float32])
def test_the_share_of_the_tolerance_that_was_used_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: type[float]
) -> None:
    monkeypatch.setenv(REPORT, str(tmp_path / "used.jsonl"))
    assert_close([1.0], [1.0 + 6e-6], step=number(2e-6))
    (line,) = map(json.loads, (tmp_path / "used.jsonl").read_text("utf-8").splitlines())
    assert 0.49 < line["used"] < 0.51
    assert line["where"].startswith(f"{Path(__file__).name}:")
    assert "test_the_share_of_the_tolerance" in line["test"]


def test_complex_numbers_are_compared_whole() -> None:
    assert_close([1 + 2j], [1 + 2j])
    with pytest.raises(AssertionError):
        assert_close([1 + 2j], [1 + 3j])


def test_a_limit_may_be_passed_by_rounding_alone() -> None:
    assert_at_most([0.2, 1 + 1e-6], 1)
    with pytest.raises(AssertionError):
        assert_at_most([0.2, 1.001], 1)
    with pytest.raises(AssertionError):
        assert_at_most(1e-6, 0)


def test_two_lists_of_guesses_may_differ_where_guesses_tie() -> None:
    expected = [("a", 0.5), ("b", 0.2), ("c", 0.2 - 1e-7)]
    assert_same_ranking([("a", 0.5), ("c", 0.2), ("b", 0.2 - 1e-7)], expected)
    assert_same_ranking([("a", 0.5), ("b", 0.2), ("d", 0.2 - 1e-7)], expected)  # it tied with the last
    for found in ([("b", 0.5), ("a", 0.2), ("c", 0.2)], [("d", 0.5), ("b", 0.2), ("c", 0.2)], expected[:2]):
        with pytest.raises(AssertionError):
            assert_same_ranking(found, expected)


def test_guesses_of_one_name_are_told_apart_by_their_strength() -> None:
    unnamed = [("[unused]", 0.5), ("[unused]", 0.2)]
    assert_same_ranking(unnamed, unnamed)
    with pytest.raises(AssertionError):
        assert_same_ranking([("[unused]", 0.5), ("[unused]", 0.3)], unnamed)


def test_something_close_is_equal_inside_of_something_else() -> None:
    assert (1.0 + 1e-7, "a") == (CloseTo(1), "a")
    assert [1.0, 2.0] == CloseTo((1, 2))
    assert np.array([1.0, 2.0]) == CloseTo((1, 2))
    assert {"one": 1.0} == CloseTo({"one": 1 + 1e-7})
    for actual in ([1.0], [1.0, 2.1], {"one": 1.0}, ["a", "b"], None):
        assert actual != CloseTo((1, 2))
    assert {"other": 1.0} != CloseTo({"one": 1})
    assert is_close(np.nan, np.nan)
    assert not is_close(np.nan, 1)
