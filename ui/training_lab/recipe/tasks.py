"""The choice of the task that a model learns, and of the model that it starts from."""

from __future__ import annotations

import streamlit as st

from lab.blueprint import LEARNING_LAYERS
from lab.recipe import Body, TaskName
from ui.training_lab.recipe.recipe_link import BODY, TASK
from viz.kit.language import said, to_say, tr

TASK_LABELS: dict[TaskName, str] = {
    "copy": to_say("Copy"),
    "reverse": to_say("Reverse"),
    "masked": to_say("Masked words"),
    "next": to_say("Next token"),
    "labels": to_say("Labels"),
    "words": to_say("Labels for words"),
    "translate": to_say("Translation"),
}
TASK_WORDS: dict[TaskName, str] = {
    "copy": to_say(
        "An encoder reads a row of letters, and a decoder writes **the same row**. It is the quickest way to see "
        "attention form: cross attention becomes a diagonal."
    ),
    "reverse": to_say(
        "An encoder reads a row of letters, and a decoder writes it **backwards**. Cross attention becomes the other "
        "diagonal."
    ),
    "masked": to_say(
        "How BERT learns: **15 % of the words are hidden** and guessed from both sides. It also has to say whether a "
        "second sentence follows the first."
    ),
    "next": to_say("How GPT learns: at every word of a text, guess **what comes next** from what came before."),
    "labels": to_say("A text gets **one of your labels**, such as positive and negative."),
    "words": to_say("**Every word** gets a label, such as its part of speech."),
    "translate": to_say("An encoder reads a sentence, and a decoder writes it **in another language**."),
}


def pick_task() -> TaskName:
    """Draw the choice of the task, and return it."""
    task: TaskName = st.segmented_control(
        tr("What should it learn?"),
        list(TASK_LABELS),
        key=TASK,
        format_func=lambda name: said(TASK_LABELS[name]),
        default="copy",
        required=True,
        wrap=True,
        persist_state="session",
    )
    return task


def pick_body(fitting: Body) -> Body:
    """Draw the choice between the embedded model that fits the data and none, and return it; none where none fits."""
    if not fitting:
        return ""
    choice, about = st.columns([2, 5], vertical_alignment="bottom")
    body: Body = choice.segmented_control(
        tr("It starts from"),
        (fitting, ""),
        key=BODY,
        format_func=lambda name: name or tr("random weights"),
        default=fitting,
        required=True,
        persist_state="session",
    )
    about.caption(
        tr(
            "{model} has already read Korean: its last {n} layers go on learning, all below stay as they are.",
            model=body,
            n=LEARNING_LAYERS,
        )
        if body
        else tr("It knows no word yet, and learns from these texts alone.")
    )
    return body
