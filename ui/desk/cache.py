"""The cache that all sessions of the server share, bounded in bytes for the memory of each device.

The least recently used values are evicted. Concurrent requests for one key wait for one computation; if it fails, all
of them get the error, and nothing is cached. A computation whose thread was ended is started anew by the next request.
"""

from __future__ import annotations

import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar, cast

import numpy as np
import pandas as pd
from numpy.lib.array_utils import byte_bounds

from models.checkpoints.devices import PROCESSOR, memory_of, own_name
from models.values.record import ModelInfo, Token

SETTING = "HEADLIGHT_CACHE_MB"
ACCELERATOR_SETTING = "HEADLIGHT_GPU_CACHE_MB"
SHARE_OF_ACCELERATOR = 0.7
"""The share of the memory of an accelerator for models, if the environment sets no bound."""
USUAL = 3000.0
"""The default bound in megabytes: three models of the size of BERT-base with some hundred sentences, or one or two
texts of 4,096 tokens."""
MEGABYTE = 1024**2
OVERHEAD = 2048
"""Estimated bytes of an entry beside its arrays: keys, tokens, small objects."""
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class CancelledError(Exception):
    """A computation ended because its reader has left. It is never shown: the next request computes anew."""


@dataclass(slots=True)
class _Entry:
    """A cached value or its computation; `size` in bytes is 0 until it is computed. `memory` is the device that holds
    it."""

    future: Future[Any]
    size: int = 0
    memory: str = PROCESSOR


class Cache:
    """A cache of at most `most_bytes` on this machine and `most_bytes_on(device)` on an accelerator.

    A single larger value stays until the next one is added. Safe for many threads.
    """

    def __init__(self, most_bytes: float, most_bytes_on: Callable[[str], float] | None = None) -> None:
        self.most_bytes = most_bytes
        self._most_bytes_on = most_bytes_on or accelerator_bytes
        self._n_bytes: Counter[str] = Counter()
        """Bytes by device."""
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def n_bytes(self) -> int:
        """The number of bytes of the values in the memory of this machine."""
        return self.n_bytes_on(PROCESSOR)

    def n_bytes_on(self, device: str) -> int:
        """Return the number of bytes of the values in the memory of a device."""
        with self._lock:
            return self._n_bytes[own_name(device)]

    def ask(
        self,
        key: Hashable,
        compute: Callable[[], Any],
        size: Callable[[Any], int],
        workers: Executor | None = None,
        memory: Callable[[Any], str] | None = None,
    ) -> Future[Any]:
        """Return the future of a key, computed by this thread or by `workers` if it is not cached.

        `size` returns the bytes of a value, and `memory` the device that holds it (this machine by default). What
        `compute` raises is raised here or by the future, and is not cached.
        """
        with self._lock:
            known = self._entries.get(key)
            if known is not None:
                self._entries.move_to_end(key)
                return known.future
            entry = self._entries[key] = _Entry(Future())
        if workers is None:
            self._fill(key, entry, compute, size, memory)
        else:
            workers.submit(self._fill, key, entry, compute, size, memory)
        return entry.future

    def peek(self, key: Hashable) -> Future[Any] | None:
        """Return the future of a key; None if it was never requested."""
        with self._lock:
            known = self._entries.get(key)
            return None if known is None else known.future

    def clear(self) -> None:
        """Clear the cache. Values being computed still reach their callers, and are not cached."""
        with self._lock:
            self._entries.clear()
            self._n_bytes.clear()

    def _fill(
        self,
        key: Hashable,
        entry: _Entry,
        compute: Callable[[], Any],
        size: Callable[[Any], int],
        memory: Callable[[Any], str] | None,
    ) -> None:
        try:
            value = compute()
            n_bytes, device = size(value), PROCESSOR if memory is None else own_name(memory(value))
        except BaseException as error:  # every waiting request gets it
            with self._lock:
                if self._entries.get(key) is entry:
                    del self._entries[key]
            entry.future.set_exception(error if isinstance(error, Exception) else CancelledError())
            raise
        with self._lock:
            if self._entries.get(key) is entry:
                entry.size, entry.memory = n_bytes, device
                self._n_bytes[device] += n_bytes
                self._make_room(key, device)
        entry.future.set_result(value)

    def _make_room(self, newest: Hashable, device: str) -> None:
        """Evict the least recently used values on a device until the rest fits. The newest one stays."""
        most = self.most_bytes if device == PROCESSOR else self._most_bytes_on(device)
        leaving, n_over = [], self._n_bytes[device] - most
        for key, entry in self._entries.items():  # stop early: most entries stay
            if n_over <= 0:
                break
            if entry.size and entry.memory == device and key != newest:
                leaving.append(key)
                n_over -= entry.size
        for key in leaving:
            self._n_bytes[device] -= self._entries.pop(key).size


def size_of(value: object) -> int:
    """Return the bytes of the NumPy arrays in a value, each counted once, plus a constant for the rest."""
    return OVERHEAD + sum(_buffers(value, {}).values())


def _buffers(value: object, sizes: dict[int, int]) -> dict[int, int]:
    """Collect the bytes of the arrays in a value by address; a view counts as the whole array under it."""
    if isinstance(value, np.ndarray):
        base: Any = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        low, high = byte_bounds(base)  # only the repeated vector, for a broadcast matrix
        sizes[low] = max(high - low, sizes.get(low, 0))
    elif isinstance(value, pd.DataFrame):
        sizes[id(value)] = int(value.memory_usage(deep=True).sum())
    elif is_dataclass(value) and not isinstance(value, ModelInfo):  # shared with its model
        for field in fields(value):
            _buffers(getattr(value, field.name), sizes)
    elif isinstance(value, Mapping):
        _buffers(tuple(value.values()), sizes)
    elif isinstance(value, tuple | list) and not (value and isinstance(value[0], str | int | float | Token)):
        for item in value:
            _buffers(item, sizes)
    return sizes


def most_bytes(environment: Mapping[str, str] = os.environ) -> float:
    """Return the bound in bytes from the environment; the default if it sets none, or no number."""
    megabytes = _megabytes(environment.get(SETTING, ""))
    return MEGABYTE * (megabytes if megabytes > 0 else USUAL)


def accelerator_bytes(device: str, environment: Mapping[str, str] = os.environ) -> float:
    """Return the bound in bytes for models on an accelerator: from the environment, else SHARE_OF_ACCELERATOR of its
    memory. The rest is for the passes."""
    set_here = _megabytes(environment.get(ACCELERATOR_SETTING, ""))
    return MEGABYTE * set_here if set_here > 0 else SHARE_OF_ACCELERATOR * memory_of(device) or MEGABYTE * USUAL


def _megabytes(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


CACHE = Cache(most_bytes())
"""The cache of this server."""


class Kept(Generic[Key, Value]):
    """One kind of value in a cache, with the types of its keys and values, and its size in bytes."""

    def __init__(
        self,
        name: str,
        size: Callable[[Value], int] = size_of,
        cache: Cache = CACHE,
        memory: Callable[[Value], str] | None = None,
    ) -> None:
        self.name = name
        self._size, self._memory = size, memory
        self._cache = cache

    def get(self, key: Key, compute: Callable[[], Value]) -> Value:
        """Return the value of a key, computed if it is not cached. Raises what `compute` raises."""
        while True:
            with suppress(CancelledError):
                return self.begin(key, compute).result()

    def peek(self, key: Key) -> Value | None:
        """Return the value of a key if it is cached; None otherwise, without computing it."""
        future = self._cache.peek((self.name, key))
        is_there = future is not None and future.done() and future.exception() is None
        return cast("Value", future.result()) if future is not None and is_there else None

    def begin(self, key: Key, compute: Callable[[], Value], workers: Executor | None = None) -> Future[Value]:
        """Start the computation without waiting for it, on one of the `workers` if given."""
        return cast("Future[Value]", self._cache.ask((self.name, key), compute, self._size, workers, self._memory))
