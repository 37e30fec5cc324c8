"""The files of an upload: unpacked without being led out of it or blown up by it, a pickle never among them."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from lab.limits import MEGABYTE, Limits
from lab.uploads.checkpoints import FILES, OF_THE_RUN
from lab.uploads.snapshots import is_snapshot, name_of_snapshot
from models.values.errors import LabError
from models.values.wording import to_say, worded

PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".npy")
MOST_FILES = 100
_OWN_NAMES = {name.lower(): name for name in (*FILES, *OF_THE_RUN)}
"""The files of a checkpoint and its training, found in any letter case: some systems write names in capitals."""


def unzip_files(content: bytes, limits: Limits) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a zip that belong to a checkpoint. Raises LabError for what is not safe to unpack."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check_entries(entries, limits)
            yield from known_files((entry.filename, _read_entry(archive, entry)) for entry in entries)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, OSError, EOFError, RuntimeError) as error:
        raise LabError(
            worded(
                "The file is called .zip, but cannot be read as one ({why}). Upload the file from “Download the "
                "model”.",
                why=str(error),
            )
        ) from error


def _check_entries(entries: Sequence[zipfile.ZipInfo], limits: Limits) -> None:
    if len(entries) > MOST_FILES:
        raise LabError(
            worded(
                "The archive contains {files} files, expected those of one model, at most {most}.",
                files=f"{len(entries):,}",
                most=MOST_FILES,
            )
        )
    for entry in entries:
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in entry.filename or ":" in entry.filename:
            raise LabError(
                worded(
                    "The archive contains {file}, a path that leads out of it. It was not opened.",
                    file=repr(entry.filename[:80]),
                )
            )
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise LabError(
                worded(
                    "The archive contains {file}, a link to another file. It was not opened.",
                    file=repr(entry.filename[:80]),
                )
            )
        if entry.flag_bits & 1:
            raise LabError(to_say("The archive is protected with a password. Pack it without one."))
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > limits.model_bytes:
        raise LabError(
            worded(
                "Unpacked, the archive is {size} MB, and this server takes at most {most} MB.",
                size=f"{unpacked / MEGABYTE:,.0f}",
                most=f"{limits.model_bytes / MEGABYTE:,.0f}",
            )
        )


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return an entry, no larger than it says: what unpacks to more is a bomb."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise LabError(
            worded("{file} unpacks to more than it says. It was not opened.", file=repr(entry.filename[:80]))
        )
    return content


def known_files(files: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Yield the files that belong to a checkpoint, and the weights of its snapshots, by their names; any other is left
    out, and a pickle refused."""
    seen: set[str] = set()
    for path, content in files:
        name = PurePosixPath(path).name
        if name.lower().endswith(PICKLES):
            raise LabError(
                worded(
                    "{file} is a pickle, which can run code when it is opened. Headlight reads only model.safetensors, "
                    "so save the model as that and upload it again.",
                    file=name[:80],
                )
            )
        own = name_of_snapshot(path) or _OWN_NAMES.get(name.lower(), name)
        if own in seen:
            raise LabError(worded("Two files are called {name}, expected the files of one model.", name=own))
        if own in _OWN_NAMES.values() or is_snapshot(own):
            seen.add(own)
            yield own, content
