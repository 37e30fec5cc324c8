"""A replica of the models on a cluster: an actor of Ray Serve that holds some models and answers for them.

It opens a model when it is first asked about it, and lets the one go that was not asked for the longest; Serve sends
a question to a replica that has its model already, and to another where that has much to do (model multiplexing). What
waits when a batch has been answered is the next one (dynamic batching), so nobody waits for a batch to fill.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from threading import Event
from typing import Any

import torch
from ray import serve

from models.engine.ray.messages import Advance, Found, Refusal, RemoteQuestion, outcome_of, refusal_of
from models.engine.ray.together import RECORD, ReadyQuestion, outcomes_of
from models.model import Model
from models.opening.registry import load

MODELS = 6
"""So many models a replica holds: those of one kind of course, or all small ones of this repository."""
MOST_TOGETHER = 8
"""So many questions are one batch at most."""


class GoneError(Exception):
    """Nobody waits for the work any more."""


class ModelReplica:
    """A replica, which Serve starts as often as there is work for. Its methods run in one event loop, its models in
    threads."""

    def __init__(self, n_threads: int, dtype: str) -> None:
        torch.set_num_threads(n_threads)
        self._n_threads, self._dtype = n_threads, dtype
        self._listeners: list[tuple[str, asyncio.Queue[object]]] = []
        """Who hears how the opening of which model goes on."""
        self._one_else, self._one_long_work = asyncio.Lock(), asyncio.Lock()

    async def answer(self, asked: RemoteQuestion) -> Any:
        """Return the answer of a model to a question, or a Refusal."""
        model = await self._find_model(asked.model)
        if isinstance(model, Refusal):
            return model
        if asked.question == RECORD:
            return await self._together((model, asked))
        async with self._one_else:  # nobody's sentence waits for what may take seconds
            return await asyncio.to_thread(self._in_thread, lambda: outcome_of(lambda: asked.asked_of(model)))

    async def tell(self, asked: RemoteQuestion) -> AsyncIterator[Any]:
        """The same for a question whose answer takes long: every Advance, and then the answer."""
        heard: asyncio.Queue[object] = asyncio.Queue()
        gone, loop = Event(), asyncio.get_running_loop()

        def progress(done: int, of: int) -> None:
            if gone.is_set():
                raise GoneError
            loop.call_soon_threadsafe(heard.put_nowait, Advance(done=done, of=of))

        model = await self._find_model(asked.model)
        if isinstance(model, Refusal):
            yield model
            return

        def work() -> Any:
            return self._in_thread(lambda: outcome_of(lambda: asked.asked_of(model, progress=progress)))

        try:
            async with self._one_long_work:
                async for said in _as_it_goes(work, heard):
                    yield said
        finally:
            gone.set()

    async def open(self, name: str) -> AsyncIterator[Any]:
        """Open a model: what is going on in a few words, and then its ModelInfo, or the Refusal."""
        heard: asyncio.Queue[object] = asyncio.Queue()
        self._listeners.append((name, heard))
        try:
            opening = asyncio.create_task(self._find_model(name))
            opening.add_done_callback(lambda _: heard.put_nowait(None))
            while (said := await heard.get()) is not None:
                yield said
            model = await opening
            yield model if isinstance(model, Refusal) else model.info
        finally:
            self._listeners.remove((name, heard))

    async def _find_model(self, name: str) -> Model | Refusal:
        """The model of that name; one that does not open is asked for anew by the next."""
        try:
            model: Model = await self._load_model(name)
        except Exception as error:
            return refusal_of(error)
        return model

    @serve.multiplexed(max_num_models_per_replica=MODELS)
    async def _load_model(self, name: str) -> Model:
        loop = asyncio.get_running_loop()

        def progress(message: str) -> None:
            for model, heard in tuple(self._listeners):
                if model == name:
                    loop.call_soon_threadsafe(heard.put_nowait, message)

        return await asyncio.to_thread(lambda: load(name, device="auto", dtype=self._dtype, progress=progress))

    @serve.batch(max_batch_size=MOST_TOGETHER, batch_wait_timeout_s=0.0)
    async def _together(self, asked: Sequence[ReadyQuestion]) -> list[Any]:
        """The recordings of what waits, made in one thread."""
        return await asyncio.to_thread(self._in_thread, lambda: outcomes_of(asked))

    def _in_thread(self, work: Callable[[], Found]) -> Found:
        torch.set_num_threads(self._n_threads)  # torch keeps the number by thread
        return work()


async def _as_it_goes(work: Callable[[], Any], heard: asyncio.Queue[object]) -> AsyncIterator[Any]:
    """Yield the progress of some work in a thread, and then its result."""
    working = asyncio.create_task(asyncio.to_thread(work))
    working.add_done_callback(lambda _: heard.put_nowait(None))
    while (said := await heard.get()) is not None:
        yield said
    yield await working
