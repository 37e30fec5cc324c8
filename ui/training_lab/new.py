"""A new run: what is learned, from what, how large and how long, and what that takes, before it starts.

A fragment: a choice redraws it, and nothing else of the page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from models.training.lab.assemble import vocabulary_size
from models.training.lab.blueprint import estimate
from models.training.lab.data.given import Given, decode, expect_size
from models.training.lab.data.samples import sample, take
from models.training.lab.recipe import (
    BERT_EXERCISE,
    GENERATED,
    PAIR_TASKS,
    PRESETS,
    RANGES,
    Cost,
    Recipe,
    TaskName,
    check_allowed_here,
)
from models.values.errors import LabError
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
    "translate": "Translation",
}
TASK_WORDS: dict[TaskName, str] = {
    "copy": "An encoder reads a row of letters, a decoder writes **the same row**. The quickest way to see attention "
    "form: cross attention becomes a diagonal.",
    "reverse": "An encoder reads a row of letters, a decoder writes it **from the end**. Cross attention becomes the "
    "other diagonal.",
    "masked": "As BERT learns: **15 % of the words are hidden** and guessed from both sides, and it is judged whether "
    "a second sentence follows the first.",
    "next": "As GPT learns: at every word of a text, **what comes next**, seeing only what is before.",
    "labels": "A text gets **one of your labels**, such as positive and negative.",
    "translate": "An encoder reads a sentence, a decoder writes it **in another language**.",
}
FORMS: dict[TaskName, str] = {
    "masked": "Plain text. An empty line ends a part.",
    "next": "Plain text. An empty line ends a part.",
    "labels": "A table with a text and its label in each line (CSV). A text with a comma stands in double quotes.",
    "translate": "A table with a sentence, a tab and its translation in each line (TSV).",
}
SAMPLES: dict[TaskName, str] = {
    "masked": "Short passages of everyday sentences, made by a generator of ours.",
    "next": "Short passages of everyday sentences, made by a generator of ours.",
    "labels": "Sentences that praise or complain, made by a generator of ours: positive and negative.",
    "translate": "English sentences with their Spanish translation, made by a grammar of ours.",
}
FILE_TYPES: dict[TaskName, list[str]] = {
    "masked": ["txt"], "next": ["txt"], "labels": ["csv", "tsv", "txt"], "translate": ["tsv", "txt"],
}  # fmt: skip
SOURCES = ("sample", "paste", "upload")
SOURCE_LABELS = dict(zip(SOURCES, ("The sample", "Paste", "Upload a file"), strict=True))
MOST_PASTED = 1_000_000
"""Characters; a longer text is better uploaded than pasted."""
SHOWN = 1200
"""Characters of the sample that are shown."""
NUMBERS: dict[str, tuple[str, str]] = {
    "n_layers": ("Layers", "How many times attention and feed-forward follow each other."),
    "n_heads": ("Heads", "How many attentions a layer has side by side; the width is shared among them."),
    "d_model": ("Width (d_model)", "Numbers that stand for a token; a multiple of the heads."),
    "d_ff": ("Feed-forward width", "Numbers inside the feed-forward part, usually four times the width."),
    "n_tokens": ("Longest text (tokens)", "Longer rows are cut; attention grows with its square."),
    "d_vocab": ("Vocabulary, at most", "Word pieces that it knows. What is rarer is spelled in smaller pieces."),
    "rows": ("Rows in a batch", "Rows that it reads before each change of its weights."),
    "steps": ("Steps", "How often the weights are changed, each time after one batch."),
    "learning_rate": ("Learning rate", "How far a step goes. Too high, and the loss explodes; too low, and it crawls."),
    "seed": ("Seed", "Which of the many beginnings and orders: the same seed gives the same run."),
}
ABOUT_TIME = "measured just now on a part of one step; it is longer while others use this machine"
_TASK, _PRESET, _SOURCE, _NAME, _PASTED = "lab_task", "lab_preset", "lab_source", "lab_name", "headlight_lab_pasted"


@st.fragment
def new_run() -> None:
    """The four questions and the start."""
    with part_of_page():
        st.markdown("#### 1 · What shall it learn?")
        task: TaskName = st.segmented_control(
            "Task", list(TASK_LABELS), key=_TASK, format_func=TASK_LABELS.__getitem__, default="copy", required=True,
            label_visibility="collapsed", wrap=True, persist_state="session",
        )  # fmt: skip
        st.markdown(TASK_WORDS[task])
        st.markdown("#### 2 · From what?")
        given, is_ready = _data(task)
        st.markdown("#### 3 · How large, and how long?")
        recipe = _recipe(task)
        st.markdown("#### 4 · What that takes")
        if recipe is not None:
            _start(recipe, given, is_ready=is_ready)


# -- from what ---------------------------------------------------------------------------------------------------------


def _data(task: TaskName) -> tuple[Given | None, bool]:
    """The rows, None for a task that makes its own or while there are none; and whether it may start with them."""
    if task in GENERATED:
        st.markdown("It makes its own: random rows of letters, new ones for every run. A part is held out.")
        return None, True
    source = st.segmented_control(
        "Data", list(SOURCES), key=_SOURCE, format_func=SOURCE_LABELS.__getitem__, default=SOURCES[0], required=True,
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    try:
        text = {"sample": _sampled, "paste": _pasted, "upload": _uploaded}[source](task)
        if text is None:
            return None, False
        given = taken(task, text)
    except LabError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None, False
    st.success(
        f"{plain(given.notes[0])} **{len(given.learned):,}** to learn from, **{len(given.held_out):,}** held out.",
        icon=":material/check_circle:",
    )
    if given.notes[1:]:
        st.caption("  \n".join(plain(note) for note in given.notes[1:]))
    return given, True


def _sampled(task: TaskName) -> str:
    text = _sample(task)
    st.caption(SAMPLES[task])
    with st.expander("See the sample"):
        st.code(text[:SHOWN].rsplit("\n", 1)[0] + "\n…", language=None)
        st.download_button(
            "Download the sample", text, file_name=f"sample.{FILE_TYPES[task][0]}", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
    return text


def _pasted(task: TaskName) -> str | None:
    """What was pasted and sent last, for this task; None before."""
    pasted: dict[str, str] = st.session_state.setdefault(_PASTED, {})
    with st.form(f"paste-{task}", border=False):
        typed = st.text_area(
            FORMS[task], value=pasted.get(task, ""), height=180, max_chars=MOST_PASTED, key=f"lab_text_{task}",
            persist_state="session",
        )  # fmt: skip
        if st.form_submit_button("Use this text", icon=":material/check:"):
            pasted[task] = typed or ""
            if not pasted[task].strip():
                raise LabError("Nothing was pasted, or only spaces. Paste some text, or take the sample.")
    text = pasted.get(task)
    if text is not None:
        expect_size(len(text.encode(errors="replace")), supervisor().limits.n_bytes)
    return text or None


def _uploaded(task: TaskName) -> str | None:
    limits = supervisor().limits
    file = st.file_uploader(
        FORMS[task], type=FILE_TYPES[task], key=f"lab_file_{task}", max_upload_size=max(1, round(limits.megabytes)),
        help=f"UTF-8, at most {limits.megabytes:g} MB. It stays on this server, in the folder of the run.",
    )  # fmt: skip
    return None if file is None else decode(file.getvalue(), most_bytes=limits.n_bytes)


@st.cache_data(max_entries=8, show_spinner=False)
def _sample(task: TaskName) -> str:
    return sample(task)


@st.cache_resource(max_entries=8, show_spinner="Reading the data")
def taken(task: TaskName, text: str) -> Given:
    """The rows of a text, read once. Raises LabError."""
    return take(task, text)


# -- how large ---------------------------------------------------------------------------------------------------------


def _recipe(task: TaskName) -> Recipe | None:
    """A preset, with numbers of one's own where they were changed; None, with a sentence, for what cannot be."""
    presets = PRESETS[task]
    name = st.segmented_control(
        "Preset", list(presets), key=f"{_PRESET}_{task}", default=next(iter(presets)), required=True, wrap=True,
        label_visibility="collapsed", on_change=_fill_in, args=(task,), persist_state="session",
    )  # fmt: skip
    preset = presets[name]
    if name == BERT_EXERCISE:
        st.caption("The size of the original BERT exercise. On a processor this takes hours, on a GPU minutes.")
    with st.expander("Sizes of your own"):
        chosen = _numbers(task, preset)
    try:
        return replace(preset, **chosen)
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
    labels = len({label for _, label in given.learned}) if recipe.task == "labels" and given is not None else 2
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
            f"This server stops a training after {limits.minutes:g} minutes; it can be resumed then.",
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
            "": ["Parameters", "Tokens a step", "Tokens in all", "Operations", "Memory", "Time"],
            "this training": [
                f"{cost.parameters:,}",
                f"at most {cost.tokens_per_step:,}",
                f"at most {cost.tokens:,}",
                f"about {power_of_ten(cost.operations)}",
                f"about {in_bytes(cost.memory)}",
                f"about {duration(cost.seconds)}",
            ],
            "how it comes about": [
                "every weight of the model, counted",
                f"{recipe.rows:,} rows × {recipe.n_tokens:,} tokens{both}",
                f"{cost.tokens_per_step:,} × {recipe.steps:,} steps",
                "6 × parameters × tokens (Kaplan et al. 2020)",
                "16 bytes a parameter: weight, gradient, optimizer; what a step computes comes on top",
                ABOUT_TIME,
            ],
        },
        hide_index=True,
    )
