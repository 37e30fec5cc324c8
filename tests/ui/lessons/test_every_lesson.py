"""Every lesson of the app: on its page, in the form of its author, and with all its models, in one file so that the
answers are computed once."""

from __future__ import annotations

import re

import pytest

from lessons import LessonStep, facts_of, fill_template, in_words, untrue
from tests.loaded import answer, load
from tests.ui.lessons.test_in_korean import in_language, lesson
from tests.ui.lessons.test_lessons import BEGIN, GUIDES_LESSONS, KOREAN, OF_THEIR_OWN, OTHERS, begin_in, lessons_in
from tests.ui.lessons.test_making import choose_step, text_of
from tests.ui.lessons.test_making import opened as open_draft
from tests.ui.lessons.test_making import said as said_beside_form
from tests.ui.lessons.test_page import drawn, opened, press, said
from ui.lessons.fields import key_of
from ui.lessons.library import lesson_of, own_lessons
from viz.attention.covered import COVERED
from viz.kit.language import ENGLISH, read_in, shown

ELSEWHERE = {
    "the one to begin with": lesson_of(BEGIN),
    **{f"the one to begin with in {language}": lesson_of(begin_in(language)) for language in OTHERS},
    **{f"the guide's, {at}": lesson_of(text) for at, text in enumerate(GUIDES_LESSONS, start=1)},
}
STEPS = [
    pytest.param(step, model, id=f"{name}, {step.title}, {model}")
    for name, lesson in ELSEWHERE.items()
    for model in lesson.models
    for step in lesson.steps
] + [
    pytest.param(step, model, id=f"{name}, {step.title}, {model}")
    for name, found in (*own_lessons().items(), *((name, found) for (_, name), found in OF_THEIR_OWN.items()))
    for model in found.lesson.models[1:]
    for step in found.lesson.steps
]
"""Lessons that the page does not have, and models that it does not ask by itself."""


@pytest.mark.parametrize(("language", "name"), [*((ENGLISH, name) for name in own_lessons()), *OF_THEIR_OWN])
def test_every_step_can_be_skipped_and_then_says_its_claim(language: str, name: str) -> None:
    """The page warns of a claim that does not hold."""
    lesson = lessons_in(language)[name].lesson
    app = opened(lesson=name, lang=language)
    for number, step in enumerate(lesson.steps):
        app = press(app, "lesson-next") if number else app
        outcomes = {name: answer(load(ask.model or lesson.models[0]), ask) for name, ask in step.asks.items()}
        assert not app.exception
        assert not app.error
        assert step.title in said(app)
        assert step.ask.text("text") in said(app)
        assert not app.text_input
        if language == ENGLISH and step.view and step.first == "question" and step.ask.what != "how-many":
            assert COVERED in drawn(app)
        app = press(app, "skip-")
        assert not app.exception
        assert not app.error
        assert not app.warning
        with read_in(language):
            claim = letters(fill_template(step.claim, facts_of(outcomes), shown))
        assert claim in letters(" ".join(element.value for element in app.markdown))
        assert "{" not in said(app)
        assert bool(drawn(app)) is bool(step.view or outcomes[""].bars)
        assert bool(app.text_input) is step.own


def letters(text: str) -> str:
    """A text without spaces and without the signs of Markdown and of links to the glossary."""
    return re.sub(r":gray\[\]|\(#word-[^)]*\)|[\s\\\[\]*]", "", text)


@pytest.mark.parametrize("name", KOREAN)
def test_the_language_is_changed_in_the_middle_of_a_lesson_and_back(name: str) -> None:
    ko, en = lesson(name, "ko").lesson, lesson(name, "en").lesson
    last = max(len(ko.steps), len(en.steps)) - 1
    app = press(opened(lang="ko", lesson=name, lesson_step=last), "skip-")
    place = last
    for language, told in (("en", en), ("ko", ko)):
        app = in_language(app, language)
        assert not app.exception
        assert not app.error
        place = min(place, len(told.steps) - 1)
        assert told.steps[place].title in said(app)
        assert told.steps[place].ask.text("text") in said(app)
    assert (place == len(ko.steps) - 1) is any((button.key or "").startswith("again-") for button in app.button)


def traits(step: LessonStep) -> set[object]:
    """The choices of an author that other fields of the form follow."""
    return {
        *((step.ask.what, name) for name, _ in step.ask.given),
        ("view", step.view.partition("?")[0]),
        ("first", step.first),
        ("own", step.own),
        ("model", bool(step.ask.model)),
        ("holds", len(step.holds)),
        ("also", len(step.also)),
    }


def steps_that_differ() -> dict[str, list[int]]:
    """For each lesson the steps with a trait that no step before has."""
    seen: set[object] = set()
    differing: dict[str, list[int]] = {}
    for name, found in own_lessons().items():
        for number, step in enumerate(found.lesson.steps):
            if traits(step) - seen:
                differing.setdefault(name, []).append(number)
                seen |= traits(step)
    return differing


@pytest.mark.parametrize(("name", "numbers"), steps_that_differ().items())
def test_the_form_shows_what_lessons_of_the_app_say_and_changes_nothing(name: str, numbers: list[int]) -> None:
    text = own_lessons()[name].text
    app = open_draft(text)
    for number in numbers:
        step = own_lessons()[name].lesson.steps[number]
        app = choose_step(app, number) if number else app
        assert not app.exception
        assert not app.error
        assert not [element for element in app.caption if element.value.startswith(":red[")]
        assert app.text_input(key=key_of(("steps", number, "title"))).value == step.title
        assert app.selectbox(key=key_of(("steps", number, "ask", "what"))).value == step.ask.what
        for other, _ in step.also:
            assert other in said_beside_form(app).partition("not in this form")[2]
    assert text_of(app) == text


@pytest.mark.parametrize(("step", "model"), STEPS)
def test_a_claim_is_true_of_what_the_model_computes(step: LessonStep, model: str) -> None:
    outcomes = {name: answer(load(ask.model or model), ask) for name, ask in step.asks.items()}
    facts = facts_of(outcomes)
    assert not [in_words(each, facts) for each in untrue(step.holds, facts)], fill_template(step.claim, facts)
    assert all("{" not in fill_template(text, facts) for text in (step.text, step.question, step.claim))
