"""The queue in front of each device: a bounded number of forward passes at once, and clients that wait take turns."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from models.checkpoints.devices import PROCESSOR, own_name

CHECK_EVERY = 0.1
"""Seconds between two checks whether a waiting request is cancelled."""
_Waiting = threading.Event
"""A waiting request; set once it has its turn."""


class Queue:
    """At most `n` concurrent turns, given to the clients in round-robin order, however many requests each has.

    Safe for many threads.
    """

    def __init__(self, n: int) -> None:
        self._free = n
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, deque[_Waiting]] = OrderedDict()
        """The waiting requests by client; the first client is next."""

    @contextmanager
    def turn(self, client: str, check_cancelled: Callable[[], None] | None = None) -> Iterator[None]:
        """Wait for a turn and hold it inside the block.

        `check_cancelled` is called every CHECK_EVERY seconds while waiting; an exception from it gives up the place.
        """
        request = self._enter(client)
        try:
            while not request.wait(None if check_cancelled is None else CHECK_EVERY):
                if check_cancelled is not None:
                    check_cancelled()
            yield
        finally:
            self._leave(client, request)

    @property
    def n_waiting(self) -> int:
        """The number of requests that wait for a turn."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def _enter(self, client: str) -> _Waiting:
        request = _Waiting()
        with self._lock:
            if self._free:
                self._free -= 1
                request.set()
            else:
                self._waiting.setdefault(client, deque()).append(request)
        return request

    def _leave(self, client: str, request: _Waiting) -> None:
        with self._lock:
            if request.is_set():
                self._pass_turn()
            else:
                self._remove(client, request)

    def _pass_turn(self) -> None:
        """Give the turn to the next client in round-robin order, or free it."""
        if not self._waiting:
            self._free += 1
            return
        client, requests = next(iter(self._waiting.items()))
        request = requests[0]
        self._remove(client, request)
        if client in self._waiting:
            self._waiting.move_to_end(client)
        request.set()

    def _remove(self, client: str, request: _Waiting) -> None:
        self._waiting[client].remove(request)
        if not self._waiting[client]:
            del self._waiting[client]


class DeviceQueues:
    """A queue for each device: `n_passes` turns on the processor, one on every accelerator.

    Passes that share an accelerator take as long together as one after the other, and need the memory of all at once.
    """

    def __init__(self, n_passes: int) -> None:
        self._queues = {PROCESSOR: Queue(n_passes)}
        self._lock = threading.Lock()

    def of(self, device: str) -> Queue:
        """Return the queue of a device, by its name."""
        with self._lock:
            return self._queues.setdefault(own_name(device), Queue(1))
