"""The texts that an atlas is made from: the sample that comes with the app, or the reader's own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.analysis.over_texts.corpus import SUFFIXES, columns_of, sample_texts, texts_in
from models.values.errors import TextError
from ui.widgets.plain import plain

SAMPLE_LABEL, OWN_LABEL = "Public sample", "My own texts"
MOST_TEXTS = 5000
MOST_MEGABYTES = 5
_KEY = "atlas_corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadersCorpus:
    """Texts, and the `key` by which equal ones are known; an empty key is that of the sample."""

    texts: tuple[str, ...]
    key: str = ""


def pick_corpus(place: DeltaGenerator) -> ReadersCorpus | None:
    """What the reader has chosen; None while there is nothing to read. Raises TextError for a file that is none."""
    which = place.segmented_control(
        "Over which texts", [SAMPLE_LABEL, OWN_LABEL], default=SAMPLE_LABEL, key=_KEY, required=True,
        help="The sample holds 1,000 sentences of books in the public domain. Your own texts stay on this server, for "
        "as long as the page is open.",
    )  # fmt: skip
    if which == SAMPLE_LABEL:
        return ReadersCorpus(texts=sample_texts())
    texts = _own()
    if not texts:
        st.info(
            "Paste some sentences, one a line, or choose a file. A few hundred say more than ten.",
            icon=":material/edit:",
        )
        return None
    return ReadersCorpus(texts=texts, key=hashlib.sha256("\n".join(texts).encode()).hexdigest())


def _own() -> tuple[str, ...]:
    """The texts of the file, else those that were pasted."""
    pasted, chosen = st.columns(2)
    text = pasted.text_area("Sentences, one a line", key="atlas_pasted", height=140, persist_state="session")
    file = chosen.file_uploader(
        "Or a file: text with a sentence a line, a table (CSV), a treebank (CoNLL-U)",
        type=[suffix.removeprefix(".") for suffix in SUFFIXES], key="atlas_file", max_upload_size=MOST_MEGABYTES,
    )  # fmt: skip
    lines, suffix, column = text.splitlines(), SUFFIXES[0], ""
    if file is not None:
        lines = _decoded(file.getvalue(), file.name).splitlines(keepends=True)
        suffix = next(each for each in SUFFIXES if file.name.lower().endswith(each))
        if suffix == ".csv":
            column = str(
                chosen.selectbox("Column with the texts", columns_of(lines), key="atlas_column", format_func=plain)
            )
    found = tuple(islice(texts_in(lines, suffix, column=column), MOST_TEXTS + 1))
    if len(found) > MOST_TEXTS:
        st.caption(f"The first {MOST_TEXTS:,} texts are read.")
    return found[:MOST_TEXTS]


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TextError(f"{name} is not text in UTF-8. Save it as UTF-8, or paste the sentences.") from error
