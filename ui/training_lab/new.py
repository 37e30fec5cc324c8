"""A new run: what is learned, from what, how large and how long, and what that takes, before it starts.

A fragment: a choice redraws it, and nothing else of the page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from models.scratch.classification import Pooling
from models.training.lab.assemble import number_of_labels, vocabulary_size
from models.training.lab.blueprint import estimate
from models.training.lab.data.given import Given
from models.training.lab.recipe import (
    BERT_EXERCISE,
    GENERATED,
    PAIR_TASKS,
    POOLINGS,
    PRESETS,
    RANGES,
    Cost,
    Recipe,
    TaskName,
    check_allowed_here,
)
from models.values.errors import LabError
from ui.training_lab.pooling import POOLING_LABELS, POOLING_WORDS
from ui.training_lab.rows import pick_rows
from ui.training_lab.server import expect_few_unfinished, show_next, supervisor
from ui.training_lab.words import duration, in_bytes, power_of_ten
from ui.widgets.frame import part_of_page
from ui.widgets.plain import plain

TASK_LABELS: dict[TaskName, str] = {
    "copy": "Copy",
    "reverse": "Reverse",
    "masked": "Masked words",
    "next": "Next token",
    "labels": "Labels",
    "words": "Labels for words",
    "translate": "Translation",
}
TASK_WORDS: dict[TaskName, str] = {
    "copy": (
        "An encoder reads a row of letters, and a decoder writes **the same row**. It is the quickest way to see "
        "attention form: cross attention becomes a diagonal."
    ),
    "reverse": (
        "An encoder reads a row of letters, and a decoder writes it **backwards**. Cross attention becomes the other "
        "diagonal."
    ),
    "masked": (
        "How BERT learns: **15 % of the words are hidden** and guessed from both sides. It also has to say whether a "
        "second sentence follows the first."
    ),
    "next": "How GPT learns: at every word of a text, guess **what comes next** from what came before.",
    "labels": "A text gets **one of your labels**, such as positive and negative.",
    "words": "**Every word** gets a label, such as its part of speech.",
    "translate": "An encoder reads a sentence, and a decoder writes it **in another language**.",
}
NUMBERS: dict[str, tuple[str, str]] = {
    "n_layers": ("Layers", "How many times attention and feed-forward are repeated."),
    "n_heads": ("Heads", "How many heads a layer has side by side; they share the width."),
    "d_model": ("Width (d_model)", "How many numbers stand for a token; a multiple of the heads."),
    "d_ff": (
        "Feed-forward width",
        "How many numbers there are inside the feed-forward part; usually four times the width.",
    ),
    "n_tokens": ("Longest text (tokens)", "Longer rows are cut. The work of attention grows with the square of this."),
    "d_vocab": ("Vocabulary, at most", "How many word pieces it knows. Rarer words are spelled in smaller pieces."),
    "rows": ("Rows in a batch", "How many rows it reads before each change of its weights."),
    "iterations": ("Iterations", "How often the weights are changed: once after each batch."),
    "learning_rate": (
        "Learning rate",
        "How far each change of the weights goes. Too high, and the loss explodes; too low, and it crawls.",
    ),
    "seed": ("Seed", "Which random start and order. The same seed gives the same run."),
}
ABOUT_TIME = "measured just now on part of one iteration; longer while others use this machine"
_TASK, _PRESET, _NAME, _POOLING = "lab_task", "lab_preset", "lab_name", "lab_pooling"


@st.fragment
def new_run() -> None:
    """The four questions and the start."""
    with part_of_page():
        st.markdown("#### 1 · What should it learn?")
        task: TaskName = st.segmented_control(
            "Task", list(TASK_LABELS), key=_TASK, format_func=TASK_LABELS.__getitem__, default="copy", required=True,
            label_visibility="collapsed", wrap=True, persist_state="session",
        )  # fmt: skip
        st.markdown(TASK_WORDS[task])
        pooling = _pooling() if task == "labels" else POOLINGS[0]
        st.markdown("#### 2 · From what?")
        given, is_ready = pick_rows(task)
        st.markdown("#### 3 · How big, and how long?")
        recipe = _recipe(task, pooling)
        st.markdown("#### 4 · What it will take")
        if recipe is not None:
            _start(recipe, given, is_ready=is_ready)


# -- how large ---------------------------------------------------------------------------------------------------------


def _pooling() -> Pooling:
    """What the label is to be read from."""
    pooling: Pooling = st.segmented_control(
        "The label is read from", POOLINGS, key=_POOLING, format_func=POOLING_LABELS.__getitem__, default=POOLINGS[0],
        required=True, persist_state="session",
    )  # fmt: skip
    st.caption(POOLING_WORDS[pooling])
    return pooling


def _recipe(task: TaskName, pooling: Pooling) -> Recipe | None:
    """A preset, with numbers of one's own where they were changed; None, with a sentence, for what cannot be."""
    presets = PRESETS[task]
    name = st.segmented_control(
        "Preset", list(presets), key=f"{_PRESET}_{task}", default=next(iter(presets)), required=True, wrap=True,
        label_visibility="collapsed", on_change=_fill_in, args=(task,), persist_state="session",
    )  # fmt: skip
    preset = presets[name]
    if name == BERT_EXERCISE:
        st.caption("The size of the original BERT exercise. This takes hours on a processor, minutes on a GPU.")
    with st.expander("Choose your own sizes"):
        chosen = _numbers(task, preset)
    try:
        return replace(preset, pooling=pooling, **chosen)
    except LabError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def _numbers(task: TaskName, preset: Recipe) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    columns = st.columns(2)
    for at, (name, (label, words)) in enumerate(NUMBERS.items()):
        if name == "d_vocab" and task in GENERATED:
            continue
        least, most = RANGES[name]
        key, is_real = _key(task, name), name == "learning_rate"
        st.session_state.setdefault(key, getattr(preset, name))
        chosen[name] = columns[at % 2].number_input(
            label, min_value=least if is_real else int(least), max_value=most if is_real else int(most), key=key,
            value=None, step=None if is_real else 1, format="%.5f" if is_real else "%d", help=words, required=True,
            persist_state="session",
        )  # fmt: skip
    return {name: value for name, value in chosen.items() if value is not None}


def _fill_in(task: TaskName) -> None:
    """Put the numbers of a preset into the fields."""
    preset = PRESETS[task][st.session_state[f"{_PRESET}_{task}"]]
    for name in NUMBERS:
        st.session_state[_key(task, name)] = getattr(preset, name)


def _key(task: TaskName, name: str) -> str:
    return f"lab_{task}_{name}"


# -- what it takes -----------------------------------------------------------------------------------------------------


def _start(recipe: Recipe, given: Given | None, *, is_ready: bool) -> None:
    """The arithmetic, a name, and the button."""
    labels = 2 if given is None else number_of_labels(recipe.task, given)
    limits = supervisor().limits
    cost = costs(replace(recipe, name="model"), _vocabulary(recipe, given), labels, limits.threads)
    _arithmetic(recipe, cost)
    try:
        check_allowed_here(cost.parameters, limits)
    except LabError as error:
        st.warning(plain(str(error)), icon=":material/block:")
        return
    if limits.minutes and cost.seconds > limits.seconds:
        st.warning(
            f"This server stops a training after {limits.minutes:g} minutes; you can then resume it.",
            icon=":material/timer:",
        )
    with st.form("lab-start", border=False):
        name, button = st.columns([5, 2], vertical_alignment="bottom")
        chosen = name.text_input("Name", value=f"my {recipe.task}", max_chars=40, key=f"{_NAME}_{recipe.task}")
        if button.form_submit_button(
            "Start", type="primary", width="stretch", icon=":material/play_arrow:", disabled=not is_ready
        ):
            expect_few_unfinished()
            run = supervisor().start(replace(recipe, name=chosen), given)
            show_next(run.id)
            st.rerun()


@st.cache_data(max_entries=64, show_spinner=False)
def costs(recipe: Recipe, d_vocab: int, n_labels: int, threads: int) -> Cost:
    """The arithmetic of a recipe, its time measured once."""
    return estimate(recipe, d_vocab, n_labels, threads=threads)


def _vocabulary(recipe: Recipe, given: Given | None) -> int:
    """The entries of the vocabulary, learned once for a text and a limit."""
    if given is None:
        return vocabulary_size(recipe, None)
    key = (hash(given), recipe.task, recipe.d_vocab)
    known: dict[object, int] = st.session_state.setdefault("headlight_lab_vocabularies", {})
    if key not in known:
        known[key] = vocabulary_size(recipe, given)
    return known[key]


def _arithmetic(recipe: Recipe, cost: Cost) -> None:
    """The numbers, and how they come about."""
    both = " × 2 (source and target)" if recipe.task in PAIR_TASKS else ""
    st.table(
        {
            "": ["Parameters", "Tokens per iteration", "Tokens in all", "Operations", "Memory", "Time"],
            "this training": [
                f"{cost.parameters:,}",
                f"at most {cost.tokens_per_iteration:,}",
                f"at most {cost.tokens:,}",
                f"about {power_of_ten(cost.operations)}",
                f"about {in_bytes(cost.memory)}",
                f"about {duration(cost.seconds)}",
            ],
            "how it is worked out": [
                "every weight of the model, counted",
                f"{recipe.rows:,} rows × {recipe.n_tokens:,} tokens{both}",
                f"{cost.tokens_per_iteration:,} × {recipe.iterations:,} iterations",
                "6 × parameters × tokens (Kaplan et al. 2020)",
                "16 bytes per parameter: weight, gradient, optimizer; what an iteration computes comes on top",
                ABOUT_TIME,
            ],
        },
        hide_index=True,
    )
