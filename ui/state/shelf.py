"""The models that a server keeps: opened in the background, shared by all sessions, bounded in number.

A reader who waits sees what is going on, and may leave: the opening goes on for whoever asks next.
"""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from models.opening.registry import Model, load
from models.training.lab.uploads.checkpoints import is_uploaded

Key = tuple[str, str]
"""The canonical name and the device."""


class Shelf:
    """At most `size` models; the one that was not asked for the longest makes room. Safe for many threads."""

    def __init__(self, size: int, opened_by: Callable[..., Model] = load) -> None:
        self._size = size
        self._load = opened_by
        self._lock = threading.Lock()
        self._models: OrderedDict[Key, Future[Model]] = OrderedDict()
        self._said: dict[Key, str] = {}
        self._workers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="open-model")
        self._of_strangers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="open-uploaded-model")
        """For the models that may take long on purpose: the others never wait for them."""

    def ask(self, name: str, device: str) -> Future[Model]:
        """The model, or its opening, which is begun if nobody has. A failure is told once, and then forgotten."""
        key = name, device
        with self._lock:
            if key not in self._models:
                workers = self._of_strangers if is_uploaded(name) else self._workers
                self._models[key] = workers.submit(self._open, key)
            future = self._models[key]
            self._models.move_to_end(key)
            while len(self._models) > self._size:
                self._models.popitem(last=False)
        return future

    def said(self, name: str, device: str) -> str:
        """What the opening of a model is at, in a few words."""
        return self._said.get((name, device), f"Opening {name}")

    def _open(self, key: Key) -> Model:
        name, device = key
        try:
            model = self._load(name, device=device, progress=lambda message: self._said.update({key: message}))
        except BaseException:
            with self._lock:
                self._models.pop(key, None)
            raise
        finally:
            self._said.pop(key, None)
        # torch and transformers leave a million objects that never die; without this, every rerun looks at all of them.
        gc.collect()
        gc.freeze()
        return model
