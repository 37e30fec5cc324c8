"""Every page and every part of a page reads in Korean: no English sentence is left but what models read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from ui.answers.next_sentence.second_sentences import SENTENCES
from ui.heads.switchboard import examples
from ui.state.choices import (
    BESIDE,
    BOARD_PARTS,
    COMPARED,
    COST_PARTS,
    JUDGED_BY,
    PARTS,
    READINGS,
    SCHEMES,
    TRANSLATION_PARTS,
)
from ui.state.navigation import PAGES
from ui.widgets.asking import inputs

ROOT = Path(__file__).resolve().parents[2]
TWO_WORDS = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")
HANGUL = re.compile(r"[가-힣]")
UNSEEN = frozenset(
    {
        "id",
        "figure",
        "spec",
        "url",
        "formId",
        "key",
        "mediaEndpoint",
        "fileUrl",
        "arrowData",
        "htmlContent",
        "cssContent",
        "jsContent",
        "family",
        "srcdoc",
        "icon",
        "textposition",
    }
)
"""Fields of what a page sends that nobody reads; plotly's figures are looked into themselves."""
OF_MODELS = ("text_input", "text_area", "code", "latex", "subheader")
"""Elements that hold what a reader typed, what a model wrote, code and formulas."""
ANSWERED = re.compile(r":[a-z]+(-background)?\[")
"""So is coloured what a model answers, in the reader's sentence."""
LABELS_OF_EXAMPLES = {
    label
    for module in (inputs, examples)
    for offered in vars(module).values()
    if isinstance(offered, dict)
    for label in offered
    if isinstance(label, str)
}
"""They quote words of the sentence that they stand for."""
MARKUP = re.compile("<[^>]*>|[\\\\*#■▶◀\u2066-\u2069\\[\\]]|:\\w+-?\\w*(?=\\[)")
BEGINNING = 12
"""So many letters of a sentence that was given tell it: a model has filled its gaps, or gone on."""
WEATHER = "It is raining. Take your [MASK]."
FEW = {"model": "mini-bert"}
"""A model of few heads, where every head is asked about."""
ASK_EVERY_HEAD = ("pages/switchboard.py", "pages/explanations.py")
GPT = {"model": "mini-gpt", "text": "The man went to the shop and bought some"}
OPINION = {"model": "sentiment", "text": "The film was not good."}
SKIRT = {"model": "translator-es", "text": "The girl has a red skirt."}
VISITS: tuple[tuple[str, dict[str, str]], ...] = (
    *((entry.path, FEW if entry.path in ASK_EVERY_HEAD else {}) for entry in PAGES),
    *(("pages/attention.py", {"view": "compare", "compared": each}) for each in COMPARED[:4]),
    *(
        ("pages/attention.py", choices)
        for choices in (
            {"view": "head-view"},
            {"view": "model-view"},
            {"view": "file"},
            {"model": "nobody-here"},
            {"text": "한국어 문장 😀"},
            {"text": ""},
            {"text": "word " * 600},
            {"text": "It was late.", "text_b": "He slept."},
            {**SKIRT, "kind": "cross"},
        )
    ),
    ("pages/head_atlas.py", {"atlas": "alike"}),
    *(("pages/switchboard.py", {**FEW, "board": each, "text": "The [MASK] barked."}) for each in BOARD_PARTS),
    ("pages/switchboard.py", GPT),
    ("pages/switchboard.py", OPINION),
    ("pages/switchboard.py", SKIRT),
    *(("pages/explanations.py", {**FEW, "judged_by": each, "text": WEATHER}) for each in JUDGED_BY),
    ("pages/explanations.py", GPT),
    *(("pages/queries_keys_values.py", {"part": each, "query": "3"}) for each in PARTS),
    *(("pages/positions.py", {"scheme": each}) for each in SCHEMES),
    *(("pages/step_by_step.py", {"step": each, "what_if": "no_scaling"}) for each in ("scores", "weights", "output")),
    *(("pages/masked_words.py", {"beside": each}) for each in BESIDE),
    *(
        ("pages/masked_words.py", each)
        for each in (
            {"task": "two", "other": "He said that [MASK] was late."},
            {"asked": "umbrella"},
            GPT,
            {"text": "No mask at all."},
        )
    ),
    ("pages/labels.py", OPINION),
    ("pages/labels.py", {"labelled": "words", "text": "They play with a watch."}),
    ("pages/next_sentence.py", {"direction": "A to B"}),
    ("pages/next_sentence.py", GPT),
    *(("pages/translation.py", {"translation": each}) for each in TRANSLATION_PARTS),
    ("pages/translation.py", {**SKIRT, "model": "translator-ko"}),
    *(("pages/bert_and_gpt.py", {"reading": each}) for each in READINGS),
    *(("pages/what_attention_costs.py", {"cost": each}) for each in COST_PARTS),
    ("pages/training_lab.py", {"lab": "over-time"}),
    ("pages/lessons.py", {"lesson": "attention"}),
    ("pages/lessons.py", {"lesson": "explanation", "lesson_step": "4"}),
)


def texts(value: Any) -> Iterator[str]:
    """All texts in what a page sends that somebody reads."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            if name not in UNSEEN:
                yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def elements(block: Any) -> Iterator[Any]:
    for each in block.children.values():
        yield each
        if hasattr(each, "children"):
            yield from elements(each)


def english_left(app: AppTest, given: str) -> set[str]:
    """English sentences of a page, apart from what models read and write."""
    left = set()
    for element in elements(app.main):
        if element.proto is None or element.type in OF_MODELS or element.type == "html":
            continue
        if element.type == "plotly_chart":
            told = json.loads(element.proto.spec or element.proto.figure.spec)
        else:
            told = MessageToDict(element.proto)
        for text in texts(told):
            seen = MARKUP.sub("", text).strip()
            is_quoted = (
                ANSWERED.search(text)
                or seen in SENTENCES
                or seen in LABELS_OF_EXAMPLES
                or seen[:BEGINNING].lower() in given.lower()
                or seen[:1] in "{“'"
            )
            if TWO_WORDS.search(seen) and not HANGUL.search(seen) and not is_quoted:
                left.add(seen)
    return left


@pytest.mark.usefixtures("few_texts")
@pytest.mark.parametrize(("path", "choices"), VISITS, ids=lambda value: str(value)[:60])
def test_no_english_sentence_is_left_in_korean(path: str, choices: dict[str, str]) -> None:
    app = AppTest.from_file(str(ROOT / path), default_timeout=390)
    for name, value in {"lang": "ko", **choices}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    given = " ".join((app.session_state["text"], app.session_state["text_b"], app.session_state["other"]))
    assert english_left(app, given) == set()
    shown = " ".join(
        text
        for element in elements(app.main)
        if element.proto is not None and element.type != "html"
        for text in texts(MessageToDict(element.proto))
    )
    assert len(HANGUL.findall(shown)) > 40
