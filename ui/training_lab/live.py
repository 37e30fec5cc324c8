"""A model as it learns: its answer to one example, its loss, and the attention of one head."""

from __future__ import annotations

from functools import partial
from html import unescape
from itertools import chain

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from lab import runs
from lab.live.observation import Observation, read_observation
from lab.metrics import RunProgress, progress_of
from lab.recipe import Recipe, TaskName
from lab.runs import UNFINISHED, Run
from models.values.answers import MASK
from ui.state.plain import in_bold, plain
from ui.widgets.browser.drawing import drawing
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import picture, two_columns
from viz.attention.heatmap import KIND_TITLES, matrix_figure
from viz.attention.matrix import Matrix
from viz.kit.labels import label_text
from viz.kit.language import said, tr
from viz.kit.theme import whole_percent
from viz.training.curves import FILES, CurveName, curve_figure, curves_of
from viz.training.sketch import sketch

MOST_WRITTEN = 60
"""The number of characters of an answer that are shown: a model that has just begun repeats itself without end."""
ARROW = "→"
WIDEST = 410
"""The largest width of a picture in pixels: small ones stand on the first screen while they change."""


def show_learning(run: Run, recipe: Recipe, curves: pd.DataFrame) -> None:
    """Draw the model's latest answer, and its loss beside the attention of one head; of a run that is over, the other
    curves and the last measurements too, below that."""
    observation = read_observation(run.folder / runs.LIVE)
    if observation is None and curves.empty:
        return
    if observation is not None:
        _show_answer(recipe.task, observation)
    wide = column_widths(1, 1)[0]
    is_over = run.state not in UNFINISHED
    measures = list(chain(*curves_of(curves)))
    cells = []
    if observation is not None or not is_over:
        cells.append(partial(_sketch, _curve(curves, recipe, measures.pop(0), wide), "learning-loss"))
    if observation is not None:
        cells.append(partial(draw_attention, observation, wide))
    if is_over:
        cells += [partial(picture, _curve(curves, recipe, measure, wide), FILES[measure]) for measure in measures]
        cells.append(partial(_measures, progress_of(curves, recipe.iterations)))
    for first in range(0, len(cells), 2):
        for place, draw in zip(two_columns()[:2], cells[first : first + 2], strict=False):
            with place:
                draw()


def _curve(curves: pd.DataFrame, recipe: Recipe, measure: CurveName, width: int) -> go.Figure:
    return curve_figure(curves, iterations=recipe.iterations, measure=measure, theme=theme(), width=width)


def _sketch(figure: go.Figure, key: str) -> None:
    """Draw a figure that changes while it is looked at."""
    drawing(sketch(figure), key, alt=unescape(figure.layout.title.text), height=round(figure.layout.height))


def draw_attention(observation: Observation, width: int) -> None:
    """Draw the attention of the head that an observation shows, at most as wide as it stays on the first screen."""
    _sketch(attention_figure(observation, min(width, WIDEST)), "learning-attention")


def _measures(now: RunProgress) -> None:
    """Draw the last measurements, and how fast it learned."""
    held_out = {
        tr("Answers right, held out"): now.held_out.get("accuracy"),
        tr("Whole rows right, held out"): now.held_out.get("exact_match"),
        tr("Next sentence right, held out"): now.held_out.get("next_accuracy"),
    }
    with st.container(horizontal=True):
        for label, share in held_out.items():
            if share is not None:
                st.metric(label, whole_percent(share), width="content")
        st.metric(tr("Tokens read"), f"{now.tokens:,}", width="content")
        if now.tokens_per_second is not None:
            st.metric(tr("Tokens a second"), f"{now.tokens_per_second:,.0f}", width="content")


def _show_answer(task: TaskName, observation: Observation) -> None:
    """Draw the example with the answer in it, and whether it is right."""
    with st.container(key="large-sentences"):
        st.markdown(with_answer(task, observation))
    iteration = f"{observation.iteration:,}"
    st.caption(
        tr("Iteration {iteration}: **right.** It never learns from this text.", iteration=iteration)
        if observation.is_right
        else tr(
            "Iteration {iteration}: it should be {expected}. It never learns from this text.",
            iteration=iteration,
            expected=in_bold(answer_text(task, observation.expected)),
        )
    )


def answer_text(task: TaskName, answer: str) -> str:
    """Return an answer as it is shown: a label in the language of the page."""
    return label_text(answer) if task == "labels" and answer else answer


def with_answer(task: TaskName, observation: Observation) -> str:
    """Return the example as Markdown with the answer in its place: in the gaps, after the text, or behind an arrow."""
    if task == "masked":
        answers = iter(observation.written.split(" "))
        parts = [plain(part) for part in observation.text.split(MASK)]
        return "".join(part + _colour(next(answers, ""), observation) for part in parts[:-1]) + parts[-1]
    between = " " if task == "next" else f" {ARROW} "
    return f"{plain(observation.text)}{between}{_colour(answer_text(task, observation.written), observation)}"


def _colour(answer: str, observation: Observation) -> str:
    shown = answer if len(answer) <= MOST_WRITTEN else f"{answer[:MOST_WRITTEN].strip()} …"
    return f":{'green' if observation.is_right else 'orange'}-background[{plain(shown) or '–'}]"


def attention_figure(observation: Observation, width: int) -> go.Figure:
    """Draw the attention of the head that an observation shows."""
    is_masked = np.isnan(observation.weights)
    matrix = Matrix(
        values=np.where(is_masked, np.float32(0), observation.weights),
        masked=is_masked,
        query_tokens=observation.query_tokens,
        key_tokens=observation.key_tokens,
        query_positions=tuple(range(len(observation.query_tokens))),
        key_positions=tuple(range(len(observation.key_tokens))),
        quantity="weights",
        note="" if observation.kind == "encoder" else tr("Read with the right answer, as in the training."),
    )
    head = tr("Layer {layer} · Head {head}", layer=observation.layer, head=observation.head)
    title = f"{said(KIND_TITLES[observation.kind])}{head}"
    return matrix_figure(matrix, title=title, theme=theme(), width=width)
