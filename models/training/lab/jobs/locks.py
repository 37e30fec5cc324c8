"""Locks between processes, which the system releases when their holder ends, however it ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_RETRY = 0.02
"""Seconds between two attempts."""
_BEYOND = 2**30
"""Windows locks bytes, and lets nobody read those: so one past the end."""


@contextmanager
def holding(path: Path, *, patience: float) -> Iterator[None]:
    """Hold the lock of a file inside the block. Raises TimeoutError if somebody else has it for `patience` seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        until = time.monotonic() + patience
        while not _taken(file):
            if time.monotonic() > until:
                raise TimeoutError(f"{path} is held by another process.")
            time.sleep(_RETRY)
        try:
            yield
        finally:
            _release(file)


def is_held(path: Path) -> bool:
    """Whether some process holds the lock of a file."""
    try:
        with path.open("rb") as file:
            if not _taken(file):
                return True
            _release(file)
    except OSError:
        return False
    return False


def write_whole(path: Path, text: str) -> None:
    """Write a file that no reader sees half-written; if there is no room for it, the old one stays as it was."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def _taken(file: BinaryIO) -> bool:
    try:
        if sys.platform == "win32":
            file.seek(_BEYOND)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _release(file: BinaryIO) -> None:
    if sys.platform == "win32":
        file.seek(_BEYOND)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_UN)
