"""Numbers of any library as NumPy's: tensors of any device and precision, nested lists, arrays. None is imported for
it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.values.arguments.words import show_value
from models.values.errors import ArgumentError
from models.values.record import Array
from models.values.wording import Message, to_say, worded

NOT_RETURNED = to_say(
    "{name} holds no weights: a faster kernel computed the attention, and did not keep them. Load the model with "
    'attn_implementation="eager", and call it with output_attentions=True (nn.MultiheadAttention: need_weights=True).'
)
A_MODEL = to_say(
    "{name} is a model ({given}), expected the weights that it returns. Call it: "
    "show(model(**inputs, output_attentions=True), tokens)."
)
WITHOUT_NUMBERS = to_say(
    '{name} lies on the device "meta", which holds shapes and no numbers. Load the weights of the model on a processor '
    "or an accelerator, and run it again."
)
INSTEAD = {
    "mask": to_say("Give a 1 for each token and a 0 for padding, such as inputs.attention_mask."),
    "image": to_say("Give its pixels, [height, width, 3]; open a file of a picture first, with PIL.Image.open(path)."),
}
"""The advice of a message about each argument."""
WEIGHTS = to_say(
    "Give an array, a tensor or nested lists of equal length: the weights after the softmax, [n_query, n_key], with "
    "axes for heads and layers before it."
)


def is_sequence(value: Any) -> bool:
    """Return whether a value is a list or a tuple of others, and not itself an array."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def is_nested_numbers(value: Any) -> bool:
    """Return whether a value is a list of numbers or of rows, or lists of such lists: the rows of a matrix."""
    while is_sequence(value) and value:
        value = value[0]
    return isinstance(value, int | float) or getattr(value, "ndim", None) in (0, 1)


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
        tensor = value.detach().cpu()
        dense = tensor.to_dense() if hasattr(tensor, "to_dense") else tensor
        return dense.float().numpy()
    if hasattr(value, "get") and hasattr(value, "device") and not isinstance(value, np.ndarray):
        return value.get()  # CuPy
    if hasattr(value, "numpy") and hasattr(value, "dtype"):
        return value.numpy()  # TensorFlow
    return value


def _no_numbers(value: Any, name: str) -> ArgumentError:
    return ArgumentError(_reason(value, name))


def _reason(value: Any, name: str) -> Message:
    """Return why a value holds no numbers, and what to give in its place."""
    if name not in INSTEAD:
        if value is None:
            return worded(NOT_RETURNED, name=name)
        if hasattr(value, "forward") and hasattr(value, "parameters"):
            return worded(A_MODEL, name=name, given=type(value).__name__)
        if getattr(getattr(value, "device", None), "type", "") == "meta":
            return worded(WITHOUT_NUMBERS, name=name)
    return worded(
        "{name} is {given}, which is no array of numbers. {instead}",
        name=name,
        given=show_value(value),
        instead=INSTEAD.get(name, WEIGHTS),
    )
