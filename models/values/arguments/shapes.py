"""The shapes of the arrays of a value, which belong together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from models.values.errors import RecordError


def fix_arrays(value: object, dtype: DTypeLike | None = None, /, **shapes: tuple[int | str, ...]) -> None:
    """Hold the arrays of `value` that the keywords name to their shapes, and to a `dtype`; make them read-only.

    A size is a number, or a name that stands for one size in all shapes of a call:
    `fix_arrays(self, query=("n_query", "d_head"), key=(len(self.key_tokens), "d_head"))`. A field that is None is
    passed over. Raises RecordError, naming the field, for another shape or type.
    """
    sizes: dict[int | str, int] = {}
    for name, shape in shapes.items():
        array: NDArray[Any] | None = getattr(value, name)
        if array is None:
            continue
        if array.ndim == len(shape):
            for size, given in zip(shape, array.shape, strict=True):
                if isinstance(size, str):
                    sizes.setdefault(size, given)
        expected = [sizes.get(size, size) for size in shape]
        if list(array.shape) != expected:
            raise RecordError(f"{name} has shape {list(array.shape)}, expected [{', '.join(map(str, expected))}].")
        if dtype is not None and array.dtype != dtype:
            raise RecordError(f"{name} has type {array.dtype}, expected {np.dtype(dtype)}.")
        make_read_only(array)


def make_read_only(*arrays: NDArray[Any]) -> None:
    """Make arrays read-only: values are shared by all who ask."""
    for array in arrays:
        array.flags.writeable = False
