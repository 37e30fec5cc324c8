"""The start of a reader of each language, and what stays when the language is changed."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from models.analysis.one_text.row import strongest_in_row
from models.opening.registry import DEFAULT_MODEL, REGISTRY
from tests.loaded import load
from tests.ui.test_pages import alone, figures, through_app
from ui.state.choices import CAUSAL_MODEL, DEFAULTS
from ui.state.first_visit import FIRST_VISITS
from ui.state.plain import plain
from ui.widgets.asking.showcases import KOREAN_SHOWCASES
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
    "what_attention_costs": CAUSAL_MODEL,
}
"""The pages that none serves yet."""


FIRST_LOOKS = 8
"""The token of the first Korean sentence that looks: the stem of its verb."""


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


@pytest.mark.parametrize("page", ["home", "attention", "queries_keys_values", "step_by_step"])
def test_a_page_that_opens_on_a_finding_opens_in_korean_on_its_head_and_word_and_says_them(page: str) -> None:
    app = alone(f"pages/{page}.py", lang="ko")
    side = KOREAN_SHOWCASES[0].sides[0]
    assert (app.session_state["layer"], app.session_state["head"]) == (side.layer, side.head) != (0, 0)
    recording = load(KOREAN.model, device="cpu").record(KOREAN.text)
    found = strongest_in_row(recording.of("encoder"), None, layer=side.layer, head=side.head, query=FIRST_LOOKS)
    assert found is not None
    assert recording.tokens[FIRST_LOOKS].text == side.query
    said = " ".join(str(one.value) for one in (*app.markdown, *app.caption))
    if page in ("home", "attention"):
        assert f"{found.weight:.0%}" in said.replace("\\", "")
        assert "쫓았다" in said
        assert "고양이를" in said
    else:
        assert app.session_state["query"] == FIRST_LOOKS
        particle = recording.tokens[found.key + 1].text  # of the pieces of the object, the stem looks at its particle
        assert page == "step_by_step" or f"“{plain(particle)}”입니다" in said


@pytest.mark.parametrize("page", ENGLISH_STILL)
def test_a_page_that_no_korean_model_serves_stays_english(page: str) -> None:
    app = alone(f"pages/{page}.py", lang="ko")
    model, text = texts(app)
    assert model == ENGLISH_STILL[page]
    assert not HANGUL.search(text)
    assert any("영어 모델" in caption.value and "예문의 뜻" in caption.value for caption in app.caption)
    assert shown_without_error(app)


def test_two_korean_sentences_are_compared() -> None:
    app = alone("pages/attention.py", lang="ko", view="compare")
    assert HANGUL.search(app.session_state["other_text"])
    assert app.session_state["other_text"] != app.session_state["text"]
    side = KOREAN_SHOWCASES[0].sides[0]
    assert (app.session_state["layer"], app.session_state["head"]) == (side.layer, side.head), "the swing of Home"
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
