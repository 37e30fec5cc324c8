"""Questions and answers between the server and the process of a stranger's model: JSON and plain arrays, no pickle.

A frame is the length of its head, the head (JSON), and the bytes of the arrays. Only the values of the modules below
can come out of one, each made by its own constructor, which checks its shapes.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from string import Formatter
from typing import IO, Any

import numpy as np

from models.values import answers, head_roles, places, positions, record, steps, writing
from models.values.probing import changes, circuits, contrast, gradients, stream
from models.values.record import Array
from models.values.text import languages, spelling
from models.values.text.spelling import SpelledPiece, Spelling
from models.values.wording import Message

OPEN = "open"
"""The request of the server for another checkpoint, in the place of a question to the model."""
MOST_BYTES = 2**31
"""The most that a frame may hold."""
MOST_CHARACTERS = 4000
"""The most that a sentence may have that is sent with its gaps: those in its gaps could make it grow without end."""
_HEAD = struct.Struct("<Q")
_MODULES = (
    answers,
    head_roles,
    languages,
    places,
    positions,
    record,
    spelling,
    steps,
    writing,
    changes,
    circuits,
    contrast,
    gradients,
    stream,
)
_CLASSES: dict[str, Any] = {
    name: value_class
    for module in _MODULES
    for name, value_class in vars(module).items()
    if isinstance(value_class, type) and is_dataclass(value_class)
}
_FORMATTER = Formatter()
_DTYPES = frozenset({"float32", "float64", "int64", "int32", "uint8", "bool"})


def write_frame(file: IO[bytes], value: Any) -> None:
    """Send a value. Raises TypeError for one of a kind that is not known."""
    arrays: list[Array] = []
    tree = _tree(value, arrays)
    about = [{"dtype": str(array.dtype), "shape": array.shape} for array in arrays]
    head = json.dumps({"value": tree, "arrays": about}).encode()
    file.write(_HEAD.pack(len(head)))
    file.write(head)
    file.writelines(np.ascontiguousarray(array).data for array in arrays)
    file.flush()


def read_frame(file: IO[bytes]) -> Any:
    """Receive a value. Raises EOFError if there is none, and ValueError or TypeError for what is no frame."""
    (n_head,) = _HEAD.unpack(_exactly(file, _HEAD.size))
    head = json.loads(_exactly(file, n_head))
    arrays = [_array(file, str(about["dtype"]), about["shape"]) for about in head["arrays"]]
    return _value(head["value"], arrays)


def _tree(value: Any, arrays: list[Array]) -> Any:
    """A value as JSON can say it; its arrays are put aside, and numbered."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return _tree_of_text(value, arrays)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, tuple | list):
        return [_tree(item, arrays) for item in value]
    if isinstance(value, dict):
        return {"table": {str(name): _tree(item, arrays) for name, item in value.items()}}
    name = type(value).__name__
    if _CLASSES.get(name) is not type(value):
        raise TypeError(f"{name} does not go between processes.")
    given = {field.name: _tree(getattr(value, field.name), arrays) for field in fields(value) if field.init}
    return {"class": name, "fields": given}


def _tree_of_text(text: str, arrays: list[Array]) -> Any:
    """A text as JSON can say it, with what it knows of itself."""
    if isinstance(text, Message) and len(text) <= MOST_CHARACTERS:
        return {"says": text.template, "plural": text.plural, "values": _tree(dict(text.values), arrays)}
    if isinstance(text, SpelledPiece):
        return {"piece": str(text), "spelling": asdict(text.spelling)}
    return text


def _value(tree: Any, arrays: Sequence[Array]) -> Any:
    if isinstance(tree, list):
        return tuple(_value(item, arrays) for item in tree)
    if not isinstance(tree, dict):
        return tree
    if "array" in tree:
        return arrays[tree["array"]]
    if "table" in tree:
        return {name: _value(item, arrays) for name, item in tree["table"].items()}
    if "class" in tree:
        made = _CLASSES[tree["class"]]
        return made(**{name: _value(item, arrays) for name, item in tree["fields"].items()})
    return _text(tree, arrays)


def _text(tree: dict[str, Any], arrays: Sequence[Array]) -> str:
    """A text that knows something of itself."""
    if "piece" in tree:
        return SpelledPiece(str(tree["piece"]), Spelling(**tree["spelling"]))
    return _message(tree["says"], tree["plural"], _value(tree["values"], arrays))


def _message(template: str, plural: str, values: Mapping[str, Any]) -> Message:
    """A sentence whose gaps hold words, numbers and sentences, and name them alone: for a stranger, no attribute of a
    value is looked up, and nothing is written with a billion spaces. Raises ValueError or TypeError."""
    parts = [part for text in (template, plural) for part in _FORMATTER.parse(text)] if values else []
    if any(spec or conversion or (name is not None and name not in values) for _, name, spec, conversion in parts):
        raise ValueError(f"{template[:40]!r} is no sentence with gaps.")
    if not all(isinstance(value, str | int | float) for value in values.values()):
        raise TypeError("A gap of a sentence holds something else than words and numbers.")
    if plural and not isinstance(values.get("n"), int):
        raise TypeError("A sentence that counts does not say how many.")
    if any(len(str(text)) > MOST_CHARACTERS for text in (template, plural, *values.values())):
        raise ValueError(f"A sentence, or what stands in it, has more than {MOST_CHARACTERS:,} characters.")
    return Message(template, plural, values)


def _array(file: IO[bytes], dtype: str, shape: Sequence[int]) -> Array:
    """A read-only array, as arrays of ours are."""
    if dtype not in _DTYPES:
        raise ValueError(f"An array is of the type {dtype[:20]!r}, expected one of {sorted(_DTYPES)}.")
    n_bytes = math.prod(map(int, shape)) * np.dtype(dtype).itemsize
    array: Array = np.frombuffer(_exactly(file, n_bytes), dtype=dtype).reshape([int(size) for size in shape])
    return array


def _exactly(file: IO[bytes], n_bytes: int) -> bytes:
    if not 0 <= n_bytes <= MOST_BYTES:
        raise ValueError(f"{n_bytes:,} bytes were announced, expected at most {MOST_BYTES:,}.")
    content = file.read(n_bytes)
    if len(content) < n_bytes:
        raise EOFError("The other process has ended.")
    return content
