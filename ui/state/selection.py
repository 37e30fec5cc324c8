"""What the reader has chosen: shared by all pages, kept in the address, restored from a copied link.

Every choice lives in `st.session_state` under its own name, which is also its name in the address. What comes from an
address is untrusted: it is checked here, and what does not fit is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

import streamlit as st

from models.analysis import head_measures
from models.opening.registry import DEFAULT_MODEL
from models.training.lab.runs import is_id
from models.values.record import Kind, Recording
from models.values.steps import STEP_NAMES, WHAT_IF_NAMES, StepName
from ui.state.keeping import keep, settle
from viz.attention.transform import Quantity, Special
from viz.vectors.query_key_value import Order
from viz.viewer.html import Scale

MEAN = "mean"
"""The head that stands for the mean over the heads of a layer, in the address and in the picker."""
VIEWS = ("explore", "head-view", "model-view")
TASKS = ("one", "two")
BESIDE = ("layers", "attention", "mean-attention")
PARTS = ("bands", "dimensions", "maps", "plane", "neuron-view")
LAB_VIEWS = ("train", "over-time")
NOTHING = -1
"""No token: none is chosen yet, or none is frozen."""
TOP_K = (5, 10, 20, 50)
SCHEMES = ("sinusoidal", "learned", "rotary", "alibi", "buckets", "why")
BASES = (10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000, 1000000)
LENGTHS, WIDTHS, ALIBI_HEADS, SHIFTS = (2, 512), (8, 512), (1, 32), (0, 64)
BUCKETS, MAX_DISTANCES = (8, 16, 32, 64), (32, 64, 128, 256)
TEMPERATURES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
CAUSAL_MODEL = "mini-gpt"
"""The embedded model that reads from the left; beside it the page "BERT and GPT" puts `model`."""
READINGS = ("same", "guesses", "continue")
N_NEW, WRITING_TOP_K = (1, 60), (0, 50)
WRITING_TEMPERATURES = tuple(tenths / 10 for tenths in range(21))
TRANSLATION_PARTS = ("step", "alignment", "beams", "all")
BEAMS = (1, 6)
PENALTIES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
MEASURED_ON = ("sentence", "unseen")
NO_CHANGE = "none"
"""The what-if that changes nothing."""
MAX_LINK = 2000
"""A longer sentence stays in the session, but not in the address: browsers and servers refuse longer ones."""
_WRITTEN = "headlight_written_address"
_WHOLE_PAGE = "headlight_whole_page"
_WHOLE_PAGE_NEXT = "headlight_whole_page_next"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """One state of the app. The defaults are what a first visit shows."""

    text: str = "The animal didn't cross the street because it was too tired."
    text_b: str = ""
    model: str = DEFAULT_MODEL
    device: str = "auto"
    kind: Kind = "encoder"
    layer: int = 0
    head: int | str = 0
    """A head, or MEAN."""
    quantity: Quantity = "weights"
    words: bool = False
    special: Special = "shown"
    scale: Scale = "one"
    view: str = VIEWS[0]
    task: str = TASKS[0]
    """What the page "Masked words" does: one sentence, or two compared."""
    beside: str = BESIDE[0]
    """What it shows beside the words: how the guess forms, or what the mask looks at."""
    mask: int = 0
    """Which [MASK] of the sentence, counted from 0."""
    top_k: int = 10
    asked: str = ""
    """A word whose rank the reader wants to know."""
    other: str = ""
    """The sentence that the first one is compared with."""
    direction: str = "crossing"
    """Which share of the attention the map of the page "Next sentence" shows."""
    part: str = PARTS[0]
    """What the page "Queries, keys, values" shows."""
    query: int = NOTHING
    """The position of its query token, of one that is held beside it, and of a key; NOTHING for none."""
    frozen: int = NOTHING
    key_token: int = NOTHING
    order: Order = "sentence"
    """How its keys are sorted."""
    centred: bool = True
    """Whether what all keys have in common is taken off the contributions of the dimensions."""
    scheme: str = SCHEMES[0]
    """What the page "Positions" shows."""
    length: int = 64
    """How many positions its formulas are drawn for; `d_model` and `base` are theirs."""
    d_model: int = 128
    base: int = 10000
    pair: int = 4
    """Which pair of dimensions is shown as a wave and as a rotation, counted from 0."""
    shift: int = 5
    """By how many positions it is shifted."""
    alibi_heads: int = 8
    bias_head: int = 0
    """The head whose bias stands out, of ALiBi and of T5."""
    buckets: int = 32
    max_distance: int = 128
    both_ways: bool = True
    with_positions: bool = False
    """Whether the shuffled sentence is read with the positions of the model."""
    brought_back: bool = True
    """Whether rows and columns of its attention stand in the written order."""
    seed: int = 0
    """Which of the many orders, or of the made-up queries and keys."""
    step: StepName = STEP_NAMES[0]
    """Where the page "Step by step" is."""
    what_if: str = NO_CHANGE
    """What is changed in the model, a WhatIfName, or nothing; `seed` says how positions are shuffled."""
    temperature: float = 2.0
    causal_model: str = CAUSAL_MODEL
    reading: str = READINGS[0]
    """What the page "BERT and GPT" shows."""
    blank: int = NOTHING
    """The position of the token that its two models guess."""
    guessed_from: int = 0
    """The token that its list of guesses begins with."""
    n_new: int = 12
    """How many tokens it lets the causal model write, and how: `seed` is the draw; 0 as top-k is all."""
    writing_temperature: float = 1.0
    writing_top_k: int = 20
    new_token: int = 0
    """The one of them that is looked at."""
    translation: str = TRANSLATION_PARTS[0]
    """What the page "Translation" shows."""
    at_step: int = 4
    """Its step; of the sentence that it opens with, a noun that stands before its adjective."""
    beams: int = 4
    """How many texts its beam search keeps, 1 is greedy; `penalty` is the exponent of the length penalty."""
    penalty: float = 0.6
    averaged: bool = True
    """Whether it shows the mean over all layers and heads instead of the chosen ones."""
    lab: str = LAB_VIEWS[0]
    """What the page "Training lab" does: train, or look over the time of a run."""
    run: str = ""
    """The id of the run that it shows; empty for a new one."""
    history: str = ""
    """The run whose snapshots "Attention over time" shows, by its name; empty for the first that is offered."""
    snapshot: int = NOTHING
    """Which of them, counted from 0; NOTHING for the one at which a head changes, or the last."""
    habit: str = "previous"
    """The measure of heads that its curves show, and on which text."""
    measured: str = MEASURED_ON[0]

    @property
    def head_index(self) -> int | None:
        """The head as the pictures take it: None is the mean."""
        return self.head if isinstance(self.head, int) else None


DEFAULTS = asdict(Selection())


def _one_of(*choices: str) -> Callable[[str], str]:
    def check(value: str) -> str:
        if value not in choices:
            raise ValueError(value)
        return value

    return check


def _index(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 5):
        raise ValueError(value)
    return int(value)


def _head(value: str) -> int | str:
    return MEAN if value == MEAN else _index(value)


def _top_k(value: str) -> int:
    return int(_one_of(*map(str, TOP_K))(value))


def _within(ends: tuple[int, int], *, step: int = 1) -> Callable[[str], int]:
    def check(value: str) -> int:
        number = _index(value)
        if not ends[0] <= number <= ends[1] or (number - ends[0]) % step:
            raise ValueError(value)
        return number

    return check


def _number_of(*choices: int) -> Callable[[str], int]:
    return lambda value: int(_one_of(*map(str, choices))(value))


def _temperature(value: str) -> float:
    return float(_one_of(*map(str, TEMPERATURES))(value))


def _writing_temperature(value: str) -> float:
    number = float(value)
    if number not in WRITING_TEMPERATURES:
        raise ValueError(value)
    return number


def _penalty(value: str) -> float:
    return float(_one_of(*map(str, PENALTIES))(value))


def _run_id(value: str) -> str:
    if not is_id(value):
        raise ValueError(value)
    return value


def _measure(value: str) -> str:
    return _one_of(*(measure.name for measure in head_measures() if measure.needs == "texts"))(value)


def _flag(value: str) -> bool:
    return _one_of("yes", "no")(value) == "yes"


READERS: dict[str, Callable[[str], Any]] = {
    "text": str,
    "text_b": str,
    "model": str.strip,
    "device": _one_of("auto", "cpu", "cuda", "mps"),
    "kind": _one_of(*get_args(Kind)),
    "layer": _index,
    "head": _head,
    "quantity": _one_of(*get_args(Quantity)),
    "words": _flag,
    "special": _one_of(*get_args(Special)),
    "scale": _one_of(*get_args(Scale)),
    "view": _one_of(*VIEWS),
    "task": _one_of(*TASKS),
    "beside": _one_of(*BESIDE),
    "mask": _index,
    "top_k": _top_k,
    "asked": str,
    "other": str,
    "direction": str,
    "part": _one_of(*PARTS),
    "query": _index,
    "frozen": _index,
    "key_token": _index,
    "order": _one_of(*get_args(Order)),
    "centred": _flag,
    "scheme": _one_of(*SCHEMES),
    "length": _within(LENGTHS),
    "d_model": _within(WIDTHS, step=2),
    "base": _number_of(*BASES),
    "pair": _index,
    "shift": _within(SHIFTS),
    "alibi_heads": _within(ALIBI_HEADS),
    "bias_head": _index,
    "buckets": _number_of(*BUCKETS),
    "max_distance": _number_of(*MAX_DISTANCES),
    "both_ways": _flag,
    "with_positions": _flag,
    "brought_back": _flag,
    "seed": _index,
    "step": _one_of(*STEP_NAMES),
    "what_if": _one_of(NO_CHANGE, *WHAT_IF_NAMES),
    "temperature": _temperature,
    "causal_model": str.strip,
    "reading": _one_of(*READINGS),
    "blank": _index,
    "guessed_from": _index,
    "n_new": _within(N_NEW),
    "writing_temperature": _writing_temperature,
    "writing_top_k": _within(WRITING_TOP_K),
    "new_token": _index,
    "translation": _one_of(*TRANSLATION_PARTS),
    "at_step": _index,
    "beams": _within(BEAMS),
    "penalty": _penalty,
    "averaged": _flag,
    "lab": _one_of(*LAB_VIEWS),
    "run": _run_id,
    "history": str,
    "snapshot": _index,
    "habit": _measure,
    "measured": _one_of(*MEASURED_ON),
}
"""How each choice is read from an address; a ValueError means that it does not fit, and the choice stays as it was."""


def read_address(address: dict[str, str]) -> dict[str, Any]:
    """The choices in an address that fit; the others are left out."""
    chosen: dict[str, Any] = {}
    for name, read in READERS.items():
        if name in address:
            try:
                chosen[name] = read(address[name])
            except ValueError:
                continue
    return chosen


def to_address(selection: Selection) -> dict[str, str]:
    """The address of a state: sentence, model, layer and head always, the rest where it is not the default."""
    always = {"text", "model", "layer", "head"}
    address: dict[str, str] = {}
    for field in fields(selection):
        value = getattr(selection, field.name)
        if field.name in always or value != DEFAULTS[field.name]:
            address[field.name] = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return {name: value for name, value in address.items() if len(value) <= MAX_LINK}


def restore(page: str) -> None:
    """Take the choices from the address if it is new, else keep the session's. Call before any widget is drawn."""
    address = st.query_params.to_dict()
    if address and address != st.session_state.get(_WRITTEN):
        st.session_state.update(read_address(address))
    keep(DEFAULTS, page=page)


def is_from_link(name: str) -> bool:
    """Whether the address that the reader came with, and not the app, says what this choice is."""
    return name in st.query_params and st.query_params.to_dict() != st.session_state.get(_WRITTEN)


def selection() -> Selection:
    """The choices of this session."""
    return Selection(**{name: st.session_state[name] for name in DEFAULTS})


def write_address() -> None:
    """Put the choices into the address bar."""
    address = to_address(selection())
    if address != st.query_params.to_dict():
        st.query_params.from_dict(address)
    st.session_state[_WRITTEN] = address


@contextmanager
def remembered(page: str) -> Iterator[None]:
    """Restore the choices before the page of that name is drawn, and write the address after."""
    restore(page)
    st.session_state.pop(_WHOLE_PAGE_NEXT, None)
    st.session_state[_WHOLE_PAGE] = True
    try:
        yield
    finally:
        st.session_state[_WHOLE_PAGE] = False
        settle()
        write_address()


@contextmanager
def remembered_in_part() -> Iterator[None]:
    """The same for a fragment, which also runs without its page."""
    if is_whole_page():  # the page has kept the choices, and widgets above own some of them already
        yield
        return
    if st.session_state.pop(_WHOLE_PAGE_NEXT, False):
        st.rerun()
    keep(DEFAULTS)
    try:
        yield
    finally:
        settle()


def draw_whole_page() -> None:
    """Let the run that follows a callback draw the page, and not a fragment alone.

    Call it where a button of a fragment changes a choice whose widget stands outside: that would not be told, and the
    browser would send its old value with the next run.
    """
    st.session_state[_WHOLE_PAGE_NEXT] = True


def is_whole_page() -> bool:
    """Whether the page itself runs, and not a fragment of it alone."""
    return bool(st.session_state.get(_WHOLE_PAGE, False))


def fit(recording: Recording) -> None:
    """Bring the choices into the bounds of the recording. Call before their widgets are drawn."""
    state = st.session_state
    if state["kind"] not in recording.kinds:
        state["kind"] = recording.kinds[0]
    shown = recording.of(state["kind"])
    fit_heads(shown.n_layers, shown.n_heads)


def fit_heads(n_layers: int, n_heads: int) -> None:
    """Bring the layer and the head into these bounds. Call before their widgets are drawn."""
    at_most("layer", n_layers - 1)
    if st.session_state["head"] != MEAN:
        at_most("head", n_heads - 1)


def at_most(name: str, last: int) -> None:
    """Lower a choice that lies above `last`. One that fits is not assigned: that would send it to the browser."""
    chosen = st.session_state[name]
    if chosen > last:
        st.session_state[name] = last
