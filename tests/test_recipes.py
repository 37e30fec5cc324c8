"""What made the weights, and the benchmarks, are as they were when their own tests passed."""

from __future__ import annotations

from tests.recipes.tested import TESTED, digest


def test_recipes_and_benchmarks_have_passed_their_tests_since_they_changed() -> None:
    """Their tests take minutes and are left out of the everyday run. Run them: python run.py test --recipes."""
    assert TESTED.read_text(encoding="utf-8").strip() == digest(), "changed since: python run.py test --recipes"
