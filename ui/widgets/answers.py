"""Requests of the pages to models: computed once for all sessions, with an indicator while a reader waits.

Each is asked with the name of a model and a device, and raises what `open_model` raises, TextError for a text that is
empty or that the model cannot read, MissingCapabilityError where the model cannot do what is asked, and SelectionError.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import wait
from functools import update_wrapper
from typing import Concatenate, ParamSpec

import pandas as pd
import streamlit as st

from models.opening.registry import Model
from models.values.answers import (
    AskedWord,
    JointFilling,
    LayerwisePrediction,
    MaskedText,
    ReplacedTokens,
    TextLabels,
    TokenLabels,
)
from models.values.positions import ModelPositions, ShuffledPair
from models.values.probing.contrast import AnswerLogits, AnswerOf
from models.values.record import Array, Kind, Recording
from models.values.steps import LayerWalk, WhatIf
from models.values.writing import TokenGuesses, Writing
from ui.state.cache import Kept
from ui.state.opened import OPEN_MODELS, Answer, place_of, taking_turns
from ui.state.selection import fit
from ui.widgets.languages import told
from ui.widgets.plain import plain
from viz.attention.sentence_pairs import block_shares
from viz.kit.language import said, to_say, tr
from viz.positions.shuffled import differences

Asked = ParamSpec("Asked")
_SHARES: Kept[tuple[tuple[str, ...], str, str, Kind], pd.DataFrame] = Kept("block shares")
_DIFFERENCES: Kept[tuple[str, str, str, str, bool, int], Array] = Kept("shuffle differences")


def open_model(name: str, device: str) -> Model:
    """Return the model of that name on that device; says what goes on while it is opened. Raises ModelError,
    DeviceError."""
    where = place_of(name, device)
    opening = OPEN_MODELS.ask(*where)
    place = st.empty()  # always: else all that follows would move up by one in the next run, and lose the focus
    if not opening.done():
        begun = time.monotonic()
        while not wait([opening], timeout=0.25).done:
            begins = plain(OPEN_MODELS.said(*where))
            seconds = f"{time.monotonic() - begun:.0f}"
            place.status(tr("{work} ({n} s)", work=begins, n=seconds), state="running")
        place.empty()
    return told(opening.result(), name)


OfModel = Callable[Concatenate[Model, Asked], Answer]
OfName = Callable[Concatenate[str, str, Asked], Answer]


def asked(says: str) -> Callable[[OfModel[Asked, Answer]], OfName[Asked, Answer]]:
    """Make a question to a model one that pages ask by its name and device; the answer is kept for equal questions.

    `says`, a sentence of `to_say`, is what a reader sees who waits for the answer.
    """

    def of_name(
        question: Callable[Concatenate[Model, Asked], Answer],
    ) -> Callable[Concatenate[str, str, Asked], Answer]:
        answers: Kept[tuple[object, ...], Answer] = Kept(question.__name__)

        def ask(name: str, device: str, /, *args: Asked.args, **choices: Asked.kwargs) -> Answer:
            model = open_model(name, device)
            key = model.info.identity, args, frozenset(choices.items())
            with st.spinner(said(says), show_time=True):
                return answers.get(key, lambda: question(taking_turns(model), *args, **choices))

        update_wrapper(ask, question)
        return ask

    return of_name


@asked(to_say("Recording the attention"))
def record(model: Model, text: str, text_b: str) -> Recording:
    """Return the recording of a text, or of a pair."""
    return model.record(text, text_b or None)


def recorded() -> Recording:
    """Return the recording that the selection asks for; its kind, layer and head are brought into the bounds of it."""
    state = st.session_state
    recording = record(state["model"], state["device"], state["text"], state["text_b"])
    fit(recording)
    return recording


@asked(to_say("Following the numbers through the layer"))
def walk(
    model: Model, text: str, text_b: str, *, kind: Kind, layer: int, head: int, what_if: WhatIf | None = None
) -> LayerWalk:
    """Return every step of a layer for one head."""
    return model.walk(text, text_b or None, kind=kind, layer=layer, head=head, what_if=what_if)


@asked(to_say("Reading the sentence in both orders"))
def shuffled(model: Model, text: str, text_b: str, *, with_positions: bool, seed: int) -> ShuffledPair:
    """Return a text as it is written and shuffled. Raises UnsupportedModelError, too."""
    return model.record_shuffled(text, text_b or None, with_positions=with_positions, seed=seed)


def shuffle_differences(name: str, device: str, text: str, text_b: str, *, with_positions: bool, seed: int) -> Array:
    """Return the largest difference of weights between the two of `shuffled`, for every head [n_layers, n_heads]."""
    key = name, device, text, text_b, with_positions, seed
    pair = shuffled(name, device, text, text_b, with_positions=with_positions, seed=seed)
    return _DIFFERENCES.get(key, lambda: differences(pair))


@asked(to_say("Asking the model"))
def positions(model: Model) -> ModelPositions:
    """Return the position encoding of a model."""
    return model.positions()


def shares_of_blocks(recording: Recording, kind: Kind, text: str, text_b: str) -> pd.DataFrame:
    """Return the attention between the sentences of a pair, for all heads: computed once a text."""
    key = recording.info.identity, text, text_b, kind
    return _SHARES.get(key, lambda: block_shares(recording.of(kind))).copy()


@asked(to_say("Asking the model"))
def masked_words(model: Model, text: str, text_b: str = "") -> MaskedText:
    """Return the predictions of the model for the masks of a text."""
    return model.masked_words(text, text_b or None)


@asked(to_say("Asking the model"))
def predict_by_layer(model: Model, text: str, mask: int, text_b: str) -> LayerwisePrediction:
    """Return the prediction for one mask, layer by layer."""
    return model.predict_by_layer(text, mask, text_b or None)


@asked(to_say("Asking the model"))
def fill_jointly(model: Model, text: str, text_b: str) -> JointFilling:
    """Return all masks filled one after the other."""
    return model.fill_jointly(text, text_b or None)


@asked(to_say("Asking the model"))
def ask_word(model: Model, word: str) -> AskedWord:
    """Return the tokens of a word in the model's vocabulary."""
    return model.ask_word(word)


@asked(to_say("Asking the model"))
def next_sentence(model: Model, text: str, text_b: str) -> float:
    """Return the probability that B follows A."""
    return model.next_sentence(text, text_b)


@asked(to_say("Asking the model"))
def find_replaced(model: Model, text: str, text_b: str) -> ReplacedTokens:
    """Find the replaced tokens, with a model trained to detect them."""
    return model.find_replaced(text, text_b or None)


@asked(to_say("Asking the model"))
def label_tokens(model: Model, text: str, text_b: str) -> TokenLabels:
    """Return the labels of the tokens, for a model that labels them."""
    return model.label_tokens(text, text_b or None)


@asked(to_say("Asking the model"))
def label_text(model: Model, text: str, text_b: str) -> TextLabels:
    """Return the labels of the text, for a model that labels texts."""
    return model.label_text(text, text_b or None)


@asked(to_say("Writing the translation"))
def translate(model: Model, text: str, *, width: int = 1, length_penalty: float = 0.6) -> Writing:
    """Translate a source, token by token."""
    return model.translate(text, width=width, length_penalty=length_penalty)


@asked(to_say("Writing on"))
def continue_text(model: Model, text: str, *, n_new: int, temperature: float, top_k: int, seed: int) -> Writing:
    """Continue a text by sampling."""
    return model.continue_text(text, n_new=n_new, temperature=temperature, top_k=top_k, seed=seed)


@asked(to_say("Asking the model"))
def guess_tokens(model: Model, text: str) -> TokenGuesses:
    """Return the predictions of a model for every token."""
    return model.guess_tokens(text)


@asked(to_say("Asking the model"))
def answer_logits(
    model: Model, text: str, text_b: str, *, of: AnswerOf | None = None, position: int | None = None
) -> AnswerLogits:
    """Return the logits of a model at one position, by default the first of interest."""
    return model.answer_logits(text, text_b or None, of=of, position=position)
