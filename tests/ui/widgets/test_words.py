"""Words that a newcomer meets open their entry of the glossary on every page on which they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.test_pages import alone
from ui.state.navigation import PAGES, PageEntry
from ui.widgets.words import FORMS, help_of, link_words
from viz.kit.glossary import FIRST_WORDS, entries, entry, first_words, slug
from viz.kit.language import read_in

OTHER_SENSES = re.compile(
    r"Not Only a Weight|MLM head|NSP head|LM heads?|lost her key|lost his key|log-odds|\*\*(?:\W )?\d+ · [^*]*\*\*"
)
"""The last are titles of lessons, which are no links."""
LINK = re.compile(r"\[(?:\\.|[^\]\\])*\]\(#word-([\w-]+)\)")
OF_THE_VIEWER = ("layer", "head", "query", "key", "scores", "softmax", "weights", "[CLS]", "[SEP]", "word piece")
"""The browser side of the viewer has these; `tests/browser/test_glossary_words.py` opens them there."""


@cache
def first_visit(path: str) -> AppTest:
    """A page as it opens, where it explains an answer that of a small model; nothing here is clicked."""
    return alone(path, model="mini-bert") if path == "pages/explanations.py" else alone(path)


def prose(app: AppTest) -> Iterator[tuple[str, str]]:
    """What is written on a page, of ours, and the help beside it."""
    for kind in ("markdown", "caption", "title", "header", "subheader", "info"):
        for element in app.get(kind):
            yield element.value, getattr(element.proto, "help", "")
    for kind in ("select_slider", "slider", "selectbox", "toggle"):
        for widget in app.get(kind):
            yield widget.label, getattr(widget.proto, "help", "")


def openers(app: AppTest) -> set[str]:
    """The slugs of the entries that can be opened."""
    found = {match for text, more in prose(app) for match in LINK.findall(f"{text} {more}")}
    helps = " ".join(more for _, more in prose(app))
    found |= {slug(word) for word in FIRST_WORDS if help_of(word) in helps}
    return found | ({slug(word) for word in OF_THE_VIEWER} if has_viewer(app) else set())


def has_viewer(app: AppTest) -> bool:
    return any("headlight_viewer" in component.proto.component_name for component in app.get("bidi_component"))


def standing(app: AppTest) -> dict[str, str]:
    """The words that stand on a page, each with the first text that it stands in."""
    met: dict[str, str] = {}
    for text, _ in prose(app):
        plain = OTHER_SENSES.sub("", LINK.sub(lambda match: match[0].partition("](")[0], text).replace("\\", ""))
        for word, form in FORMS.items():
            if re.search(form, plain, re.IGNORECASE):
                met.setdefault(word, text)
    return met


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_every_word_that_stands_on_a_page_can_be_opened_there(page: PageEntry) -> None:
    app = first_visit(page.path)
    opened = openers(app)
    assert {word: text for word, text in standing(app).items() if slug(word) not in opened} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_every_link_to_a_word_leads_to_an_entry_that_the_page_has_been_sent(page: PageEntry) -> None:
    linked = {match for text, more in prose(first_visit(page.path)) for match in LINK.findall(f"{text} {more}")}
    assert linked <= set(first_words())


def test_a_text_of_parts_links_the_first_place_of_a_word_and_no_word_in_a_word() -> None:
    assert link_words(r"keys, key, keyboard, \[CLS\]", "key", "[CLS]") == (
        r"[keys](#word-key), key, keyboard, [\[CLS\]](#word-cls-token)"
    )
    assert link_words("[keys](#word-key) and a key", "key") == "[keys](#word-key) and a key"
    assert link_words("keyboards") == "keyboards"


def test_the_glossary_is_one_table_without_markdown_in_what_is_shown() -> None:
    assert len(entries()) > 90
    assert entry("[MASK]").meaning != entry("mask").meaning
    shown: list[Any] = [text for each in first_words().values() for text in each.values()]
    assert not [text for text in shown if re.search(r"[`]|\*\*|\\\|", text)]


def test_every_word_has_an_entry_of_a_size_that_a_label_can_show() -> None:
    assert all(20 < len(entry(word).meaning) < 220 for word in FIRST_WORDS)


def test_words_of_korean_are_links_where_they_are_words_of_their_own() -> None:
    with read_in("ko"):
        said = link_words("키보드가 아니라 키가, 그리고 쿼리와 [CLS] 토큰을 봅니다.", "key", "query", "[CLS]")
    assert (
        said
        == "키보드가 아니라 [키](#word-key)가, 그리고 [쿼리](#word-query)와 [\\[CLS\\]](#word-cls-token) 토큰을 봅니다."
    )
