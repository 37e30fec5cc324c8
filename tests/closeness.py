"""The one place where tests compare floating-point numbers: relative to the largest magnitude of what is compared.

Other processors add in another order, so the last digits of float32 results differ, in proportion to the largest
numbers of a sum and not to its result. An absolute tolerance that passes here fails there.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

REPORT = "HEADLIGHT_CLOSENESS"
"""An environment variable: the file to which every comparison adds how much of its tolerance it used."""


def assert_close(
    actual: Any, expected: Any, *, tolerance: float = 1e-5, magnitude: float | None = None, err_msg: str = ""
) -> None:
    """Fail unless two arrays differ by at most `tolerance` times the largest magnitude in either of them.

    Args:
        actual: numbers, an array or a tensor.
        expected: the same, of the same shape, or one number for all.
        tolerance: relative, of `magnitude`.
        magnitude: what the difference is measured against where the numbers themselves cancel, such as the terms
            of a sum that is 0. By default the largest finite magnitude of `actual` and `expected`.
        err_msg: what a failure says first.
    """
    one, other = _as_float64(actual), _as_float64(expected)
    if one.ndim and other.ndim and one.shape != other.shape:
        raise AssertionError(f"shapes differ: {one.shape} and {other.shape} {err_msg}")
    one, other = np.broadcast_arrays(one, other)
    finite = np.isfinite(one) & np.isfinite(other)
    np.testing.assert_array_equal(one[~finite], other[~finite], err_msg=err_msg)
    if magnitude is None:
        magnitude = max(np.abs(one[finite]).max(initial=0), np.abs(other[finite]).max(initial=0))
    difference = np.abs(one[finite] - other[finite]).max(initial=0)
    bound = tolerance * magnitude
    _report(difference, bound)
    if difference > bound:
        np.testing.assert_allclose(one, other, rtol=0, atol=bound, err_msg=err_msg)  # it prints where they differ


def _as_float64(numbers: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return numbers, an array or a tensor of any device and precision as float64."""
    if hasattr(numbers, "detach"):
        numbers = numbers.detach().cpu().double().numpy()
    return np.asarray(numbers, dtype=np.float64)


def _report(difference: float, bound: float) -> None:
    """Add the share of the tolerance that a comparison used to the report, if one is asked for."""
    path = os.environ.get(REPORT)
    if path is None:
        return
    used = 0.0 if difference == 0 else difference / bound if bound else float("inf")
    test = os.environ.get("PYTEST_CURRENT_TEST", "").removesuffix(" (call)")
    with Path(path).open("a", encoding="utf-8") as report:
        report.write(json.dumps({"test": test, "used": used}) + "\n")
