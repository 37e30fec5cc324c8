"""Models and recordings, kept for all sessions of this server, in bounded numbers.

One torch thread a forward pass, and as many passes at once as there are cores: thirty readers wait least that way.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import wait
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
import streamlit as st
import torch

from models.checkpoints.devices import pick_device
from models.opening.guest import GuestModel
from models.opening.registry import Model, canonical, check_allowed
from models.training.evaluation.over_time import read_snapshot, snapshots_of, written_at
from models.training.lab.uploads.checkpoints import is_uploaded
from models.values.answers import (
    AskedWord,
    JointFilling,
    LayerwisePrediction,
    MaskedText,
    ReplacedTokens,
    TextLabels,
    TokenLabels,
)
from models.values.errors import ModelLoadError
from models.values.history import History, SnapshotReading, Trajectory, history_of
from models.values.positions import ModelPositions, ShuffledPair
from models.values.record import Array, Kind, Recording
from models.values.steps import LayerWalk, WhatIf
from models.values.writing import TokenGuesses, Writing
from ui.state.shelf import Shelf
from ui.widgets.plain import plain
from viz.attention.blocks import block_shares
from viz.positions.shuffled import differences

MODELS = 4
RECORDINGS = 24
"""How many are kept: a recording of 512 tokens of a BERT-base takes about 80 MB, one of a sentence 2 MB."""
LONG_TEXT, LONG_RECORDINGS = 4000, 2
"""Of texts with more characters fewer are kept: 4,096 tokens of a BERT-base take about 600 MB."""
ANSWERS = 48
"""How many answers are kept: one takes 0.1 MB for every mask and layer with BERT's vocabulary."""
READINGS, LONG_READINGS = 160, 24
"""Snapshots of runs that have read a sentence: the models of a run are small, and there are ten of them or more."""
LONG_FOR_MANY = 600
"""Characters from which on a sentence that many snapshots read is a long one."""
PATIENCE = 0.5
"""Seconds after which a reader is told how far it is."""
RUNS, RUN_IS_FRESH = 32, 5.0
"""A run may be going on: so many seconds later its folder is looked at again."""
_PASSES = threading.BoundedSemaphore(os.cpu_count() or 1)
Result = TypeVar("Result")


def open_model(name: str, device: str) -> Model:
    """The model of that name on that device; says what goes on while it is opened. Raises ModelError, DeviceError."""
    check_allowed(name)
    name, device = canonical(name), _place(canonical(name), device)
    opening = _shelf().ask(name, device)
    place = st.empty()  # always: else all that follows would move up by one in the next run, and lose the focus
    if not opening.done():
        begun = time.monotonic()
        while not wait([opening], timeout=0.25).done:
            seconds = time.monotonic() - begun
            place.status(f"{plain(_shelf().said(name, device))} ({seconds:.0f} s)", state="running")
        place.empty()
    return opening.result()


def record(name: str, device: str, text: str, text_b: str) -> Recording:
    """The recording of a text, or of a pair. Raises what `open_model` raises, and TextError."""
    model = open_model(name, device)
    with st.spinner("Recording the attention", show_time=True):
        return _recording(model.info.name, model.info.device, text, text_b)


def walk(
    name: str, device: str, text: str, text_b: str, *, kind: Kind, layer: int, head: int, what_if: WhatIf | None = None
) -> LayerWalk:
    """Every step of a layer for one head. Raises what `open_model` raises, TextError, SelectionError."""
    model = open_model(name, device)
    with st.spinner("Following the numbers through the layer", show_time=True):
        steps: LayerWalk = _walk(
            model.info.name, model.info.device, text, text_b, kind=kind, layer=layer, head=head, what_if=what_if
        )
    return steps


def shuffled(name: str, device: str, text: str, text_b: str, *, with_positions: bool, seed: int) -> ShuffledPair:
    """A text as it is written and shuffled. Raises what `open_model` raises, TextError, UnsupportedModelError."""
    model = open_model(name, device)
    with st.spinner("Reading the sentence in both orders", show_time=True):
        pair: ShuffledPair = _shuffled(
            model.info.name, model.info.device, text, text_b, with_positions=with_positions, seed=seed
        )
    return pair


def shuffle_differences(name: str, device: str, text: str, text_b: str, *, with_positions: bool, seed: int) -> Array:
    """The largest difference of weights between the two of `shuffled`, for every head [n_layers, n_heads]."""
    model = open_model(name, device)
    found: Array = _shuffle_differences(
        model.info.name, model.info.device, text, text_b, with_positions=with_positions, seed=seed
    )
    return found


def positions(name: str, device: str) -> ModelPositions:
    """How a model tells positions apart. Raises what `open_model` raises."""
    model = open_model(name, device)
    found: ModelPositions = _positions(model.info.name, model.info.device)
    return found


def shares_of_blocks(recording: Recording, kind: Kind, text: str, text_b: str) -> pd.DataFrame:
    """How much of their attention the sentences of a pair give each other, for all heads: computed once a text."""
    shares: pd.DataFrame = _block_shares(recording.info.name, recording.info.device, text, text_b, kind)
    return shares


def masked_words(name: str, device: str, text: str, text_b: str = "") -> MaskedText:
    """What the model says about the masks of a text. Raises what `open_model` raises, TextError, MissingHeadError."""
    answer: MaskedText = _ask(name, device, "masked_words", text, text_b or None)
    return answer


def predict_by_layer(name: str, device: str, text: str, mask: int, text_b: str) -> LayerwisePrediction:
    """How the guess for one mask forms from layer to layer. Raises what `masked_words` raises."""
    answer: LayerwisePrediction = _ask(name, device, "predict_by_layer", text, mask, text_b or None)
    return answer


def fill_jointly(name: str, device: str, text: str, text_b: str) -> JointFilling:
    """All masks filled one after the other. Raises what `masked_words` raises."""
    answer: JointFilling = _ask(name, device, "fill_jointly", text, text_b or None)
    return answer


def ask_word(name: str, device: str, word: str) -> AskedWord:
    """How the model's vocabulary spells a word. Raises TextError for an empty one."""
    answer: AskedWord = _ask(name, device, "ask_word", word)
    return answer


def next_sentence(name: str, device: str, text: str, text_b: str) -> float:
    """The probability that B follows A. Raises TextError, MissingHeadError."""
    answer: float = _ask(name, device, "next_sentence", text, text_b)
    return answer


def find_replaced(name: str, device: str, text: str, text_b: str) -> ReplacedTokens:
    """Which tokens somebody replaced, for a model that tells. Raises TextError, MissingHeadError."""
    answer: ReplacedTokens = _ask(name, device, "find_replaced", text, text_b or None)
    return answer


def label_tokens(name: str, device: str, text: str, text_b: str) -> TokenLabels:
    """The labels of the tokens, for a model that labels them. Raises TextError, MissingHeadError."""
    answer: TokenLabels = _ask(name, device, "label_tokens", text, text_b or None)
    return answer


def label_text(name: str, device: str, text: str, text_b: str) -> TextLabels:
    """The labels of the text, for a model that labels texts. Raises TextError, MissingHeadError."""
    answer: TextLabels = _ask(name, device, "label_text", text, text_b or None)
    return answer


def snapshots(folder: str, name: str) -> Trajectory:
    """The snapshots of a run in a folder, as they are now. Raises ModelLoadError if there are none yet."""
    trajectory: Trajectory = _snapshots(folder, name)
    return trajectory


def history(trajectory: Trajectory, text: str) -> History:
    """What every snapshot of a run makes of a text; says how far it is. Raises TextError, ModelLoadError.

    A snapshot that cannot be opened is left out, and the note says so. The decoders of translators read what the last
    snapshot has written.
    """
    begun, place = time.monotonic(), st.empty()
    readings: list[SnapshotReading | None] = []
    failed: ModelLoadError | None = None
    target = ""
    for done, snapshot in enumerate(reversed(trajectory.snapshots)):
        if time.monotonic() - begun > PATIENCE:
            place.progress(
                done / len(trajectory.snapshots), f"The snapshot of iteration {snapshot.iteration:,} reads the sentence"
            )
        try:
            reading = _reading_of_text(snapshot.folder, text, target)
            target = target or reading.written
            readings.append(reading)
        except ModelLoadError as error:
            readings.append(None)
            failed = error
    place.empty()
    if failed is not None and not any(readings):
        raise failed
    return history_of(trajectory, readings[::-1])


def translate(name: str, device: str, text: str, *, width: int = 1, length_penalty: float = 0.6) -> Writing:
    """What a model writes for a source, step by step. Raises what `open_model` raises, TextError, MissingHeadError."""
    model = open_model(name, device)
    with st.spinner("Writing the translation", show_time=True):
        written: Writing = _written(
            model.info.name, model.info.device, "translate", text, width=width, length_penalty=length_penalty
        )
    return written


def continue_text(
    name: str, device: str, text: str, *, n_new: int, temperature: float, top_k: int, seed: int
) -> Writing:
    """What a model writes after a text. Raises what `open_model` raises, TextError, MissingHeadError."""
    model = open_model(name, device)
    with st.spinner("Writing on", show_time=True):
        written: Writing = _written(
            model.info.name, model.info.device, "continue_text", text,
            n_new=n_new, temperature=temperature, top_k=top_k, seed=seed,
        )  # fmt: skip
    return written


def guess_tokens(name: str, device: str, text: str) -> TokenGuesses:
    """What a model expects at every token. Raises what `open_model` raises, TextError, MissingHeadError."""
    guesses: TokenGuesses = _ask(name, device, "guess_tokens", text)
    return guesses


def _ask(name: str, device: str, question: str, *words: object) -> Any:
    model = open_model(name, device)
    with st.spinner("Asking the model", show_time=True):
        return _answer(model.info.name, model.info.device, question, *words)


@st.cache_resource(max_entries=ANSWERS, show_spinner=False)
def _answer(name: str, device: str, question: str, *words: object) -> Any:
    return _passed(name, device, lambda model: getattr(model, question)(*words))


def _written(name: str, device: str, question: str, text: str, **choices: float) -> Writing:
    keep = _long_writing if _is_long(text, "") else _short_writing
    written: Writing = keep(name, device, question, text, **choices)
    return written


@st.cache_resource(max_entries=RECORDINGS, show_spinner=False)
def _short_writing(name: str, device: str, question: str, text: str, **choices: float) -> Writing:
    return _asked_to_write(name, device, question, text, choices)


@st.cache_resource(max_entries=LONG_RECORDINGS, show_spinner=False)
def _long_writing(name: str, device: str, question: str, text: str, **choices: float) -> Writing:
    return _asked_to_write(name, device, question, text, choices)


def _asked_to_write(name: str, device: str, question: str, text: str, choices: dict[str, float]) -> Writing:
    written: Writing = _passed(name, device, lambda model: getattr(model, question)(text, **choices))
    return written


@st.cache_resource(show_spinner=False)
def _shelf() -> Shelf:
    return Shelf(MODELS)


def _place(name: str, device: str) -> str:
    """Where a model runs: a stranger's on the processor, beside the server."""
    return "cpu" if is_uploaded(name) else str(pick_device(device))


def _passed(name: str, device: str, question: Callable[[Model], Result]) -> Result:
    """What a model that is open says, as soon as there is a core for its forward pass.

    A stranger's model has a process of its own, and nobody waits for it here.
    """
    model = _shelf().ask(name, device).result()
    if isinstance(model, GuestModel):
        return question(model)
    with _PASSES:
        torch.set_num_threads(1)
        return question(model)


def _recording(name: str, device: str, text: str, text_b: str) -> Recording:
    keep = _long_recording if _is_long(text, text_b) else _short_recording
    recording: Recording = keep(name, device, text, text_b)
    return recording


@st.cache_resource(max_entries=RECORDINGS, show_spinner=False)
def _short_recording(name: str, device: str, text: str, text_b: str) -> Recording:
    return _passed(name, device, lambda model: model.record(text, text_b or None))


@st.cache_resource(max_entries=LONG_RECORDINGS, show_spinner=False)
def _long_recording(name: str, device: str, text: str, text_b: str) -> Recording:
    return _passed(name, device, lambda model: model.record(text, text_b or None))


def _is_long(text: str, text_b: str) -> bool:
    return len(text) + len(text_b) > LONG_TEXT


@st.cache_resource(max_entries=RUNS, ttl=RUN_IS_FRESH, show_spinner=False)
def _snapshots(folder: str, name: str) -> Trajectory:
    return snapshots_of(Path(folder), name=name)


def _reading_of_text(folder: str, text: str, target: str) -> SnapshotReading:
    keep = _long_reading if len(text) > LONG_FOR_MANY else _short_reading
    reading: SnapshotReading = keep(folder, written_at(Path(folder)), text, target)
    return reading


@st.cache_resource(max_entries=READINGS, show_spinner=False)
def _short_reading(folder: str, written: int, text: str, target: str) -> SnapshotReading:
    return _read_by_snapshot(folder, written, text, target)


@st.cache_resource(max_entries=LONG_READINGS, show_spinner=False)
def _long_reading(folder: str, written: int, text: str, target: str) -> SnapshotReading:
    return _read_by_snapshot(folder, written, text, target)


def _read_by_snapshot(folder: str, written: int, text: str, target: str) -> SnapshotReading:
    """What a snapshot makes of a text; `written` tells one from another that took its place on the disk."""
    del written
    with _PASSES:
        torch.set_num_threads(1)
        return read_snapshot(Path(folder), text, target)


def _walk(name: str, device: str, text: str, text_b: str, **choices: Any) -> LayerWalk:
    keep = _long_walk if _is_long(text, text_b) else _short_walk
    steps: LayerWalk = keep(name, device, text, text_b, **choices)
    return steps


@st.cache_resource(max_entries=RECORDINGS, show_spinner=False)
def _short_walk(
    name: str, device: str, text: str, text_b: str, *, kind: Kind, layer: int, head: int, what_if: WhatIf | None
) -> LayerWalk:
    return _passed(
        name, device,
        lambda model: model.walk(text, text_b or None, kind=kind, layer=layer, head=head, what_if=what_if),
    )  # fmt: skip


@st.cache_resource(max_entries=LONG_RECORDINGS, show_spinner=False)
def _long_walk(name: str, device: str, text: str, text_b: str, **choices: Any) -> LayerWalk:
    return _passed(name, device, lambda model: model.walk(text, text_b or None, **choices))


@st.cache_resource(max_entries=RECORDINGS, show_spinner=False)
def _shuffled(name: str, device: str, text: str, text_b: str, *, with_positions: bool, seed: int) -> ShuffledPair:
    return _passed(
        name, device,
        lambda model: model.record_shuffled(text, text_b or None, with_positions=with_positions, seed=seed),
    )  # fmt: skip


@st.cache_resource(max_entries=MODELS, show_spinner=False)
def _positions(name: str, device: str) -> ModelPositions:
    return _shelf().ask(name, device).result().positions()


@st.cache_resource(max_entries=2 * RECORDINGS, show_spinner=False)
def _shuffle_differences(name: str, device: str, text: str, text_b: str, *, with_positions: bool, seed: int) -> Array:
    return differences(_shuffled(name, device, text, text_b, with_positions=with_positions, seed=seed))


@st.cache_data(max_entries=2 * RECORDINGS, show_spinner=False)
def _block_shares(name: str, device: str, text: str, text_b: str, kind: Kind) -> pd.DataFrame:
    return block_shares(_recording(name, device, text, text_b).of(kind))
