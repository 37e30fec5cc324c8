"""Attention in files: arrays with their tokens, as NPZ or safetensors. A stranger's file runs no code, and takes no
more memory than is allowed.

safetensors: https://huggingface.co/docs/safetensors, "Format". NPZ: numpy.lib.format.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.words import show_value
from models.values.errors import ArgumentError, RecordError
from models.values.record import KINDS, Kind
from models.values.wording import to_say, worded
from viz.given.outputs import NAMES, OF_KINDS, PATTERN, SHOWN, numbered_layers

Arrays = dict[str, NDArray[Any]]
MOST_ARRAYS = 4096
MOST_HEADER = 10_000_000
TOKENS = ("tokens", "query_tokens", "key_tokens")
SAFE_TYPES: Final[Mapping[str, np.dtype[Any]]] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "BF16": np.dtype("<u2"),
}
DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, ValueError, LookupError, TypeError, AttributeError),
    *(RuntimeError, EOFError, ArithmeticError),
)
"""Errors that readers raise for bytes that somebody has changed."""
BROKEN = to_say("{name} is broken: {reason}. Write it anew, with numpy.savez or safetensors.")
HOLDS_OBJECTS = to_say("it holds objects, which could run code")
OTHER_NUMBERS = to_say("numbers of the type {given}, not one of {known}")
MANY = to_say("{n} arrays, more than can be read")
SIZE = to_say("{n} bytes for the shape {shape}")
NO_TEXTS = to_say("{axis} is no list of texts")
NO_FILE = to_say(
    "There is no file {name} that can be read. Give the path of an NPZ or safetensors file, or the attention itself."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionFile:
    """Attention, the texts of its tokens by the argument of `show`, the name of the model, and the kind if it is
    known."""

    attention: Any
    tokens: Mapping[str, Sequence[str]]
    model: str
    kind: Kind | None = None


def is_path(value: Any) -> bool:
    """Return whether a value names a file."""
    return isinstance(value, str | PathLike)


def without_objects(archive: np.lib.npyio.NpzFile) -> Arrays:
    """Return what `numpy.load` opened. Raises RecordError for an archive with objects, which NumPy does not read."""
    try:
        return dict(archive)
    except ValueError as error:
        raise RecordError(worded(BROKEN, name="attention", reason=HOLDS_OBJECTS)) from error


def read_attention(path: str | PathLike[str]) -> AttentionFile:
    """Return what a file on this disk holds. Raises RecordError for one that holds no attention, ArgumentError if it
    cannot be read."""
    place = Path(path)
    try:
        content = place.read_bytes()
    except OSError as error:
        raise ArgumentError(worded(NO_FILE, name=str(path))) from error
    return read_attention_bytes(content, name=place.name)


def read_attention_bytes(content: bytes, *, name: str, most: int | None = None) -> AttentionFile:
    """Return what the content of a file holds, of at most `most` bytes when unpacked.

    Raises RecordError for a file of another kind, a broken or a too large one, or one without attention.
    """
    try:
        if content[:2] == b"PK":
            arrays, texts = _npz(content, name, most), dict[str, str]()
        else:
            arrays, texts = _safetensors(content, name)
        tokens = {axis: _tokens(arrays, texts, axis, name) for axis in TOKENS}
    except RecordError:
        raise
    except DAMAGES as error:
        raise RecordError(worded(BROKEN, name=name, reason=type(error).__name__)) from error
    arrays = {key: array for key, array in arrays.items() if array.size}  # nothing, whatever its other sides are
    kind = _text(arrays, texts, "kind")
    return AttentionFile(
        attention=_attention(arrays, name),
        tokens={axis: of_axis for axis, of_axis in tokens.items() if of_axis},
        model=_text(arrays, texts, "model") or name,
        kind=next((known for known in KINDS if known == kind), None),
    )


def _npz(content: bytes, name: str, most: int | None) -> Arrays:
    """Return the arrays of an archive. None is read before its size is known, and none that would run code."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        size = sum(entry.file_size for entry in entries)
        if len(entries) > MOST_ARRAYS or (most is not None and size > most):
            raise RecordError(
                worded(
                    "{name} holds {n} arrays of {megabytes} MB in all, more than can be opened here ({most} MB). Keep "
                    "fewer layers, or a shorter text.",
                    name=name,
                    n=len(entries),
                    megabytes=math.ceil(size / 1e6),
                    most=math.ceil((most or size) / 1e6),
                )
            )
        return {
            entry.filename.removesuffix(".npy"): _npy(archive.read(entry), f"{name}: {entry.filename}")
            for entry in entries
            if entry.filename.endswith(".npy")
        }


def _npy(content: bytes, name: str) -> NDArray[Any]:
    """Return an array of the bytes that are there, whatever its header says."""
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, is_fortran, kind = read_header(file)
    if kind.hasobject:
        raise RecordError(worded(BROKEN, name=name, reason=HOLDS_OBJECTS))
    rest = content[file.tell() :]
    if not kind.itemsize or kind.itemsize * math.prod(shape) != len(rest):
        raise RecordError(worded(BROKEN, name=name, reason=worded(SIZE, n=len(rest), shape=list(shape))))
    return np.frombuffer(rest, kind).reshape(shape, order="F" if is_fortran else "C")


def _safetensors(content: bytes, name: str) -> tuple[Arrays, dict[str, str]]:
    """Return the arrays of a file and its metadata: a length of 8 bytes, a header in JSON, the numbers."""
    length = int.from_bytes(content[:8], "little")
    if not 2 <= length <= min(MOST_HEADER, len(content) - 8) or content[8:9] != b"{":
        raise RecordError(
            worded(
                "{name} is neither an NPZ nor a safetensors file, which are those that can be opened. Write it with "
                "numpy.savez(path, attention=weights, tokens=tokens).",
                name=name,
            )
        )
    header, data = json.loads(content[8 : 8 + length]), memoryview(content)[8 + length :]
    texts = {str(key): str(text) for key, text in header.pop("__metadata__", {}).items()}
    if len(header) > MOST_ARRAYS:
        raise RecordError(worded(BROKEN, name=name, reason=worded(MANY, n=len(header))))
    return {key: _tensor(entry, data, f"{name}: {key}") for key, entry in header.items()}, texts


def _tensor(entry: Mapping[str, Any], data: memoryview, name: str) -> NDArray[Any]:
    kind, shape, (start, end) = entry["dtype"], [int(side) for side in entry["shape"]], entry["data_offsets"]
    if kind not in SAFE_TYPES:
        raise RecordError(
            worded(
                BROKEN,
                name=name,
                reason=worded(OTHER_NUMBERS, given=kind, known=", ".join(SAFE_TYPES)),
            )
        )
    of_type = SAFE_TYPES[kind]
    is_there = 0 <= start <= end <= len(data) and all(side >= 0 for side in shape)
    if not is_there or end - start != of_type.itemsize * math.prod(shape):
        raise RecordError(worded(BROKEN, name=name, reason=worded(SIZE, n=end - start, shape=shape)))
    numbers: NDArray[Any] = np.frombuffer(data[start:end], of_type).reshape(shape)
    if kind != "BF16":
        return numbers
    return (numbers.astype(np.uint32) << 16).view(np.float32)  # bfloat16 is the upper half of float32


def _attention(arrays: Arrays, name: str) -> Any:
    """Return the attention among the arrays: of a known name, layers with a number each, or the only one that fits."""
    maps = {key: array for key, array in arrays.items() if array.dtype.kind in "fiub" and array.ndim >= 2}
    if any(PATTERN.fullmatch(key) for key in maps) or any(key in OF_KINDS for key in maps):
        return maps
    for known in NAMES:
        if known in maps:
            return maps[known]
    if {"queries", "keys"} <= maps.keys():
        raise RecordError(
            worded(
                "{name} holds queries and keys and no weights, because those would have been too large. Compute the "
                "weights of some layers as its README says, and give those.",
                name=name,
            )
        )
    if len(maps) == 1:
        return next(iter(maps.values()))
    layers = numbered_layers(maps)
    if not maps or layers is None:
        raise RecordError(
            worded(
                'Which of the arrays in {name} are attention is not clear: {arrays}. Name them "attention", or give '
                'each layer a number: "layer.0", "layer.1".',
                name=name,
                arrays=", ".join(list(maps)[:SHOWN]),
            )
            if maps
            else worded(
                "{name} holds no attention, but {arrays}. Expected an array of numbers with two axes or more, "
                '[n_query, n_key] the last of them, named "attention": such as show(attention, tokens).save(path) '
                "writes.",
                name=name,
                arrays="; ".join(f"{key} {show_value(array)}" for key, array in list(arrays.items())[:SHOWN]) or "–",
            )
        )
    return layers


def _tokens(arrays: Arrays, texts: Mapping[str, str], axis: str, name: str) -> tuple[str, ...]:
    """Return the tokens of an axis: an array of texts, or in the metadata of safetensors a list in JSON."""
    if axis in arrays:
        array = arrays[axis]
        if array.dtype.kind not in "US" or array.ndim != 1:
            raise RecordError(worded(BROKEN, name=name, reason=worded(NO_TEXTS, axis=axis)))
        return tuple(_as_text(text) for text in array.tolist())
    listed = json.loads(texts[axis]) if axis in texts else []
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise RecordError(worded(BROKEN, name=name, reason=worded(NO_TEXTS, axis=axis)))
    return tuple(listed)


def _text(arrays: Arrays, texts: Mapping[str, str], key: str) -> str:
    if key in arrays and arrays[key].dtype.kind in "US" and arrays[key].size:
        return _as_text(arrays[key].ravel()[0].item())
    return texts.get(key, "")


def _as_text(text: str | bytes) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else text
