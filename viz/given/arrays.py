"""Numbers of any library as NumPy's: tensors of any device and precision, nested lists, arrays. None is imported for
it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.values.errors import ArgumentError
from models.values.record import Array
from models.values.wording import worded


def is_sequence(value: Any) -> bool:
    """Return whether a value is a list or a tuple of others, and not itself an array."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def is_nested_numbers(value: Any) -> bool:
    """Return whether a value is a list of numbers, or lists of such lists: the rows of a matrix."""
    while is_sequence(value) and value:
        value = value[0]
    return isinstance(value, int | float | np.number)


def to_array(value: Any, name: str) -> Array:
    """Return numbers as a float32 array of NumPy, in memory of its own only where they are not one already.

    A tensor is taken off its device and out of its graph, and stays as it was. Raises ArgumentError, with the `name` of
    the argument, for anything that is no array of real numbers.
    """
    try:
        array = np.asarray(_on_processor(value))
    except (TypeError, ValueError, NotImplementedError, RuntimeError) as error:
        raise _no_numbers(value, name) from error
    if not (np.issubdtype(array.dtype, np.floating) or array.dtype.kind in "iubV"):
        raise _no_numbers(value, name)
    try:
        numbers: Array = np.asarray(array, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise _no_numbers(value, name) from error
    return numbers


def _on_processor(value: Any) -> Any:
    """Return what NumPy can read of a value: a tensor of torch without its graph, in a precision that NumPy has."""
    if is_sequence(value):
        return [_on_processor(item) for item in value]
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        return value.detach().cpu().float().numpy()
    if hasattr(value, "get") and hasattr(value, "device") and not isinstance(value, np.ndarray):
        return value.get()  # CuPy
    if hasattr(value, "numpy") and hasattr(value, "dtype"):
        return value.numpy()  # TensorFlow
    return value


def _no_numbers(value: Any, name: str) -> ArgumentError:
    return ArgumentError(
        worded(
            "{name} is of the type {given}, which is no array of numbers. Give an array, a tensor or nested lists of "
            "equal length: the weights after the softmax, [n_query, n_key], with axes for heads and layers before it.",
            name=name,
            given=type(value).__name__,
        )
    )
