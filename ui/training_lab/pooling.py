"""The pooling for a label, [CLS] or the mean over the words, and its effect on the attention.

A finished run is compared with its twin, which has the same rows and the same recipe but for the pooling.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lab import runs
from lab.data.own_text import own_texts
from lab.recipe import LONGEST_NAME, POOLINGS
from lab.runs import Run
from lab.uploads.checkpoints import model_name
from models.analysis.one_text.answer_rows import answer_rows
from models.opening.registry import Model
from models.scratch.classification import Pooling
from models.values.answers import TextLabels
from models.values.results.answer_rows import AnswerRows
from ui.desk.ask import ask
from ui.state.plain import plain
from ui.training_lab.server import client, expect_few_unfinished, known_runs, show_next, supervisor
from ui.widgets.browser.viewport import page_width
from ui.widgets.frame import readable_errors, theme
from ui.widgets.pictures import picture
from viz.kit.labels import label_text
from viz.kit.language import said, to_say, tr
from viz.predictions.answer_rows import answer_rows_map, what_is_read, what_the_choice_changes

POOLING_LABELS: dict[Pooling, str] = {"cls": to_say("[CLS]"), "mean": to_say("Mean over the words")}
POOLING_WORDS: dict[Pooling, str] = {
    "cls": to_say(r"As in BERT: one token, \[CLS\], has to collect by attention everything that the label needs."),
    "mean": to_say(r"Every word counts the same. \[CLS\], \[SEP\] and padding are left out of the mean."),
}
WHAT_DIFFERS = to_say(
    "The two models learned from the same rows with the same recipe. Only what the label is read from differs."
)
OFFERS: dict[Pooling, str] = {
    "cls": to_say("Train it with the mean over the words, too, and compare"),
    "mean": to_say(r"Train it with \[CLS\], too, and compare"),
}
"""The label of the button beside a run that trains it with the other pooling."""
WIDEST = 620
DEVICE = "cpu"
"""The device of the readings: the page offers no choice, and a sentence takes a moment."""
_TEXT = "lab_pooling_text"


def what_the_label_reads(run: Run) -> None:
    """Draw, for a run that has learned labels, the attention behind a label beside that of its twin."""
    if run.recipe is None or run.recipe.task != "labels" or run.checkpoint is None:
        return
    st.markdown(tr("#### What the label is read from"))
    text = _pick_text(run)
    with readable_errors():
        _compare(run, run.recipe.pooling, text)


def _compare(run: Run, own: Pooling, text: str) -> None:
    """Draw the label of a text, and the rows of attention behind it, by a run and by its twin, if there is one."""
    twin = runs.twin_of(run, known_runs())
    readings = {one.recipe.pooling: _reading(one, text) for one in (run, twin) if one is not None and one.recipe}
    for pooling in filter(readings.__contains__, POOLINGS):
        labels, rows = readings[pooling]
        st.markdown(f"**{plain(POOLING_LABELS[pooling])}:** {plain(_answer(labels))} {plain(what_is_read(rows))}")
    if twin is None:
        st.button(said(OFFERS[own]), icon=":material/compare_arrows:", on_click=_train_twin, args=(run.id,))
    else:
        one, several = (readings[pooling][1] for pooling in POOLINGS)
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in what_the_choice_changes(one, several)))
        st.caption(said(WHAT_DIFFERS))
    labelled_rows = [
        (said(POOLING_LABELS[pooling]), readings[pooling][1]) for pooling in POOLINGS if pooling in readings
    ]
    picture(answer_rows_map(labelled_rows, theme=theme(), width=min(page_width(), WIDEST)), "label-rows")


def _pick_text(run: Run) -> str:
    """Draw the field of the sentence, and return it; a held-out one by default."""
    own = own_texts(run.id)
    with st.form("label-rows", border=False):
        sentence, button = st.columns([7, 1.4], vertical_alignment="bottom")
        text: str = sentence.text_input(tr("Sentence"), value=own[0].text if own else "", key=f"{_TEXT}_{run.id}")
        button.form_submit_button(tr("Show"), width="stretch", icon=":material/visibility:")
    return text


def _reading(run: Run, text: str) -> tuple[TextLabels, AnswerRows]:
    """Return the labels of a text by the model of a run, and the rows of attention behind them."""
    name = model_name(run) or ""
    labels = ask(name, DEVICE, Model.label_text, text)
    recording = ask(name, DEVICE, Model.record, text)
    return labels, answer_rows(recording.of("encoder"), labels.read_from)


def _answer(labels: TextLabels) -> str:
    best = int(labels.probabilities.argmax())
    return tr(
        "says “{label}” ({share}).", label=label_text(labels.labels[best]), share=f"{labels.probabilities[best]:.0%}"
    )


def _train_twin(identifier: str) -> None:
    """Start the same training with the other pooling."""
    with readable_errors():
        expect_few_unfinished()
        run = supervisor().find(identifier)
        if run.recipe is not None:
            other = next(pooling for pooling in POOLINGS if pooling != run.recipe.pooling)
            name = f"{run.recipe.name[: LONGEST_NAME - len(other) - 1]}-{other}"
            recipe = replace(run.recipe, name=name, pooling=other)
            twin = supervisor().start(recipe, runs.given_of(run), client=client())
            show_next(twin.id)
