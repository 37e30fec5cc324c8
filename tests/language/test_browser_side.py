"""Every sentence of the browser side is translated where it is shown: none stands beside the functions that do so."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.jslexer import Token, tokenize, unquote_string

from tests.language.catalogues import IN_JAVASCRIPT
from viz.class_room.page import FRONTEND as ROOM
from viz.kit.language import read_in
from viz.viewer.html import (
    DECLARED,
    ENTRY,
    ENTRY_ALONE,
    ENTRY_LIVE,
    ENTRY_OF_COMPARISON,
    ENTRY_OF_LESSONS,
    ENTRY_OF_SITE,
    ENTRY_OF_SOURCES,
    sources_of,
)
from viz.viewer.html import FRONTEND as VIEWER

SCRIPTS = sorted([*VIEWER.glob("*.js"), *ROOM.glob("*.js")])
TWO_WORDS = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")
NO_SENTENCES = {
    "comparison.js": ("viewer compared",),
    "comparison_files.js": (
        "distance of the rows",
        "Two heads side by side, from",
        "NaN where",
        "tokens that differ are",
    ),
    "number_files.js": (
        "Attention weights, from",
        "weights[layer, head",
        "sink_shares[layer, head",
        "query_tokens and",
        "value_norms[layer, head",
    ),
    "overview.js": ("linear-gradient(to right",),
    "picture_files.js": ("<?xml version",),
    "svg_context.js": ("10px sans-serif",),
    "words.js": ("panel word-panel",),
}
"""How they begin: classes, styles, and what stands in files of numbers, which programs read."""


def literals(path: Path) -> Iterator[tuple[str, bool]]:
    """The texts in a script, without what their gaps hold, and whether each is given to a function that translates."""
    calls: list[str] = []
    before = Token("operator", "", 0)
    for token in tokenize(path.read_text(encoding="utf-8"), jsx=False):
        if token.value == "(":
            calls.append(before.value if before.type == "name" else "")
        elif token.value == ")":
            calls.pop()
        elif token.type in ("string", "template_string"):
            text = re.sub(r"\$\{.*?\}", "", unquote_string(token.value), flags=re.DOTALL)
            yield text, bool(calls) and calls[-1] in IN_JAVASCRIPT
        before = token


def test_no_sentence_stands_beside_the_functions_that_translate() -> None:
    left, unused = [], []
    for path in SCRIPTS:
        texts = [text for text, is_translated in literals(path) if TWO_WORDS.search(text) and not is_translated]
        beginnings = NO_SENTENCES.get(path.name, ())
        left += [(path.name, text) for text in texts if not text.startswith(beginnings)]
        unused += [(path.name, begins) for begins in beginnings if not any(text.startswith(begins) for text in texts)]
    assert left == []
    assert unused == []


def test_what_is_given_to_them_is_read_into_the_catalogues(code: Catalog) -> None:
    known = [text for each in code for text in (each.id if isinstance(each.id, tuple) else (each.id,))]
    given = {text for path in SCRIPTS for text, is_translated in literals(path) if is_translated}
    assert len(given) > 200
    assert {text for text in given if not any(text in sentence for sentence in known)} == set()


@pytest.mark.parametrize(
    "entry", [ENTRY, ENTRY_OF_SOURCES, ENTRY_OF_COMPARISON, ENTRY_LIVE, ENTRY_OF_SITE, ENTRY_OF_LESSONS, ENTRY_ALONE]
)
def test_a_document_carries_the_translations_of_all_sentences_in_its_modules(entry: str) -> None:
    with read_in("ko"):
        sources = sources_of(entry)
    carried = sources.pop(DECLARED)
    said = {
        sentence[0] if isinstance(sentence, tuple) else sentence
        for source in sources.values()
        for _, sentence, _, _ in extract("javascript", io.BytesIO(source.encode()), IN_JAVASCRIPT)
    }
    assert len(said) > 10
    assert {sentence for sentence in said if json.dumps(sentence) not in carried} == set()
