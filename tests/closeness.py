"""The one place where tests compare floating-point numbers: relative to the largest magnitude of what is compared.

Other processors add in another order, so the last digits of float32 results differ, in proportion to the largest
numbers of a sum and not to its result. An absolute tolerance that passes here fails there.
`tests/test_comparisons.py` holds every test to this module; `tests/machines.py` reads what it reports.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float64 | np.complex128]]

REPORT = "HEADLIGHT_CLOSENESS"
"""An environment variable: the file to which every comparison adds how much of its tolerance it used."""
ROUNDING = 1e-5
"""A hundred times the precision of float32: what two orders of adding a few thousand numbers differ by, and room."""

PARITY = 4e-5
"""What two implementations of a whole model may differ by: every layer adds rounding to that of the one before."""


def assert_close(
    actual: Any,
    expected: Any,
    *,
    tolerance: float = ROUNDING,
    magnitude: float | None = None,
    step: float = 0,
    err_msg: str = "",
) -> None:
    """Fail unless two arrays differ by at most `tolerance` times the largest magnitude in either of them.

    Args:
        actual: numbers, an array or a tensor.
        expected: the same, of the same shape, or one number for all.
        tolerance: relative, of `magnitude`.
        magnitude: what the difference is measured against where the numbers themselves cancel, such as the terms
            of a sum that is 0. By default the largest finite magnitude of `actual` and `expected`.
        step: what one of the two was rounded to, as 0.01 is for printed digits; half of it is no difference.
        err_msg: what a failure says first.
    """
    one, other = _same_shape(actual, expected, err_msg)
    finite = np.isfinite(one) & np.isfinite(other)
    np.testing.assert_array_equal(one[~finite], other[~finite], err_msg=err_msg)
    difference, bound = _difference_and_bound(one[finite], other[finite], tolerance, magnitude)
    difference = max(difference - step / 2, 0)
    _report(difference, bound)
    if difference > bound:
        np.testing.assert_allclose(one, other, rtol=0, atol=bound + step / 2, err_msg=err_msg)  # it prints where


def is_close(actual: Any, expected: Any, *, tolerance: float = ROUNDING, magnitude: float | None = None) -> bool:
    """Return whether `assert_close` would pass, for a test that expects a difference, or waits for its end."""
    one, other = _same_shape(actual, expected, "")
    finite = np.isfinite(one) & np.isfinite(other)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
        return False
    difference, bound = _difference_and_bound(one[finite], other[finite], tolerance, magnitude)
    return difference <= bound


class CloseTo:
    """Equal to what `assert_close` accepts: for a number inside a tuple, or one that a test waits for."""

    __array_ufunc__ = None
    """So that NumPy leaves `array == CloseTo(…)` to this class, instead of comparing number by number."""

    def __init__(self, expected: Any, *, tolerance: float = ROUNDING, magnitude: float | None = None) -> None:
        self.expected, self.tolerance, self.magnitude = expected, tolerance, magnitude

    def __eq__(self, actual: object) -> bool:
        if isinstance(self.expected, Mapping):
            same_keys = isinstance(actual, Mapping) and actual.keys() == self.expected.keys()
            return same_keys and self._has(list(self.expected.values()), [actual[key] for key in self.expected])
        return self._has(self.expected, actual)

    def _has(self, expected: Any, actual: object) -> bool:
        """Return whether what was read has the shape of numbers, and is close to them."""
        try:
            one, other = _as_array(actual), _as_array(expected)
        except (TypeError, ValueError):  # nothing was read yet, or words
            return False
        return one.shape == other.shape and is_close(one, other, tolerance=self.tolerance, magnitude=self.magnitude)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"{self.expected!r} within {self.tolerance:g} of {self.magnitude or 'the largest'}"


def assert_at_most(
    actual: Any, limit: Any, *, tolerance: float = ROUNDING, magnitude: float | None = None, err_msg: str = ""
) -> None:
    """Fail unless numbers are at most `limit`, or above it by no more than `assert_close` accepts."""
    over, limits = _same_shape(actual, limit, err_msg)
    if magnitude is None:
        magnitude = float(max(np.abs(over).max(initial=0), np.abs(limits).max(initial=0)))
    assert_close(np.maximum(over, limits), limits, tolerance=tolerance, magnitude=magnitude, err_msg=err_msg)


def assert_same_ranking(
    found: Sequence[tuple[Hashable, float]],
    expected: Sequence[tuple[Hashable, float]],
    *,
    tolerance: float = ROUNDING,
    magnitude: float = 1,
) -> None:
    """Fail unless two lists name the same things with the same probabilities, likeliest first, but for ties.

    Of two that are nearly as likely either may come first, and the last may have another one in its place.
    """
    strengths = [strength for _, strength in expected]
    assert_close([strength for _, strength in found], strengths, tolerance=tolerance, magnitude=magnitude)
    last = min(strengths, default=0)
    of_name = {name: [strength for same, strength in expected if same == name] for name, _ in found}
    meant = [_nearest(strength, of_name[name] or [last]) for name, strength in found]
    assert_close(meant, strengths, tolerance=tolerance, magnitude=magnitude, err_msg=f"{found}\n{expected}")


def _nearest(number: float, others: Sequence[float]) -> float:
    """Return the number that is nearest: a name may stand in a list several times."""
    return min(others, key=lambda other: abs(other - number))


def _same_shape(actual: Any, expected: Any, err_msg: str) -> tuple[Numbers, Numbers]:
    """Return both as arrays of one shape; a single number is repeated."""
    one, other = _as_array(actual), _as_array(expected)
    if one.ndim and other.ndim and one.shape != other.shape:
        raise AssertionError(f"shapes differ: {one.shape} and {other.shape} {err_msg}")
    one, other = np.broadcast_arrays(one, other)
    return one, other


def _difference_and_bound(
    one: Numbers, other: Numbers, tolerance: float, magnitude: float | None
) -> tuple[float, float]:
    """Return the largest difference of finite numbers, and what it may be."""
    if magnitude is None:
        magnitude = float(max(np.abs(one).max(initial=0), np.abs(other).max(initial=0)))
    return float(np.abs(one - other).max(initial=0)), tolerance * float(magnitude)


def _as_array(numbers: Any) -> Numbers:
    """Return numbers, an array or a tensor of any device and precision as float64, or complex128."""
    if hasattr(numbers, "detach"):
        numbers = numbers.detach().cpu().double().numpy()
    array = np.asarray(numbers)
    return array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)


def _report(difference: float, bound: float) -> None:
    """Add the share of the tolerance that a comparison used to the report, if one is asked for."""
    path = os.environ.get(REPORT)
    if path is None:
        return
    used = 0.0 if difference == 0 else float(difference / bound) if bound else float("inf")
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]  # without the phase
    with Path(path).open("a", encoding="utf-8") as report:
        report.write(json.dumps({"test": test, "where": _caller(), "used": used}) + "\n")


def _caller() -> str:
    """Return the file and line that asked for the comparison."""
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
