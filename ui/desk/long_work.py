"""Long work in the background, shared by all requests for the same, with progress.

It is cancelled when nobody waits for it any more, so a reader who closes the page or presses Stop frees the core.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from time import monotonic
from typing import Generic

import torch

from models.opening.guest import GuestModel
from models.opening.registry import Model
from ui.desk.cache import CACHE, Cache, CancelledError, Kept, Key, Value

CANCELLED_AFTER = 10.0
"""The seconds without a request after which work is cancelled: longer than a page takes to run again on a busy machine,
which would begin the work anew each time."""
_WORKERS = ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="long-work")
_OF_STRANGERS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="long-work-of-uploaded-model")
"""A separate pool for uploaded models, which may be slow on purpose: the others never wait for them."""


class WorkProgress:
    """The progress of long work, and when a session last asked for it."""

    def __init__(self) -> None:
        self.done = 0
        self.of = 0
        self.begun = self._asked_at = monotonic()

    def look(self) -> tuple[int, int]:
        """Return (done, of), with an `of` of 0 while it is unknown. Counts as a request for the work."""
        self._asked_at = monotonic()
        return self.done, self.of

    def tell(self, done: int, of: int) -> None:
        """Report progress. Raises CancelledError if no session waits for the work any more."""
        self.done, self.of = done, of
        if monotonic() - self._asked_at > CANCELLED_AFTER:
            raise CancelledError


class LongWork(Generic[Key, Value]):
    """One kind of long work, by keys. Safe for many threads."""

    def __init__(self, name: str, cache: Cache = CACHE) -> None:
        self._kept: Kept[Key, Value] = Kept(name, cache=cache)
        self._progress: dict[Key, WorkProgress] = {}

    def ask(
        self, key: Key, compute: Callable[[WorkProgress], Value], workers: Executor = _WORKERS
    ) -> tuple[Future[Value], WorkProgress]:
        """Return the future of a key, started if necessary, and its progress."""
        progress = self._progress.setdefault(key, WorkProgress())
        progress.look()
        future = self._kept.begin(key, lambda: self._compute(key, progress, compute), workers)
        if future.done():
            self._progress.pop(key, None)
        return future, progress

    def _compute(self, key: Key, progress: WorkProgress, compute: Callable[[WorkProgress], Value]) -> Value:
        torch.set_num_threads(1)
        try:
            progress.tell(progress.done, progress.of)  # nobody may wait any more after the time in the queue
            return compute(progress)
        finally:
            self._progress.pop(key, None)


def workers_for(model: Model) -> Executor:
    """Return the executor for long work with a model."""
    return _OF_STRANGERS if isinstance(model, GuestModel) else _WORKERS
