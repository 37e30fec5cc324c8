"""The texts of an atlas: the sample of the app, or the reader's own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from io import StringIO
from itertools import islice

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.analysis.over_texts.corpus import (
    SAMPLE_KOREAN,
    SUFFIXES,
    CorpusText,
    TextColumn,
    columns_of,
    decode_text,
    is_table,
    sample_for,
    sample_texts,
    texts_in,
)
from models.analysis.over_texts.delimited import names_columns
from models.opening.registry import languages_of
from ui.state.plain import plain
from ui.state.selection import selection
from viz.kit.language import said, to_say, tr

SAMPLE_LABEL, OWN_LABEL = to_say("Public sample"), to_say("My own texts")
ABOUT_BOOKS = to_say(
    "The sample holds 1,000 sentences of books in the public domain. Your own texts stay on this server, for "
    "as long as the page is open."
)
ABOUT_KOREAN = to_say(
    "The sample holds 300 Korean sentences, written for Headlight. Your own texts stay on this server, for as long as "
    "the page is open."
)
PASTED = to_say("What you pasted")
MOST_TEXTS = 5000
MOST_MEGABYTES = 5
_KEY = "atlas_corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadersCorpus:
    """Texts, or the sentences of a treebank, with a digest as `key`; the sample's is empty."""

    texts: tuple[CorpusText, ...]
    key: str = ""


def about_sample() -> str:
    """Say what the sample holds that the chosen model reads, and where own texts stay."""
    return said(ABOUT_KOREAN if sample_for(languages_of(selection().model)) == SAMPLE_KOREAN else ABOUT_BOOKS)


def pick_corpus(place: DeltaGenerator) -> ReadersCorpus | None:
    """Draw the choice of the corpus, and return it; None while it is empty. Raises TextError for a file that is not
    text."""
    languages = languages_of(selection().model)
    label = place.segmented_control(
        tr("Over which texts"),
        [SAMPLE_LABEL, OWN_LABEL],
        default=SAMPLE_LABEL,
        key=_KEY,
        required=True,
        format_func=said,
        wrap=True,
        label_visibility="collapsed",
    )
    if label == SAMPLE_LABEL:
        return ReadersCorpus(texts=sample_texts(languages))
    texts = _own()
    if not texts:
        st.info(
            tr("Paste some sentences, one a line, or choose a file. A few hundred say more than ten."),
            icon=":material/edit:",
        )
        return None
    return ReadersCorpus(texts=texts, key=hashlib.sha256("\n".join(map(repr, texts)).encode()).hexdigest())


def _own() -> tuple[CorpusText, ...]:
    """Return the texts of the uploaded file, else the pasted ones. Raises TextError for a file without texts."""
    pasted, chosen = st.columns(2)
    text = pasted.text_area(tr("Sentences, one a line"), key="atlas_pasted", height=140, persist_state="session")
    file = chosen.file_uploader(
        tr("Or a file: text with a sentence a line, a table (CSV, TSV), a treebank (CoNLL-U)"),
        type=[suffix.removeprefix(".") for suffix in SUFFIXES],
        key="atlas_file",
        max_upload_size=MOST_MEGABYTES,
    )
    if file is None and not text.strip():
        return ()
    name, content = (PASTED, text) if file is None else (file.name, decode_text(file.getvalue(), file.name))
    column = _column(columns_of(StringIO(content, newline=""), name), chosen) if is_table(name) else ""
    texts = tuple(islice(texts_in(StringIO(content, newline=""), name, column=column), MOST_TEXTS + 1))
    if len(texts) > MOST_TEXTS:
        st.caption(tr("The first {n} texts are read.", n=f"{MOST_TEXTS:,}"))
    return texts[:MOST_TEXTS]


def _column(first: tuple[str, ...], place: DeltaGenerator) -> TextColumn:
    """Draw the choice of the column with the texts, and return its name, or its number if the first row is a text."""
    has_names = place.checkbox(
        tr("The first row names the columns"),
        names_columns(first),
        key=f"atlas_names-{hash(first)}",
        disabled=len(set(first)) < len(first),
        help=tr("If it does not, it holds a text like all other rows."),
    )
    if has_names:
        return str(place.selectbox(tr("Column with the texts"), first, key="atlas_column", format_func=plain))
    numbers = range(1, len(first) + 1)
    return int(
        place.selectbox(
            tr("Column with the texts"),
            numbers,
            key="atlas_number",
            format_func=lambda number: plain(f"{number}: {first[number - 1]}"),
        )
    )
