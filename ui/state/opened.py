"""The models that are open on this server, shared by all sessions: opened in the background, kept with all else.

A reader who waits sees what is going on, and may leave: the opening goes on for whoever asks next.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar, cast

from streamlit.runtime.scriptrunner import get_script_run_ctx

from models.checkpoints.devices import pick_device
from models.engine.local import LocalEngine
from models.engine.setting import open_model
from models.opening.elsewhere import ModelElsewhere
from models.opening.guest import GuestModel
from models.opening.registry import Model, canonical, check_allowed, is_strangers
from models.tasks.capabilities import QUESTIONS
from models.values.record import ModelInfo, Recording
from ui.state.cache import CACHE, MEGABYTE, Cache, Kept
from ui.state.clients import client_of_session

BYTES_PER_PARAMETER = 4
PROCESS = 700 * MEGABYTE
"""What the process of a stranger's model takes beside its weights, torch included."""
WORKERS = "HEADLIGHT_WORKERS"
"""The setting that says how many processes of this app share the machine (`python run.py serve`)."""


def passes_at_once(cores: int, workers: str) -> int:
    """As many forward passes at once as a process has cores, of one thread each: thirty readers wait least that way."""
    return max(1, cores // int(workers)) if workers.isdecimal() and int(workers) else cores


ENGINE = LocalEngine(passes_at_once(os.cpu_count() or 1, os.environ.get(WORKERS, "")))
"""That of this server."""
Answer = TypeVar("Answer")


class OpenModels:
    """The models of a cache, by canonical name and device. Safe for many threads."""

    def __init__(self, cache: Cache = CACHE, opened_by: Callable[..., Model] = open_model) -> None:
        self._kept: Kept[tuple[str, str], Model] = Kept("model", weights_of, cache)
        self._load = opened_by
        self._said: dict[tuple[str, str], str] = {}
        self._workers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="open-model")
        self._of_strangers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="open-uploaded-model")
        """For the models that may take long on purpose: the others never wait for them."""

    def ask(self, name: str, device: str) -> Future[Model]:
        """The model, or its opening, which is begun if nobody has. A failure is told once, and then forgotten."""
        workers = self._of_strangers if is_strangers(name) else self._workers
        return self._kept.begin((name, device), lambda: self._open(name, device), workers)

    def opened(self, name: str, device: str) -> Model | None:
        """The model if it is open."""
        return self._kept.peek((name, device))

    def said(self, name: str, device: str) -> str:
        """What the opening of a model is at, in a few words."""
        return self._said.get((name, device), f"Opening {name}")

    def _open(self, name: str, device: str) -> Model:
        key = name, device
        try:
            model = self._load(name, device=device, progress=lambda message: self._said.update({key: message}))
        finally:
            self._said.pop(key, None)
        # torch and transformers leave a million objects that never die; without this, every rerun looks at all of them.
        gc.collect()
        gc.freeze()
        return model


def weights_of(model: Model) -> int:
    """The bytes that a model takes on this machine, as far as its number of parameters says."""
    weights = BYTES_PER_PARAMETER * model.info.n_parameters
    if isinstance(model, GuestModel):
        return PROCESS + weights
    return 0 if isinstance(model, ModelElsewhere) else weights


def place_of(name: str, device: str) -> tuple[str, str]:
    """Under which name a model is opened, and where: a stranger's on the processor, beside the server.

    Raises ModelNotAllowedError, ModelNotFoundError, DeviceError.
    """
    check_allowed(name)
    name = canonical(name)
    return name, "cpu" if is_strangers(name) else str(pick_device(device))


def in_turn(model: Model, question: Callable[[Model], Answer]) -> Answer:
    """What a model says, as soon as there is a core for its forward pass.

    A model that computes elsewhere, a stranger's or one of a cluster, waits for no core here.
    """
    return question(model) if isinstance(model, ModelElsewhere) else take_turn(lambda: question(model))


def taking_turns(model: Model) -> Model:
    """The same model, every question to which waits for its turn, and lets others have theirs in between."""
    return model if isinstance(model, ModelElsewhere) else cast("Model", _TakingTurns(model))


class _TakingTurns:
    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """In a batch with what others have asked of the model."""
        return ENGINE.record(self._model, text, text_b, client=client_of_session(), look=heed)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        question = QUESTIONS[name](self._model)
        return lambda *words, **choices: take_turn(lambda: question(*words, **choices))


def take_turn(compute: Callable[[], Answer]) -> Answer:
    """What is computed on a core of its own, once one is free; the clients that wait take turns."""
    return ENGINE.answer(compute, client=client_of_session(), look=heed)


def heed() -> None:
    """End the run of this thread, if it is one, whose reader has left or asked for something else meanwhile."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None:
        run.yield_check()


OPEN_MODELS = OpenModels()
"""Those of this server."""
