"""The start of a reader of each language, and what stays when the language is changed."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from models.opening.registry import DEFAULT_MODEL, REGISTRY
from tests.ui.test_pages import alone, figures, through_app
from ui.state.choices import CAUSAL_MODEL, DEFAULTS
from ui.state.first_visit import FIRST_VISITS
from ui.widgets.atlases import embedded_atlas
from viz.kit.language import LANGUAGES, read_in

HANGUL = re.compile(r"[가-힣]")
KOREAN = FIRST_VISITS["ko"]
PAGES = {
    "home": KOREAN.model,
    "attention": KOREAN.model,
    "masked_words": KOREAN.model,
    "switchboard": KOREAN.model,
    "head_atlas": KOREAN.model,
    "explanations": KOREAN.explained,
    "queries_keys_values": KOREAN.model,
    "step_by_step": KOREAN.model,
    "positions": KOREAN.model,
    "labels": KOREAN.classifier,
}
"""The pages that a Korean model serves, with the model that they open with in Korean."""
ENGLISH_STILL = {
    "next_sentence": DEFAULT_MODEL,
    "bert_and_gpt": DEFAULT_MODEL,
    "translation": "translator-es",
    "what_attention_costs": CAUSAL_MODEL,
}
"""The pages that none serves yet."""


def texts(app: AppTest) -> tuple[str, str]:
    return app.session_state["model"], app.session_state["text"]


def turned(app: AppTest, name: str) -> AppTest:
    """Choose another language; the test formats the options of widgets in it as the app does."""
    app.session_state["lang"] = name
    with read_in("en" if name == "ko" else "ko"):
        return app.run()


def shown_without_error(app: AppTest) -> bool:
    return not (app.exception or app.error or app.warning)


def test_every_language_has_a_first_visit_with_listed_models() -> None:
    assert set(FIRST_VISITS) == set(LANGUAGES)
    for first in FIRST_VISITS.values():
        assert {first.model, first.classifier, first.explained} <= set(REGISTRY)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_in_korean_with_a_korean_model_and_sentence(page: str) -> None:
    app = alone(f"pages/{page}.py", lang="ko")
    model, text = texts(app)
    assert model == PAGES[page]
    assert HANGUL.search(text)
    assert shown_without_error(app)
    assert figures(app) or (page == "head_atlas" and embedded_atlas(model, "encoder") is None)


@pytest.mark.parametrize("page", ENGLISH_STILL)
def test_a_page_that_no_korean_model_serves_stays_english(page: str) -> None:
    app = alone(f"pages/{page}.py", lang="ko")
    model, text = texts(app)
    assert model == ENGLISH_STILL[page]
    assert not HANGUL.search(text)
    assert shown_without_error(app)


def test_two_korean_sentences_are_compared() -> None:
    app = alone("pages/attention.py", lang="ko", view="compare")
    assert HANGUL.search(app.session_state["other_text"])
    assert app.session_state["other_text"] != app.session_state["text"]
    assert shown_without_error(app)


def test_the_untouched_defaults_turn_with_the_language_and_back() -> None:
    app = alone("pages/attention.py")
    assert texts(app) == (DEFAULT_MODEL, DEFAULTS["text"])
    assert texts(turned(app, "ko")) == (KOREAN.model, KOREAN.text)
    assert texts(turned(app, "en")) == (DEFAULT_MODEL, DEFAULTS["text"])


@pytest.mark.parametrize("page", ["labels", "masked_words", "head_atlas"])
def test_the_first_example_of_a_page_turns_too(page: str) -> None:
    app = alone(f"pages/{page}.py")
    model, text = texts(turned(app, "ko"))
    assert model == PAGES[page]
    assert HANGUL.search(text)


def test_a_typed_sentence_and_its_model_stay_when_the_language_turns() -> None:
    app = alone("pages/attention.py")
    app.text_input(key="typed_text").set_value("a sentence of mine")
    app.button[0].click().run()
    assert texts(turned(app, "ko")) == (DEFAULT_MODEL, "a sentence of mine")
    assert shown_without_error(app)


@pytest.mark.parametrize("named", [{"text": "He slept."}, {"text": "He slept.", "model": "mini-bert"}])
def test_an_english_sentence_of_a_link_is_read_by_a_model_of_english(named: dict[str, str]) -> None:
    app = alone("pages/attention.py", lang="ko", **named)
    assert texts(app) == (named.get("model", DEFAULT_MODEL), "He slept.")


def test_a_model_of_a_link_opens_with_a_sentence_that_it_reads() -> None:
    assert texts(alone("pages/attention.py", lang="ko", model="mini-bert")) == ("mini-bert", DEFAULTS["text"])
    assert texts(alone("pages/attention.py", model=KOREAN.model)) == (KOREAN.model, KOREAN.text)


def test_a_stand_in_leaves_the_model_of_the_language() -> None:
    app = through_app("pages/labels.py")
    assert texts(turned(app, "ko"))[0] == KOREAN.classifier
    with read_in("ko"):
        assert texts(app.switch_page("../pages/home.py").run()) == (KOREAN.model, KOREAN.text)
