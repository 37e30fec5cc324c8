"""A model before it has learned anything: the example that it will be asked while it learns, and its first answer."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.assemble import generate_rows
from lab.data.given import Given
from lab.live.examples import find_example
from lab.live.observation import Observation
from lab.live.watcher import observe_untrained
from lab.recipe import GENERATED, Recipe
from ui.state.plain import in_bold, plain
from ui.training_lab.live import answer_text, with_answer
from ui.widgets.frame import readable_errors
from viz.kit.language import tr

MOST_PARAMETERS, MOST_CHARACTERS = 20_000_000, 2_000_000
"""The largest model and the longest text with which a page is not kept waiting for the first answer."""


def show_before(place: DeltaGenerator, recipe: Recipe, given: Given | None, *, parameters: int) -> None:
    """Draw the example with the answer of the untrained model; the example alone where the model is large, and nothing
    without data."""
    if given is None and recipe.task not in GENERATED:
        return
    n_characters = 0 if given is None else sum(len(text) for row in given.learned for text in row)
    with place, readable_errors():
        if parameters > MOST_PARAMETERS or n_characters > MOST_CHARACTERS:
            _show_example(recipe, given)
            return
        waiting = st.empty()
        waiting.skeleton(120)
        observation = _observe_before(replace(recipe, name="model", iterations=10, snapshots=2), given)
        waiting.empty()
        if observation is not None:
            _show_observation(recipe, observation)


def _show_example(recipe: Recipe, given: Given | None) -> None:
    example = find_example(recipe.task, generate_rows(recipe) if given is None else given)
    if example is not None:
        st.markdown(tr("**One text that it is asked while it learns**"))
        with st.container(key="large-sentences"):
            st.markdown(plain(example.text))
        st.caption(_say_expected(answer_text(recipe.task, example.expected)))


def _show_observation(recipe: Recipe, observation: Observation) -> None:
    st.markdown(tr("**Before it has learned anything, it answers:**"))
    with st.container(key="large-sentences"):
        st.markdown(with_answer(recipe.task, observation))
    if not observation.is_right:
        st.caption(_say_expected(answer_text(recipe.task, observation.expected)))


def _say_expected(answer: str) -> str:
    return tr("It should be {expected}. Press Start and watch this change.", expected=in_bold(answer))


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={Given: hash})
def _observe_before(recipe: Recipe, given: Given | None) -> Observation | None:
    """Return the first observation of a recipe, computed once."""
    return observe_untrained(recipe, generate_rows(recipe) if given is None else given)
