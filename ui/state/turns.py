"""Who computes next: as many at once as there are cores, and the clients that wait take turns, however many requests
each of them has."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """At most `n` turns at once. Safe for many threads."""

    def __init__(self, n: int) -> None:
        self._free = n
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, deque[threading.Event]] = OrderedDict()
        """Those who wait, by client; the client that is first is next."""

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        """Wait for a turn of this client, and have it inside."""
        self._take(client)
        try:
            yield
        finally:
            self._give_on()

    @property
    def n_waiting(self) -> int:
        """How many wait."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def _take(self, client: str) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._waiting.setdefault(client, deque()).append(called)
        called.wait()

    def _give_on(self) -> None:
        """The turn goes to the client that is next, who is last from now on; to nobody, if nobody waits."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            client, waiting = self._waiting.popitem(last=False)
            waiting.popleft().set()
            if waiting:
                self._waiting[client] = waiting
