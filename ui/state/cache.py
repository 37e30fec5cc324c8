"""What the server keeps for all sessions: one cache, bounded in bytes.

The value that was not asked for the longest makes room. Thirty readers who ask for the same at once wait for one
computation; one that fails is told to all of them, and forgotten. One whose thread was ended is begun by the next.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar, cast

import numpy as np
import pandas as pd
from numpy.lib.array_utils import byte_bounds

from models.values.record import ModelInfo, Token

SETTING = "HEADLIGHT_CACHE_MB"
USUAL = 3000.0
"""Megabytes: three models of the size of BERT-base with some hundred sentences, or a text of 4,096 tokens or two."""
MEGABYTE = 1024**2
OVERHEAD = 2048
"""Bytes that an entry takes beside its arrays, in the order of magnitude: keys, tokens, small objects."""
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class GivenUpError(Exception):
    """The thread that computed was ended: its reader has left. No reader sees this: another one begins anew."""


@dataclass(slots=True)
class _Entry:
    """A value, or its computation; `size` is 0 until it is there."""

    future: Future[Any]
    size: int = 0


class Cache:
    """At most `most_bytes` of values; a value that is larger alone is kept until the next one comes. Safe for many
    threads."""

    def __init__(self, most_bytes: float) -> None:
        self.most_bytes = most_bytes
        self.n_bytes = 0
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def ask(
        self, key: Hashable, compute: Callable[[], Any], size: Callable[[Any], int], workers: Executor | None = None
    ) -> Future[Any]:
        """The value of a key, or its computation, which this thread, or one of the `workers`, does if nobody has begun.

        `size` says how many bytes a value takes. What `compute` raises is raised, here or by the future, and not kept.
        """
        with self._lock:
            known = self._entries.get(key)
            if known is not None:
                self._entries.move_to_end(key)
                return known.future
            entry = self._entries[key] = _Entry(Future())
        if workers is None:
            self._fill(key, entry, compute, size)
        else:
            workers.submit(self._fill, key, entry, compute, size)
        return entry.future

    def peek(self, key: Hashable) -> Future[Any] | None:
        """The value of a key, or its computation; None where nobody has asked."""
        with self._lock:
            known = self._entries.get(key)
            return None if known is None else known.future

    def clear(self) -> None:
        """Forget everything that is there; what is being computed is told to those who wait, and not kept."""
        with self._lock:
            self._entries.clear()
            self.n_bytes = 0

    def _fill(self, key: Hashable, entry: _Entry, compute: Callable[[], Any], size: Callable[[Any], int]) -> None:
        try:
            value = compute()
            n_bytes = size(value)
        except BaseException as error:  # whatever it is, those who wait must hear of it
            with self._lock:
                if self._entries.get(key) is entry:
                    del self._entries[key]
            entry.future.set_exception(error if isinstance(error, Exception) else GivenUpError())
            raise
        with self._lock:
            if self._entries.get(key) is entry:
                entry.size = n_bytes
                self.n_bytes += n_bytes
                self._make_room(key)
        entry.future.set_result(value)

    def _make_room(self, newest: Hashable) -> None:
        """Let the values go that were not asked for the longest, until the rest fits. The newest one stays."""
        leaving, n_over = [], self.n_bytes - self.most_bytes
        for key, entry in self._entries.items():  # those that stay are many, and not looked at
            if n_over <= 0:
                break
            if entry.size and key != newest:
                leaving.append(key)
                n_over -= entry.size
        for key in leaving:
            self.n_bytes -= self._entries.pop(key).size


def size_of(value: object) -> int:
    """The bytes of the NumPy arrays in a value of ours, each counted once, and a little for the rest of it."""
    return OVERHEAD + sum(_buffers(value, {}).values())


def _buffers(value: object, found: dict[int, int]) -> dict[int, int]:
    """The bytes that the arrays in a value hold, by their address: a view holds the whole of what it looks at."""
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
    """The bound that the environment sets, in bytes; the usual one where it sets none, or none that is a number."""
    try:
        megabytes = float(environment.get(SETTING, ""))
    except ValueError:
        megabytes = USUAL
    return MEGABYTE * (megabytes if megabytes > 0 else USUAL)


CACHE = Cache(most_bytes())
"""The one of this server."""


class Kept(Generic[Key, Value]):
    """One kind of value in a cache: what its keys and values are, and how large a value is."""

    def __init__(self, name: str, size: Callable[[Value], int] = size_of, cache: Cache = CACHE) -> None:
        self.name = name
        self._size = size
        self._cache = cache

    def get(self, key: Key, compute: Callable[[], Value]) -> Value:
        """The value of a key, computed if it is not kept. Raises what `compute` raises."""
        while True:
            with suppress(GivenUpError):
                return self.begin(key, compute).result()

    def peek(self, key: Key) -> Value | None:
        """The value of a key if it is there, without asking for it."""
        future = self._cache.peek((self.name, key))
        is_there = future is not None and future.done() and future.exception() is None
        return cast("Value", future.result()) if future is not None and is_there else None

    def begin(self, key: Key, compute: Callable[[], Value], workers: Executor | None = None) -> Future[Value]:
        """The same without waiting for it, where there are `workers` to compute it."""
        return cast("Future[Value]", self._cache.ask((self.name, key), compute, self._size, workers))
