"""The files of an upload: unpacked without being led out of it or blown up by it, a pickle never among them."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from models.training.lab.limits import MEGABYTE, Limits
from models.training.lab.uploads.checkpoints import FILES
from models.values.errors import LabError

PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".npy")
MOST_FILES = 100


def unzipped(content: bytes, limits: Limits) -> Iterator[tuple[str, bytes]]:
    """The files of a zip that belong to a checkpoint. Raises LabError for what is not safe to unpack."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check_entries(entries, limits)
            yield from known_files((PurePosixPath(entry.filename).name, _read(archive, entry)) for entry in entries)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, OSError, EOFError, RuntimeError) as error:
        raise LabError(
            f"The file is called .zip, but cannot be read as one ({error}). Upload the file from “Download the model”."
        ) from error


def _check_entries(entries: Sequence[zipfile.ZipInfo], limits: Limits) -> None:
    if len(entries) > MOST_FILES:
        raise LabError(
            f"The archive contains {len(entries):,} files, expected those of one model, at most {MOST_FILES}."
        )
    for entry in entries:
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in entry.filename or ":" in entry.filename:
            raise LabError(
                f"The archive contains {entry.filename[:80]!r}, a path that leads out of it. It was not opened."
            )
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise LabError(f"The archive contains {entry.filename[:80]!r}, a link to another file. It was not opened.")
        if entry.flag_bits & 1:
            raise LabError("The archive is protected with a password. Pack it without one.")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > limits.model_bytes:
        raise LabError(
            f"Unpacked, the archive is {unpacked / MEGABYTE:,.0f} MB, and this server takes at most "
            f"{limits.model_bytes / MEGABYTE:,.0f} MB."
        )


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """An entry, no larger than it says: what unpacks to more is a bomb."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise LabError(f"{entry.filename[:80]!r} unpacks to more than it says. It was not opened.")
    return content


def known_files(files: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """The files that belong to a checkpoint; any other is left out, and a pickle refused."""
    seen: set[str] = set()
    for name, content in files:
        if name.lower().endswith(PICKLES):
            raise LabError(
                f"{name[:80]} is a pickle, which can run code when it is opened. Headlight reads only "
                "model.safetensors, so save the model as that and upload it again."
            )
        if name in seen:
            raise LabError(f"Two files are called {name}, expected the files of one model.")
        if name in FILES:
            seen.add(name)
            yield name, content
