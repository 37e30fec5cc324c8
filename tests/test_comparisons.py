"""Floating-point numbers are compared in one place: the rule of `tests.comparisons`, held, and tried on examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.comparisons import find_foreign_comparisons, sources_of_tests

ROOT = Path(__file__).resolve().parents[1]
COMPARED_ELSEWHERE = (
    "np.testing.assert_allclose(one, other, atol=1e-5)",
    "torch.testing.assert_close(one, other)",
    "assert torch.allclose(one, other)",
    "assert one.allclose(other)",
    "assert math.isclose(one, other)",
    "from numpy.testing import assert_array_almost_equal",
    "from torch.testing import assert_close",
    "from pytest import approx",
    "assert one == pytest.approx(other)",
    "assert one == pytest.approx(other, abs=1e-4)",
    "assert (one, 2) == (pytest.approx(other, abs=BOUND), 2)",
    "assert abs(one - other) < 1e-5",
    "assert 1e-3 >= np.abs(one - other).max()",
    "assert (one - other).abs().max() <= 2e-5 * one.abs().max()",
    "assert np.linalg.norm(one - other) < 1e-3",
    "NEAR = 1e-5\nassert abs(one - other) < NEAR",
    "assert largest_difference(one, other) < 1e-6",
    "assert total <= 1 + 1e-6",
    "assert smallest >= -1e-9",
    "assert one > other - 1e-4",
    "assert round(one, 4) == round(other, 4)",
    "assert (one.round(3) == 0.7).all()",
)
STATEMENTS = (
    "assert share == pytest.approx(0.5, abs=0.05)",
    "assert size == pytest.approx(megabytes, rel=0.1)",
    "assert abs(middle - 32) < 1",
    "assert np.abs(one - other).max() > 1e-3",
    "assert 0 < LEAST < 1e-3 < share",
    "assert loss < 0.001",
    "assert round(megabytes, 1) == 11.5",
    "assert round(7 / 2) == 4",
    "from tests.closeness import assert_close\nassert_close(one, other)",
    "np.testing.assert_array_equal(one, other)",
)


@pytest.mark.parametrize("source", COMPARED_ELSEWHERE)
def test_a_comparison_by_another_name_is_found_with_its_line(source: str) -> None:
    n_before = source.count("\n")
    assert {line for line, _ in find_foreign_comparisons(source)} == {1 + n_before}


@pytest.mark.parametrize("source", STATEMENTS)
def test_what_says_something_about_the_world_may_stand(source: str) -> None:
    assert not list(find_foreign_comparisons(source))


def test_every_test_compares_floating_point_numbers_by_closeness() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {advice}"
        for path, source in sources_of_tests(ROOT)
        for line, advice in find_foreign_comparisons(source)
    ]
    assert not found, "\n".join(["See tests/comparisons.py for the rule.", *found])
