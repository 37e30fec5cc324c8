"""The page "Lessons" in Korean: lessons of its own, and a change of the language in the middle of one."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from lessons import LessonStep, answer_ask, facts_of, fill_template
from tests.loaded import load
from tests.ui.lessons.test_lessons import KOREAN, OF_THEIR_OWN
from tests.ui.lessons.test_page import drawn, key, opened, press, said
from ui.class_room.of_lesson import in_all_languages
from ui.lessons.library import NamedLesson, own_lessons
from ui.lessons.reading import for_class
from viz.kit.language import read_in, shown

STEPS = [
    pytest.param(name, number, step, id=f"{name} {number}")
    for (_, name), found in OF_THEIR_OWN.items()
    for number, step in enumerate(found.lesson.steps)
]


def korean(**choices: object) -> AppTest:
    return opened(**choices, lang="ko")


def in_language(app: AppTest, language: str) -> AppTest:
    app.query_params["lang"] = language
    return app.run()


def lesson(name: str, language: str) -> NamedLesson:
    with read_in(language):
        return own_lessons()[name]


def letters(text: str) -> str:
    """A text without spaces and without the signs of Markdown and of links to the glossary."""
    return re.sub(r":gray\[\]|\(#word-[^)]*\)|[\s\\\[\]*]", "", text)


def claim_of(step: LessonStep, model: str) -> str:
    """The claim of a step with what a model computes, in Korean."""
    outcomes = {name: answer_ask(load(model), asked) for name, asked in step.asks.items()}
    with read_in("ko"):
        return letters(fill_template(step.claim, facts_of(outcomes), shown))


@pytest.mark.parametrize(("name", "number", "step"), STEPS)
def test_a_korean_step_asks_its_model_about_its_sentence(name: str, number: int, step: LessonStep) -> None:
    (model,) = OF_THEIR_OWN["ko", name].lesson.models
    app = korean(lesson=name, lesson_step=number)
    assert not app.exception
    assert not app.error
    assert step.title in said(app)
    assert step.ask.text("text") in said(app)
    app = press(app, "skip-")
    assert not app.exception
    assert not app.error
    assert not app.warning
    assert bool(drawn(app)) is bool(step.view or answer_ask(load(model), step.ask).bars)
    assert claim_of(step, model) in letters(" ".join(element.value for element in app.markdown))


@pytest.mark.parametrize("name", KOREAN)
def test_the_language_is_changed_in_the_middle_of_a_lesson_and_back(name: str) -> None:
    ko, en = lesson(name, "ko").lesson, lesson(name, "en").lesson
    last = max(len(ko.steps), len(en.steps)) - 1
    app = press(korean(lesson=name, lesson_step=last), "skip-")
    place = last
    for language, told in (("en", en), ("ko", ko)):
        app = in_language(app, language)
        assert not app.exception
        assert not app.error
        place = min(place, len(told.steps) - 1)
        assert told.steps[place].title in said(app)
        assert told.steps[place].ask.text("text") in said(app)
    assert (place == len(ko.steps) - 1) is any((button.key or "").startswith("again-") for button in app.button)


def test_a_lesson_begun_in_one_language_goes_on_in_another_with_fewer_steps() -> None:
    longer = next(
        name for name in KOREAN if len(lesson(name, "ko").lesson.steps) > len(lesson(name, "en").lesson.steps)
    )
    n_korean, n_english = (len(lesson(longer, language).lesson.steps) for language in ("ko", "en"))
    app = press(korean(lesson=longer, lesson_step=n_korean - 1), "all-lessons")
    app = in_language(app, "en")
    assert not app.exception
    assert app.button(key=f"begin-{longer}").label == f"Go on: step {n_english} of {n_english}"


def test_a_prediction_stays_where_a_translation_asks_the_same() -> None:
    app = press(opened(lesson="masks", lesson_step=0), "skip-")
    app = in_language(app, "ko")
    assert "예측을 건너뛰었습니다" in said(app)
    app = press(opened(lesson="attention", lesson_step=0), "skip-")
    app = in_language(app, "ko")
    assert key(app, "skip-")


def test_a_class_is_asked_a_question_of_a_lesson_of_its_own_as_it_is() -> None:
    for spoken, other in (("ko", "en"), ("en", "ko")):
        named = lesson("attention", spoken)
        asked = named.lesson.steps[1]
        facts = facts_of({"": answer_ask(load(named.lesson.models[0]), asked.ask)})
        with read_in(spoken):
            wordings = in_all_languages(lambda named=named, facts=facts: for_class(named, 1, facts))
        assert wordings[spoken][0] == wordings[other][0]
        assert wordings[other][0].endswith(f"“{asked.ask.text('text')}”")
        assert wordings[other][0].startswith(asked.question)
