"""Handling of a full disk: the run reports it, in space reserved for this message, and its files stay intact."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from safetensors import SafetensorError

from models.values.wording import Message, worded

LAST_WORDS = "reserve"
RESERVE = 64 * 1024
"""Bytes that a run keeps on the disk: given back when it is full, they are room for its status."""
_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
_CODE = re.compile(r"\bos error (\d+)\b|\bcode: (\d+)\b")
"""The number of an error in the messages of Rust, which writes the weights."""


def is_about_disk(error: BaseException) -> bool:
    """Return whether there was no room for a file: on the disk, in a quota, or below the size that files may have."""
    return _number(error) in _FULL


def disk_full(error: BaseException) -> Message:
    """Return the message for the reader."""
    number = _number(error)
    said = os.strerror(number) if number is not None else str(error)
    return worded("The disk of this server is full ({why}): make room, or ask whoever runs it.", why=said)


def keep_reserve(file: Path) -> None:
    """Take the room for last words, if it is not taken. Raises OSError if there is none."""
    if not file.exists():
        file.write_bytes(os.urandom(RESERVE))  # chance, because some disks keep no zeros


def spend_reserve(file: Path) -> None:
    """Delete the file that reserves space on the disk."""
    file.unlink(missing_ok=True)


def _number(error: BaseException) -> int | None:
    """Return the number of an error of the system."""
    if isinstance(error, OSError):
        return error.errno
    match = _CODE.search(str(error)) if isinstance(error, SafetensorError) else None
    return None if match is None else int(match[1] or match[2])
