"""The page "Lessons" in Korean: lessons of its own, and a change of the language in the middle of one."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from lessons import facts_of
from tests.loaded import answer, load
from tests.ui.lessons.test_lessons import KOREAN
from tests.ui.lessons.test_page import key, opened, press, said
from ui.class_room.of_lesson import in_all_languages
from ui.lessons.library import NamedLesson, own_lessons
from ui.lessons.reading import for_class
from viz.kit.language import read_in


def korean(**choices: object) -> AppTest:
    return opened(**choices, lang="ko")


def in_language(app: AppTest, language: str) -> AppTest:
    app.query_params["lang"] = language
    return app.run()


def lesson(name: str, language: str) -> NamedLesson:
    with read_in(language):
        return own_lessons()[name]


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
        facts = facts_of({"": answer(load(named.lesson.models[0]), asked.ask)})
        with read_in(spoken):
            wordings = in_all_languages(lambda named=named, facts=facts: for_class(named, 1, facts))
        assert wordings[spoken][0] == wordings[other][0]
        assert wordings[other][0].endswith(f"“{asked.ask.text('text')}”")
        assert wordings[other][0].startswith(asked.question)
