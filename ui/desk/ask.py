"""The desk, where pages ask models: the cache of answers, the turns on the devices, and the opening of models.

A model is opened in the background, once for all sessions of the server, with its progress shown. Equal questions are
computed once, as soon as the device is free.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import streamlit as st
import torch
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
from models.engine.setting import open_model as open_by_setting
from models.opening.forwarding import ForwardingModel, ModelElsewhere
from models.opening.guest import GuestModel
from models.opening.registry import Model, canonical, check_allowed
from models.opening.sources import is_strangers
from models.values.record import Recording
from models.values.wording import to_say
from ui.desk.cache import CACHE, MEGABYTE, Cache, Kept
from ui.desk.clients import client_of_session
from ui.desk.languages import in_chosen_languages
from ui.desk.queue import DeviceQueues
from ui.state.plain import plain
from ui.state.selection import fit, selection
from viz.kit.language import said, tr

BYTES_PER_PARAMETER = {"float32": 4}
"""In half precision it is 2."""
PROCESS = 700 * MEGABYTE
"""Bytes that the process of an uploaded model takes beside the weights, torch included."""
WORKERS = "HEADLIGHT_WORKERS"
"""The environment variable with the number of app processes on this machine (`python run.py serve`)."""
WHILE_ASKED = {
    "record": to_say("Recording the attention"),
    "walk": to_say("Following the numbers through the layer"),
    "record_shuffled": to_say("Reading the sentence in both orders"),
    "translate": to_say("Writing the translation"),
    "continue_text": to_say("Writing on"),
    "score_parts": to_say("Taking the score apart"),
    "time_writing": to_say("Writing with a cache and without"),
}
"""The text beside the spinner, by question."""
ASKING = to_say("Asking the model")
Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")
_ANSWERS: Kept[tuple[object, ...], Any] = Kept("answer")


def passes_at_once(cores: int, workers: str) -> int:
    """Return the number of concurrent forward passes: one per core, single-threaded, which keeps the wait of thirty
    readers shortest. An accelerator runs one at a time."""
    return max(1, cores // int(workers)) if workers.isdecimal() and int(workers) else cores


QUEUES = DeviceQueues(passes_at_once(os.cpu_count() or 1, os.environ.get(WORKERS, "")))
"""The queues of this server."""


# -- questions --------------------------------------------------------------------------------------------------------


def ask(
    name: str,
    device: str,
    question: Callable[Concatenate[Model, Asked], Answer],
    /,
    *args: Asked.args,
    **options: Asked.kwargs,
) -> Answer:
    """Answer a question to a model, from the cache or computed in this session's turn.

    `question` is one of `Model`, such as `Model.record`, or a function of a model. Shows a spinner with what is being
    done. Raises what the model raises, ModelError, and DeviceError.
    """
    model = open_model(name, device)
    key = model.info.identity, question.__module__, question.__qualname__, args, frozenset(options.items())
    with st.spinner(said(WHILE_ASKED.get(question.__name__, ASKING)), show_time=True):
        answer: Answer = _ANSWERS.get(key, lambda: answer_of(taking_turns(model), question, *args, **options))
    return answer


def ask_quietly(
    name: str, question: Callable[Concatenate[Model, Asked], Answer], /, *args: Asked.args, **options: Asked.kwargs
) -> Answer:
    """Answer a question to a small model on the processor, as `ask` does, and show nothing meanwhile."""
    model = OPEN_MODELS.ask(*place_of(name, PROCESSOR)).result()
    key = model.info.identity, question.__module__, question.__qualname__, args, frozenset(options.items())
    answer: Answer = _ANSWERS.get(key, lambda: answer_of(taking_turns(model), question, *args, **options))
    return answer


def begin_opening(name: str) -> None:
    """Open a small model on the processor while other work goes on."""
    OPEN_MODELS.ask(*place_of(name, PROCESSOR))


def answer_of(
    model: Model,
    question: Callable[Concatenate[Model, Asked], Answer],
    /,
    *args: Asked.args,
    **options: Asked.kwargs,
) -> Answer:
    """Return the answer of a model to a question that `Model` declares, or to a function of a model."""
    if getattr(Model, question.__name__, None) is question:
        answer: Answer = getattr(model, question.__name__)(*args, **options)
        return answer
    return question(model, *args, **options)


def record_selection(texts: tuple[str, str | None] | None = None) -> Recording:
    """Record the chosen texts, or others, with the chosen model, and bring the chosen kind, layer and head into its
    bounds."""
    chosen = selection()
    recording = ask(chosen.model, chosen.device, Model.record, *(texts or chosen.texts))
    fit(recording)
    return recording


# -- turns ------------------------------------------------------------------------------------------------------------


def take_turn(compute: Callable[[], Answer], *, device: str = PROCESSOR) -> Answer:
    """Compute on a free core, or on an accelerator, once one is available; waiting clients take turns."""
    with QUEUES.of(device).turn(client_of_session(), check_cancelled):
        torch.set_num_threads(1)
        return compute()


def in_turn(model: Model, question: Callable[[Model], Answer]) -> Answer:
    """Ask a model once a core is free for its forward pass.

    A model that computes elsewhere, in a guest process or on a cluster, waits for no core here.
    """
    if isinstance(model, ModelElsewhere):
        return question(model)
    return take_turn(lambda: question(model), device=model.info.device)


def taking_turns(model: Model) -> Model:
    """Wrap a model so that every question to it waits for its turn."""
    return model if isinstance(model, ModelElsewhere) else _TakingTurns(model)


class _TakingTurns(ForwardingModel):
    def __init__(self, model: Model) -> None:
        self._model, self.info = model, model.info

    def ask(self, question: str, *args: Any, **kwargs: Any) -> Any:
        answer = getattr(self._model, question)
        return take_turn(lambda: answer(*args, **kwargs), device=self._model.info.device)

    def in_languages(self, *, source: str = "", target: str = "") -> Self:
        return type(self)(self._model.in_languages(source=source, target=target))


def check_cancelled() -> None:
    """Stop the script run of this thread if its reader has left or asked for something else."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None:
        run.yield_check()


# -- open models ------------------------------------------------------------------------------------------------------


class OpenModels:
    """The open models, cached by canonical name and place (see `place_of`). Safe for many threads."""

    def __init__(self, cache: Cache = CACHE, opened_by: Callable[..., Model] = open_by_setting) -> None:
        self._kept: Kept[tuple[str, str], Model] = Kept("model", weights_of, cache, memory=memory_used_by)
        self._load = opened_by
        self._stages: dict[tuple[str, str], str] = {}
        self._workers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="open-model")
        self._of_strangers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="open-uploaded-model")
        """A separate pool for uploaded models, which may be slow on purpose: the others never wait for them."""

    def ask(self, name: str, device: str) -> Future[Model]:
        """Return the model, or its opening, started if necessary. A failure is reported once and not cached."""
        workers = self._of_strangers if is_strangers(name) else self._workers
        return self._kept.begin((name, device), lambda: self._open(name, device), workers)

    def peek(self, name: str, device: str) -> Model | None:
        """Return the model if it is open."""
        return self._kept.peek((name, device))

    def stage(self, name: str, device: str) -> str:
        """Return the current stage of the opening of a model, in a few words."""
        return self._stages.get((name, device), f"Opening {name}")

    def _open(self, name: str, device: str) -> Model:
        key = name, device
        try:
            device, numbers = split_place(device)
            dtype = {} if numbers == FLOAT32 else {"dtype": numbers}
            model = self._load(
                name, device=device, progress=lambda message: self._stages.update({key: message}), **dtype
            )
        finally:
            self._stages.pop(key, None)
        # torch and transformers leave a million long-lived objects, which every rerun would otherwise look at.
        gc.collect()
        gc.freeze()
        return model


def open_model(name: str, device: str) -> Model:
    """Return an open model, with its progress shown while it is opened. Raises ModelError, DeviceError."""
    where = place_of(name, device)
    opening = OPEN_MODELS.ask(*where)
    place = st.empty()  # always: else all that follows would move up by one in the next run, and lose the focus
    if not opening.done():
        begun = time.monotonic()
        while not wait([opening], timeout=0.25).done:
            stage = plain(OPEN_MODELS.stage(*where))
            seconds = f"{time.monotonic() - begun:.0f}"
            place.status(tr("{work} ({n} s)", work=stage, n=seconds), state="running")
        place.empty()
    return in_chosen_languages(opening.result(), name)


def weights_of(model: Model) -> int:
    """Return the bytes that a model takes on this machine, estimated from its number of parameters."""
    weights = BYTES_PER_PARAMETER.get(model.info.dtype, 2) * model.info.n_parameters
    if isinstance(model, GuestModel):
        return PROCESS + weights
    return 0 if isinstance(model, ModelElsewhere) else weights


def memory_used_by(model: Model) -> str:
    """Return the device whose memory holds the weights; "cpu" is this machine's."""
    return PROCESSOR if isinstance(model, ModelElsewhere) else model.info.device


def place_of(name: str, place: str) -> tuple[str, str]:
    """Return the canonical name of a model and the place where it is opened; an uploaded model runs on the processor.

    A place is a device, followed by the precision if it is not float32: "cuda-bfloat16". "auto" is kept where there is
    an accelerator, because only then a model may fall back to the processor. Raises ModelNotAllowedError,
    ModelNotFoundError, DeviceError.
    """
    check_allowed(name)
    name, (device, dtype) = canonical(name), split_place(place)
    picked, numbers = str(pick_device(device)), dtype_name(pick_dtype(dtype))
    if is_strangers(name):
        picked = PROCESSOR
    elif device == AUTO and picked != PROCESSOR:
        picked = AUTO
    return name, joined_place(picked, numbers)


OPEN_MODELS = OpenModels()
"""The open models of this server."""
