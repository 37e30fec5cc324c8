"""The desk: where pages ask models. The cache of answers, the turn on the device, and the opening of models.

A model is opened in the background, once for all sessions of the server: a reader who waits sees what is going on, and
may leave. An answer is computed once for equal questions, as soon as its device is free.
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
"""The memory of the process of an uploaded model beside its weights, torch included."""
WORKERS = "HEADLIGHT_WORKERS"
"""The setting that says how many processes of this app share the machine (`python run.py serve`)."""
WHILE_ASKED = {
    "record": to_say("Recording the attention"),
    "walk": to_say("Following the numbers through the layer"),
    "record_shuffled": to_say("Reading the sentence in both orders"),
    "translate": to_say("Writing the translation"),
    "continue_text": to_say("Writing on"),
}
"""The text beside the spinner, by question."""
ASKING = to_say("Asking the model")
Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")
_ANSWERS: Kept[tuple[object, ...], Any] = Kept("answer")


def passes_at_once(cores: int, workers: str) -> int:
    """Return the number of concurrent forward passes: one per core, single-threaded, which keeps the wait of thirty
    readers shortest. An accelerator runs one at a time, whatever the number of cores."""
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


def recorded() -> Recording:
    """Return the recording that the selection asks for; its kind, layer and head are brought into the bounds of it."""
    chosen = selection()
    recording = ask(chosen.model, chosen.device, Model.record, *chosen.texts)
    fit(recording)
    return recording


# -- turns ------------------------------------------------------------------------------------------------------------


def take_turn(compute: Callable[[], Answer], *, device: str = PROCESSOR) -> Answer:
    """Compute on a free core, or on an accelerator, once one is available; waiting clients take turns."""
    with QUEUES.of(device).turn(client_of_session(), check_cancelled):
        torch.set_num_threads(1)
        return compute()


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

    def ask(self, question: str, *args: Any, **kwargs: Any) -> Any:
        """Return the answer to a question, once there is a core for it."""
        answer = getattr(self._model, question)
        return take_turn(lambda: answer(*args, **kwargs), device=self._model.info.device)

    def in_languages(self, *, source: str = "", target: str = "") -> Self:
        """Return the model in other languages, taking turns as before."""
        return type(self)(self._model.in_languages(source=source, target=target))


def check_cancelled() -> None:
    """End the run of this thread, if it is one, whose reader has left or asked for something else meanwhile."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None:
        run.yield_check()


# -- open models ------------------------------------------------------------------------------------------------------


class OpenModels:
    """The models of a cache, by canonical name and place, as `place_of` gives them. Safe for many threads."""

    def __init__(self, cache: Cache = CACHE, opened_by: Callable[..., Model] = open_by_setting) -> None:
        self._kept: Kept[tuple[str, str], Model] = Kept("model", weights_of, cache, memory=memory_used_by)
        self._load = opened_by
        self._stages: dict[tuple[str, str], str] = {}
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
        # torch and transformers leave a million objects that never die; without this, every rerun looks at all of them.
        gc.collect()
        gc.freeze()
        return model


def open_model(name: str, device: str) -> Model:
    """Return the model of that name on that device; says what goes on while it is opened. Raises ModelError,
    DeviceError."""
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
    """Return the bytes that a model takes on this machine, as far as its number of parameters says."""
    weights = BYTES_PER_PARAMETER.get(model.info.dtype, 2) * model.info.n_parameters
    if isinstance(model, GuestModel):
        return PROCESS + weights
    return 0 if isinstance(model, ModelElsewhere) else weights


def memory_used_by(model: Model) -> str:
    """Return the device whose memory its weights take, "cpu" for that of this machine."""
    return PROCESSOR if isinstance(model, ModelElsewhere) else model.info.device


def place_of(name: str, place: str) -> tuple[str, str]:
    """Return under which name a model is opened, and where: a stranger's on the processor, beside the server.

    A place is a device, with the precision behind it where that is not float32: "cuda-bfloat16". "auto" stays what it
    is where there is an accelerator: only then a model may go back to the processor. Raises ModelNotAllowedError,
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
