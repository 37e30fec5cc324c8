"""The models that are open on this server, shared by all sessions: opened in the background, kept with all else.

A reader who waits sees what is going on, and may leave: the opening goes on for whoever asks next.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from streamlit.runtime.scriptrunner import get_script_run_ctx

from models.checkpoints.devices import (
    AUTO,
    FLOAT32,
    PROCESSOR,
    dtype_name,
    joined_place,
    pick_device,
    pick_dtype,
    split_place,
)
from models.engine.local import LocalEngine
from models.engine.setting import open_model
from models.opening.forwarding import ForwardingModel, ModelElsewhere
from models.opening.guest import GuestModel
from models.opening.registry import Model, canonical, check_allowed, is_strangers
from models.values.record import Recording
from ui.state.cache import CACHE, MEGABYTE, Cache, Kept
from ui.state.clients import client_of_session

BYTES_PER_PARAMETER = {"float32": 4}
"""In half precision it is 2."""
PROCESS = 700 * MEGABYTE
"""The memory of the process of an uploaded model beside its weights, torch included."""
WORKERS = "HEADLIGHT_WORKERS"
"""The setting that says how many processes of this app share the machine (`python run.py serve`)."""


def passes_at_once(cores: int, workers: str) -> int:
    """Return the number of concurrent forward passes: one per core, single-threaded, which keeps the wait of thirty
    readers shortest. An accelerator runs one at a time, whatever the number of cores."""
    return max(1, cores // int(workers)) if workers.isdecimal() and int(workers) else cores


ENGINE = LocalEngine(passes_at_once(os.cpu_count() or 1, os.environ.get(WORKERS, "")))
"""The engine of this server."""
Answer = TypeVar("Answer")


class OpenModels:
    """The models of a cache, by canonical name and place, as `place_of` gives them. Safe for many threads."""

    def __init__(self, cache: Cache = CACHE, opened_by: Callable[..., Model] = open_model) -> None:
        self._kept: Kept[tuple[str, str], Model] = Kept("model", weights_of, cache, memory=memory_used_by)
        self._load = opened_by
        self._said: dict[tuple[str, str], str] = {}
        self._workers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="open-model")
        self._of_strangers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="open-uploaded-model")
        """For the models that may take long on purpose: the others never wait for them."""

    def ask(self, name: str, device: str) -> Future[Model]:
        """Return the model, or its opening, started if necessary. A failure is reported once and not cached."""
        workers = self._of_strangers if is_strangers(name) else self._workers
        return self._kept.begin((name, device), lambda: self._open(name, device), workers)

    def opened(self, name: str, device: str) -> Model | None:
        """Return the model if it is open."""
        return self._kept.peek((name, device))

    def said(self, name: str, device: str) -> str:
        """Return the current stage of the opening of a model, in a few words."""
        return self._said.get((name, device), f"Opening {name}")

    def _open(self, name: str, device: str) -> Model:
        key = name, device
        try:
            device, numbers = split_place(device)
            dtype = {} if numbers == FLOAT32 else {"dtype": numbers}
            model = self._load(name, device=device, progress=lambda message: self._said.update({key: message}), **dtype)
        finally:
            self._said.pop(key, None)
        # torch and transformers leave a million objects that never die; without this, every rerun looks at all of them.
        gc.collect()
        gc.freeze()
        return model


def weights_of(model: Model) -> int:
    """Return the bytes that a model takes on this machine, as far as its number of parameters says."""
    weights = BYTES_PER_PARAMETER.get(model.info.dtype, 2) * model.info.n_parameters
    if isinstance(model, GuestModel):
        return PROCESS + weights
    return 0 if isinstance(model, ModelElsewhere) else weights


def memory_used_by(model: Model) -> str:
    """Return the device whose memory its weights take, "cpu" for that of this machine."""
    return PROCESSOR if isinstance(model, ModelElsewhere) else model.info.device


def place_of(name: str, place: str) -> tuple[str, str]:
    """Under which name a model is opened, and where: a stranger's on the processor, beside the server. A place is a
    device, with the precision behind it where that is not float32: "cuda-bfloat16".

    "auto" stays what it is where there is an accelerator: only then a model may go back to the processor. Raises
    ModelNotAllowedError, ModelNotFoundError, DeviceError.
    """
    check_allowed(name)
    name, (device, dtype) = canonical(name), split_place(place)
    found, numbers = str(pick_device(device)), dtype_name(pick_dtype(dtype))
    if is_strangers(name):
        found = PROCESSOR
    elif device == AUTO and found != PROCESSOR:
        found = AUTO
    return name, joined_place(found, numbers)


def in_turn(model: Model, question: Callable[[Model], Answer]) -> Answer:
    """Return the answer of a model, as soon as a core is free for its forward pass.

    A model that computes elsewhere, a stranger's or one of a cluster, waits for no core here.
    """
    if isinstance(model, ModelElsewhere):
        return question(model)
    return take_turn(lambda: question(model), device=model.info.device)


def taking_turns(model: Model) -> Model:
    """Return the same model, every question to which waits for its turn."""
    return model if isinstance(model, ModelElsewhere) else _TakingTurns(model)


class _TakingTurns(ForwardingModel):
    def __init__(self, model: Model) -> None:
        self._model, self.info = model, model.info

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """Record a text in a batch with what others have asked of the model."""
        return ENGINE.record(self._model, text, text_b, client=client_of_session(), look=heed)

    def ask(self, question: str, *args: Any, **kwargs: Any) -> Any:
        """Return the answer to a question, once there is a core for it."""
        answer = getattr(self._model, question)
        return take_turn(lambda: answer(*args, **kwargs), device=self._model.info.device)


def take_turn(compute: Callable[[], Answer], *, device: str = PROCESSOR) -> Answer:
    """Compute on a free core, or on an accelerator, once one is available; waiting clients take turns."""
    return ENGINE.answer(compute, client=client_of_session(), look=heed, device=device)


def heed() -> None:
    """End the run of this thread, if it is one, whose reader has left or asked for something else meanwhile."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None:
        run.yield_check()


OPEN_MODELS = OpenModels()
"""The open models of this server."""
