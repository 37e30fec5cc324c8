"""The cache that all sessions of the server share, bounded in bytes for the memory of each device.

The value that was not asked for the longest makes room. Thirty readers who ask for the same at once wait for one
computation; one that fails is told to all of them, and forgotten. One whose thread was ended is begun by the next.
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
"""Megabytes: three models of the size of BERT-base with some hundred sentences, or a text of 4,096 tokens or two."""
MEGABYTE = 1024**2
OVERHEAD = 2048
"""Bytes that an entry takes beside its arrays, in the order of magnitude: keys, tokens, small objects."""
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class CancelledError(Exception):
    """A computation ended because its reader has left. No reader sees this: the next request computes anew."""


@dataclass(slots=True)
class _Entry:
    """A value, or its computation; `size` is 0 until it is there. `memory` is the device whose memory it takes."""

    future: Future[Any]
    size: int = 0
    memory: str = PROCESSOR


class Cache:
    """At most `most_bytes` of values in the memory of this machine, and in that of an accelerator what `most_bytes_on`
    says of it; a value that is larger alone is kept until the next one comes. Safe for many threads."""

    def __init__(self, most_bytes: float, most_bytes_on: Callable[[str], float] | None = None) -> None:
        self.most_bytes = most_bytes
        self._most_bytes_on = most_bytes_on or accelerator_bytes
        self._n_bytes: Counter[str] = Counter()
        """By device."""
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def n_bytes(self) -> int:
        """Return the number of bytes of the values in the memory of this machine."""
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
        """Return the value of a key, or its computation, which this thread, or one of the `workers`, starts if
        necessary.

        `size` says how many bytes a value takes, `memory` of which device, of this machine if nobody says. What
        `compute` raises is raised, here or by the future, and not kept.
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
        """Return the value of a key, or its computation; None if it was never requested."""
        with self._lock:
            known = self._entries.get(key)
            return None if known is None else known.future

    def clear(self) -> None:
        """Clear the cache; values being computed still reach those who wait, and are not kept."""
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
        except BaseException as error:  # whatever it is, those who wait must hear of it
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
        """Let the values in the memory of a device go that were not asked for the longest, until the rest fits. The
        newest one stays."""
        most = self.most_bytes if device == PROCESSOR else self._most_bytes_on(device)
        leaving, n_over = [], self._n_bytes[device] - most
        for key, entry in self._entries.items():  # those that stay are many, and not looked at
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


def _buffers(value: object, found: dict[int, int]) -> dict[int, int]:
    """Return the bytes that the arrays in a value hold, by their address: a view holds the whole of what it looks
    at."""
    if isinstance(value, np.ndarray):
        base: Any = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        low, high = byte_bounds(base)  # of a matrix that repeats a vector, that vector
        found[low] = max(high - low, found.get(low, 0))
    elif isinstance(value, pd.DataFrame):
        found[id(value)] = int(value.memory_usage(deep=True).sum())
    elif is_dataclass(value) and not isinstance(value, ModelInfo):  # which its model has, whatever is kept
        for each in fields(value):
            _buffers(getattr(value, each.name), found)
    elif isinstance(value, Mapping):
        _buffers(tuple(value.values()), found)
    elif isinstance(value, tuple | list) and not (value and isinstance(value[0], str | int | float | Token)):
        for item in value:
            _buffers(item, found)
    return found


def most_bytes(environment: Mapping[str, str] = os.environ) -> float:
    """Return the bound that the environment sets, in bytes; the usual one where it sets none, or none that is a
    number."""
    megabytes = _megabytes(environment.get(SETTING, ""))
    return MEGABYTE * (megabytes if megabytes > 0 else USUAL)


def accelerator_bytes(device: str, environment: Mapping[str, str] = os.environ) -> float:
    """Return the bound for the models in the memory of an accelerator: what the environment sets, else a part of what
    it has; the rest is for its passes."""
    set_here = _megabytes(environment.get(ACCELERATOR_SETTING, ""))
    return MEGABYTE * set_here if set_here > 0 else SHARE_OF_ACCELERATOR * memory_of(device) or MEGABYTE * USUAL


def _megabytes(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


CACHE = Cache(most_bytes())
"""The one of this server."""


class Kept(Generic[Key, Value]):
    """One kind of value in a cache: what its keys and values are, and how large a value is."""

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
        """Return the value of a key, computed if it is not kept. Raises what `compute` raises."""
        while True:
            with suppress(CancelledError):
                return self.begin(key, compute).result()

    def peek(self, key: Key) -> Value | None:
        """Return the value of a key if it is there, without asking for it."""
        future = self._cache.peek((self.name, key))
        is_there = future is not None and future.done() and future.exception() is None
        return cast("Value", future.result()) if future is not None and is_there else None

    def begin(self, key: Key, compute: Callable[[], Value], workers: Executor | None = None) -> Future[Value]:
        """Start the computation without waiting for it, on one of the `workers` if given."""
        return cast("Future[Value]", self._cache.ask((self.name, key), compute, self._size, workers, self._memory))
