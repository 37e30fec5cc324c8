"""A .npz file that is written piece by piece, so that no array has to be whole in memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PIECE = 1_000_000
"""Bytes that are handed on at a time, at least."""
_OLDEST = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayPieces:
    """An array that is made when it is written: `pieces`, one after the other, are its numbers."""

    kind: np.dtype[Any]
    shape: tuple[int, ...]
    pieces: Iterable[NDArray[Any]]

    def header(self) -> bytes:
        """Return the header of a .npy file."""
        written = io.BytesIO()
        described = {"descr": np.lib.format.dtype_to_descr(self.kind), "fortran_order": False, "shape": self.shape}
        np.lib.format.write_array_header_1_0(written, described)
        return written.getvalue()

    @property
    def size(self) -> int:
        return self.kind.itemsize * int(np.prod(self.shape))


class _Outgoing(io.RawIOBase):
    """A write-only file without seeking; what was written is taken out of it."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self.written.append(bytes(content))
        return len(content)

    @property
    def is_full(self) -> bool:
        return sum(map(len, self.written)) >= PIECE

    def take(self) -> bytes:
        content = b"".join(self.written)
        self.written.clear()
        return content


def write_archive(arrays: Mapping[str, ArrayPieces]) -> Iterator[bytes]:
    """Yield a .npz file: a zip archive of .npy files, nothing compressed."""
    outgoing = _Outgoing()
    with zipfile.ZipFile(outgoing, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", _OLDEST)
            with archive.open(entry, "w", force_zip64=array.size > zipfile.ZIP64_LIMIT // 2) as file:
                file.write(array.header())
                for piece in array.pieces:
                    file.write(np.ascontiguousarray(piece, array.kind).tobytes())
                    if outgoing.is_full:
                        yield outgoing.take()
    yield outgoing.take()


def whole_array(array: NDArray[Any]) -> ArrayPieces:
    return ArrayPieces(kind=array.dtype, shape=array.shape, pieces=[array])


def text_array(text: str | Sequence[str]) -> ArrayPieces:
    """Return an array of one text, or of several."""
    return whole_array(np.array(text))
