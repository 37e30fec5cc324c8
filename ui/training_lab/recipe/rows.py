"""The data of a new run: a sample, pasted text, or a file."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lab.data.cleaning import decode, expect_size
from lab.data.given import Given
from lab.data.samples import ATTRIBUTION, CONVERSATION, everyday, korean_reviews, sample, take
from lab.recipe import GENERATED, TaskName
from models.values.errors import LabError
from ui.state.plain import plain
from ui.training_lab.server import supervisor
from viz.kit.language import language, said, to_say, tr

FORMS: dict[TaskName, str] = {
    "masked": to_say("Plain text. An empty line starts a new part."),
    "next": to_say("Plain text. An empty line starts a new part."),
    "labels": to_say(
        "A table (CSV) with a text and its label on each line. Put double quotes around a text with a comma. The files "
        "of NSMC (id, document, label with tabs between) are read as they are, and so are rows of JSON."
    ),
    "words": to_say(
        "A treebank in CoNLL-U, a file like those of CoNLL-2003, or a table (CSV) with a word and its label on each "
        "line and an empty line after each sentence."
    ),
    "translate": to_say("A table (TSV) with a sentence, a tab and its translation on each line, or rows of JSON."),
}
SAMPLES: dict[TaskName, str] = {
    "masked": to_say("Short passages of everyday sentences, made by our own generator."),
    "next": to_say("Short passages of everyday sentences, made by our own generator."),
    "labels": to_say("Sentences that praise or complain, made by our own generator: positive and negative."),
    "words": to_say(
        "Sentences with grammar but without sense, made by our own generator, and the part of speech of every word. "
        "Many words are sometimes a noun and sometimes a verb."
    ),
    "translate": to_say("English sentences with their Spanish translation, made by our own grammar."),
}
FILE_TYPES: dict[TaskName, list[str]] = {
    "masked": ["txt"],
    "next": ["txt"],
    "labels": ["csv", "tsv", "txt", "json", "jsonl"],
    "words": ["csv", "tsv", "txt", "conll", "conllu"],
    "translate": ["tsv", "txt", "json", "jsonl"],
}
SOURCE_LABELS = {
    "sample": to_say("The sample"),
    "korean": to_say("Korean sentences"),
    "everyday": to_say("Everyday sentences"),
    "conversation": to_say("A conversation"),
    "paste": to_say("Paste"),
    "upload": to_say("Upload a file"),
}
FIRST = "sample"
OF_TEXTS: tuple[TaskName, ...] = ("masked", "next")
"""The tasks that learn from running text, and have a second, very short example."""
ONLY_FOR: dict[str, tuple[TaskName, ...]] = {
    "conversation": OF_TEXTS,
    "everyday": ("translate",),
    "korean": ("labels",),
}
"""The tasks of each second example."""
MOST_PASTED = 1_000_000
"""The most characters of a pasted text; longer ones are uploaded."""
SHOWN = 1200
"""The number of characters of the sample that are shown."""
_SOURCE, _PASTED = "lab_source", "headlight_lab_pasted"


def pick_rows(task: TaskName) -> tuple[Given | None, bool]:
    """Draw the choice of the data, and return its rows and whether training can start.

    The rows are None for a task that generates its own, and while there are none.
    """
    if task in GENERATED:
        st.markdown(tr("It makes its own data: random rows of letters, new for every run. Some are held out."))
        return None, True
    try:
        given = _read_rows(task, _pick_source(task))
    except LabError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None, False
    if given is None:
        return None, False
    st.success(
        tr(
            "{about} **{learned}** to learn from, **{held_out}** held out.",
            about=plain(given.notes[0]),
            learned=f"{len(given.learned):,}",
            held_out=f"{len(given.held_out):,}",
        ),
        icon=":material/check_circle:",
    )
    if given.notes[1:]:
        st.caption("  \n".join(plain(note) for note in given.notes[1:]))
    return given, True


def _pick_source(task: TaskName) -> str:
    options = [name for name in SOURCE_LABELS if task in ONLY_FOR.get(name, FORMS)]
    first = "korean" if "korean" in options and language() == "ko" else FIRST
    if st.session_state.get(_SOURCE, first) not in options:
        st.session_state[_SOURCE] = first
    source: str = st.segmented_control(
        tr("Data"),
        options,
        key=_SOURCE,
        format_func=lambda name: said(SOURCE_LABELS[name]),
        default=first,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    return source


def _read_rows(task: TaskName, source: str) -> Given | None:
    """Draw the inputs of a source, and return its rows; None while there are none. Raises LabError."""
    text = {
        "sample": _show_sample,
        "korean": _show_korean,
        "everyday": _show_everyday,
        "conversation": _show_conversation,
        "paste": _paste_text,
        "upload": _upload_text,
    }[source](task)
    if text is None:
        return None
    with st.spinner(tr("Reading the data")):
        given = take_rows(task, text)
    return replace(given, notes=(*given.notes, ATTRIBUTION)) if source == "everyday" else given


def _show_sample(task: TaskName) -> str:
    return _offer_sample(task, _sample(task), SAMPLES[task])


def _show_everyday(task: TaskName) -> str:
    return _offer_sample(task, everyday(), to_say("Short sentences that people have said, in English and in Spanish."))


def _show_korean(task: TaskName) -> str:
    about = to_say("400 Korean sentences that praise or complain, written for Headlight: positive and negative.")
    return _offer_sample(task, korean_reviews(), about)


def _offer_sample(task: TaskName, text: str, about: str) -> str:
    """Draw the beginning of a sample and its file, and return it."""
    st.caption(said(about))
    with st.expander(tr("See the sample")):
        st.code(text[:SHOWN].rsplit("\n", 1)[0] + "\n…", language=None)
        st.download_button(
            tr("Download the sample"),
            text,
            file_name=f"sample.{FILE_TYPES[task][0]}",
            on_click="ignore",
            icon=":material/download:",
        )
    return text


def _show_conversation(_task: TaskName) -> str:
    st.caption(tr("Six turns of a conversation, like the exercises that train a BERT on a page of text."))
    st.code(CONVERSATION, language=None)
    return CONVERSATION


def _paste_text(task: TaskName) -> str | None:
    """Draw the field for pasting, and return the text last submitted for this task; None before."""
    pasted: dict[str, str] = st.session_state.setdefault(_PASTED, {})
    with st.form(f"paste-{task}", border=False):
        typed = st.text_area(
            said(FORMS[task]),
            value=pasted.get(task, ""),
            height=180,
            max_chars=MOST_PASTED,
            key=f"lab_text_{task}",
            persist_state="session",
        )
        if st.form_submit_button(tr("Use this text"), icon=":material/check:"):
            pasted[task] = typed or ""
            if not pasted[task].strip():
                raise LabError(to_say("Nothing was pasted, or only spaces. Paste some text, or use the sample."))
    text = pasted.get(task)
    if not text:
        st.caption(tr("“Start” waits until you have pasted some text and pressed “Use this text”."))
    if text is not None:
        expect_size(len(text.encode(errors="replace")), supervisor().limits.n_bytes)
    return text or None


def _upload_text(task: TaskName) -> str | None:
    limits = supervisor().limits
    file = st.file_uploader(
        said(FORMS[task]),
        type=FILE_TYPES[task],
        key=f"lab_file_{task}",
        max_upload_size=max(1, round(limits.megabytes)),
        help=tr(
            "UTF-8, at most {megabytes} MB. It stays on this server, in the folder of the run.",
            megabytes=f"{limits.megabytes:g}",
        ),
    )
    return None if file is None else decode(file.getvalue(), most_bytes=limits.n_bytes)


@st.cache_data(max_entries=8, show_spinner=False)
def _sample(task: TaskName) -> str:
    return sample(task)


@st.cache_resource(max_entries=8, show_spinner=False)
def take_rows(task: TaskName, text: str) -> Given:
    """Split a text into rows, once. Raises LabError."""
    return take(task, text)
