"""Locks between processes, which the system releases when their holder ends, however it ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

_RETRY = 0.02
"""Seconds between two attempts."""


@contextmanager
def holding(path: Path, *, patience: float) -> Iterator[None]:
    """Hold the lock of a file inside the block. Raises TimeoutError if it stays taken for `patience` seconds."""
    lock = _lock(path)
    try:
        lock.acquire(timeout=patience, poll_interval=_RETRY)
    except Timeout as error:
        raise TimeoutError(f"{path} is held by another process.") from error
    try:
        yield
    finally:
        lock.release()


def is_held(path: Path) -> bool:
    """Return whether some process holds the lock of a file."""
    if not path.exists():  # asking must not make it, nor the folder of a run that has just been deleted
        return False
    try:
        with _lock(path).acquire(timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
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


def _lock(path: Path) -> FileLock:
    """Return a new lock for this call alone; another thread than the one that took it may release it."""
    return FileLock(path, thread_local=False, fallback_to_soft=False)
