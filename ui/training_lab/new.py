"""A new run: its task, data, size and duration, and an estimate of its cost before it starts.

A fragment: a choice redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from lab.assemble import body_for, number_of_labels, vocabulary_size
from lab.blueprint import estimate
from lab.data.given import Given
from lab.jobs.waiting import note_expected
from lab.presets import BERT_EXERCISE, presets_for, usual_preset
from lab.recipe import (
    GENERATED,
    POOLINGS,
    RANGES,
    Cost,
    Recipe,
    TaskName,
    check_allowed_here,
)
from models.scratch.classification import Pooling
from models.values.errors import LabError
from ui.state.plain import plain
from ui.state.selection import run_again
from ui.training_lab.pooling import POOLING_LABELS, POOLING_WORDS
from ui.training_lab.recipe.before import show_before
from ui.training_lab.recipe.cost_table import cost_table
from ui.training_lab.recipe.film import FILMED, show_film
from ui.training_lab.recipe.recipe_link import (
    NAME,
    POOLING,
    PRESET,
    default_name,
    kind_of,
    number_key,
    take_recipe,
    tell_recipe,
)
from ui.training_lab.recipe.rows import pick_rows
from ui.training_lab.recipe.tasks import TASK_WORDS, pick_body, pick_task
from ui.training_lab.server import client, expect_few_unfinished, owner, show_next, supervisor
from ui.training_lab.upload import upload_model
from ui.training_lab.words import duration
from ui.widgets.frame import part_of_page, readable_errors
from ui.widgets.pictures import two_columns
from viz.kit.language import said, to_say, tr

NUMBERS: dict[str, tuple[str, str]] = {
    "n_layers": (to_say("Layers"), to_say("How many times attention and feed-forward are repeated.")),
    "n_heads": (to_say("Heads"), to_say("How many heads a layer has side by side; they share the width.")),
    "d_model": (
        to_say("Width (d_model)"),
        to_say("How many numbers stand for a token; a multiple of the heads."),
    ),
    "d_ff": (
        to_say("Feed-forward width"),
        to_say("How many numbers there are inside the feed-forward part; usually four times the width."),
    ),
    "n_tokens": (
        to_say("Longest text (tokens)"),
        to_say("Longer rows are cut. The work of attention grows with the square of this."),
    ),
    "d_vocab": (
        to_say("Vocabulary, at most"),
        to_say("How many word pieces it knows. Rarer words are spelled in smaller pieces."),
    ),
    "rows": (to_say("Rows in a batch"), to_say("How many rows it reads before each change of its weights.")),
    "iterations": (to_say("Iterations"), to_say("How often the weights are changed: once after each batch.")),
    "learning_rate": (
        to_say("Learning rate"),
        to_say("How far each change of the weights goes. Too high, and the loss explodes; too low, and it crawls."),
    ),
    "seed": (to_say("Seed"), to_say("Which random start and order. The same seed gives the same run.")),
}
SHARES = (13, 8)
"""The relative widths of the choices and of the untrained model."""
GIVEN_BY_BODY = frozenset({"n_layers", "n_heads", "d_model", "d_ff", "d_vocab"})
"""The numbers that an embedded model brings with it when a training starts from it."""


@st.fragment
def new_run() -> None:
    """Draw the task, its data and its time with the start button, the name, the sizes and the cost behind "More";
    beside them the film of a training, or what the model answers before it has learned anything."""
    with part_of_page():
        take_recipe()
        choices, before, widths = two_columns(*SHARES)
        choices = choices.container(key="lab-form")
        with choices:
            task = pick_task()
        if task == FILMED:  # at once: the first estimate of a cost takes a while
            with before, readable_errors():
                show_film(widths[1])
        with choices:
            chosen = _choose(task)
            with st.expander(tr("Open a model that was trained here earlier, from its file")), readable_errors():
                upload_model()
        if chosen is not None and task != FILMED:
            recipe, given, cost = chosen
            show_before(before, recipe, given, parameters=cost.parameters)


def _choose(task: TaskName) -> tuple[Recipe, Given | None, Cost] | None:
    """Draw what follows from the task, the other choices and the start button. Return the recipe with its rows and its
    cost; None if it cannot be."""
    st.markdown(said(TASK_WORDS[task]))
    pooling = _pooling() if task == "labels" else POOLINGS[0]
    given, is_ready = pick_rows(task)
    body = pick_body(body_for(task, given))
    presets, kind = presets_for(task, body), kind_of(task, body)
    time, button = st.columns([5, 1.6], vertical_alignment="bottom")
    with time:
        preset = _pick_preset(presets, kind, usual_preset(task, body))
    notes = st.container()
    with st.expander(tr("More: name, sizes and cost")):
        name = st.text_input(
            tr("Name"), value=default_name(task), max_chars=40, key=f"{NAME}_{task}", persist_state="session"
        )
        chosen = _numbers(presets[preset], kind)
        table = st.container()
    with notes:
        try:
            recipe = replace(presets[preset], pooling=pooling, **chosen)
            tell_recipe(preset, replace(recipe, name=name))
            cost = _cost(recipe, given)
            with table:
                cost_table(recipe, cost)
            _describe(preset, cost)
            check_allowed_here(cost.learning, supervisor().limits)
        except LabError as error:
            st.error(plain(str(error)), icon=":material/block:")
            return None
    if button.button(tr("Start"), type="primary", width="stretch", icon=":material/play_arrow:", disabled=not is_ready):
        _start(replace(recipe, name=name), given, cost)
    return recipe, given, cost


def _start(recipe: Recipe, given: Given | None, cost: Cost) -> None:
    """Start the run, and show it."""
    expect_few_unfinished()
    run = supervisor().start(recipe, given, client=client(), owner=owner())
    note_expected(run, cost.seconds)
    show_next(run.id)
    run_again()


# -- how large ---------------------------------------------------------------------------------------------------------


def _pooling() -> Pooling:
    """Draw the choice of the pooling for the label, and return it."""
    pooling: Pooling = st.segmented_control(
        tr("The label is read from"),
        POOLINGS,
        key=POOLING,
        format_func=lambda name: said(POOLING_LABELS[name]),
        default=POOLINGS[0],
        required=True,
        persist_state="session",
    )
    st.caption(said(POOLING_WORDS[pooling]))
    return pooling


def _pick_preset(presets: Mapping[str, Recipe], kind: str, usual: str) -> str:
    """Draw the choice of the time, which begins with the usual one, and return the name of its preset."""
    preset: str = st.segmented_control(
        tr("How long may it take?"),
        list(presets),
        key=f"{PRESET}_{kind}",
        format_func=said,
        default=usual,
        required=True,
        wrap=True,
        on_change=_fill_in,
        args=(presets, kind),
        persist_state="session",
    )
    return preset


def _numbers(preset: Recipe, kind: str) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    columns = st.columns(2)
    left_out = GIVEN_BY_BODY if preset.body else {"d_vocab"} if preset.task in GENERATED else frozenset()
    for number, name in enumerate(name for name in NUMBERS if name not in left_out):
        (label, words), (least, most) = NUMBERS[name], RANGES[name]
        key, is_real = number_key(kind, name), name == "learning_rate"
        st.session_state.setdefault(key, getattr(preset, name))
        chosen[name] = columns[number % 2].number_input(
            said(label),
            min_value=least if is_real else int(least),
            max_value=most if is_real else int(most),
            key=key,
            value=None,
            step=None if is_real else 1,
            format="%.5f" if is_real else "%d",
            help=said(words),
            required=True,
            persist_state="session",
        )
    return {name: value for name, value in chosen.items() if value is not None}


def _fill_in(presets: Mapping[str, Recipe], kind: str) -> None:
    """Put the numbers of a preset into the fields."""
    preset = presets[st.session_state[f"{PRESET}_{kind}"]]
    for name in NUMBERS:
        st.session_state[number_key(kind, name)] = getattr(preset, name)


# -- what it takes -----------------------------------------------------------------------------------------------------


def _cost(recipe: Recipe, given: Given | None) -> Cost:
    """Return the estimate of a recipe with these rows."""
    labels = 2 if given is None else number_of_labels(recipe.task, given)
    return costs(replace(recipe, name="model"), _vocabulary(recipe, given), labels, supervisor().limits.threads)


def _describe(preset: str, cost: Cost) -> None:
    """Say how long the training takes and how large the model is, and what this server does with longer ones."""
    st.caption(
        tr("About **{time}** · {parameters} parameters", time=duration(cost.seconds), parameters=f"{cost.parameters:,}")
    )
    if preset == BERT_EXERCISE:
        st.caption(tr("As large as in the first BERT exercises: 6 layers, 12 heads, width 768. Minutes on a GPU."))
    limits = supervisor().limits
    if limits.minutes and cost.seconds > limits.seconds:
        st.warning(
            tr(
                "This server stops a training after {minutes} minutes; you can then resume it.",
                minutes=f"{limits.minutes:g}",
            ),
            icon=":material/timer:",
        )


@st.cache_data(max_entries=64, show_spinner=False)
def costs(recipe: Recipe, d_vocab: int, n_labels: int, threads: int) -> Cost:
    """Estimate the cost of a recipe; the time is measured once."""
    return estimate(recipe, d_vocab, n_labels, threads=threads)


def _vocabulary(recipe: Recipe, given: Given | None) -> int:
    """Return the size of the vocabulary, learned once for a text and a limit."""
    if given is None:
        return vocabulary_size(recipe, None)
    if recipe.body:
        return vocabulary_size(recipe, given)
    key = (hash(given), recipe.task, recipe.d_vocab)
    known: dict[object, int] = st.session_state.setdefault("headlight_lab_vocabularies", {})
    if key not in known:
        known[key] = vocabulary_size(recipe, given)
    return known[key]
