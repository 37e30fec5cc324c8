"""A progress bar for huggingface_hub that draws nothing: it tells a function how much of a model has arrived.

`snapshot_download` makes three bars of the class that it is given: bytes from the network, bytes on this disk, files.
Those on this disk are told (huggingface_hub 2.4, `_snapshot_download.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock, RLock
from time import monotonic
from typing import TYPE_CHECKING, Any

from tqdm.auto import tqdm

from models.values.wording import worded

if TYPE_CHECKING:
    AnyBar = tqdm[Any]  # generic in its stubs only
else:
    AnyBar = tqdm

BYTES_ON_DISK = "Reconstructing"
"""How the description of their bar begins."""
SECONDS_BETWEEN = 0.3
MEGABYTE = 1_000_000


def bar_that_tells(tell: Callable[[str], None], name: str) -> type[AnyBar]:
    """A class of bars for a download of `name`. `tell` is called in the threads that download, and cannot stop them."""

    class Bar(AnyBar):
        def __init__(self, *args: Any, **options: Any) -> None:
            options["disable"] = True  # tqdm itself neither draws nor counts then
            super().__init__(*args, **options)
            self._is_told = str(options.get("desc")).startswith(BYTES_ON_DISK)
            self._counting = Lock()
            self._told_at = 0.0

        def update(self, n: float | None = 1) -> None:
            with self._counting:
                self.n += n or 0
                is_due = self._is_told and monotonic() - self._told_at >= SECONDS_BETWEEN
                if is_due:
                    self._told_at = monotonic()
            if is_due:
                with suppress(Exception):
                    done, total = _in_megabytes(self.n, self.total)
                    tell(worded("Downloading {model}: {done} of {all} MB", model=name, done=done, all=total))

    Bar.set_lock(RLock())  # tqdm's own is for many processes, and starts one to watch over it
    return Bar


def _in_megabytes(done: float, total: float | None) -> tuple[str, str]:
    """("123", "440"); below ten, ("1.2", "4.4")."""
    total = max(done, total or 0)
    digits = 0 if total >= 10 * MEGABYTE else 1
    return f"{done / MEGABYTE:.{digits}f}", f"{total / MEGABYTE:.{digits}f}"
