"""A lesson before a class: the teacher's prediction and own sentence reach it, and the answer does not come before."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.lessons.test_page import LESSONS, ROOT, key, opened, press, said, type_own
from ui.lessons.library import own_lessons
from ui.shared.rooms import rooms
from ui.state.teaching import TaughtRoom


@pytest.mark.parametrize(
    ("at", "guess", "says"),
    [
        (1, "skipped", "You skipped the prediction."),
        (1, "2.000000", "You said “cat”, and that is right."),
        (2, "0.500000", "You said 0.50. It is more: 1.00."),
        (1, "99", None),
        (1, "nonsense", None),
        (1, "", None),
    ],
)
def test_a_page_before_a_class_shows_the_teachers_prediction(at: int, guess: str, says: str | None) -> None:
    app = opened(lesson="attention", lesson_step=at, lesson_guess=guess)
    assert not app.exception
    assert not app.error
    if says is None:
        assert any((button.key or "").startswith("skip-") for button in app.button)
        return
    assert says in said(app)
    assert "lesson_guess" not in app.query_params, "a link leaves the question to its reader"
    app = press(app, "again-")
    assert any((button.key or "").startswith("skip-") for button in app.button)


def taught(**choices: str) -> tuple[AppTest, str, str]:
    """The page of a teacher, and the letters and the key of the room."""
    letters, room_key = rooms().open()
    rooms().take_up(letters, room_key, "tab")
    app = AppTest.from_file(str(ROOT / LESSONS), default_timeout=390)
    app.session_state["headlight_room"] = TaughtRoom(letters=letters, key=room_key, tab="tab")
    for name, value in choices.items():
        app.query_params[name] = value
    return app.run(), letters, room_key


@pytest.mark.parametrize("first", ["view", "question"])
def test_a_class_sees_what_a_question_is_about_until_the_page_shows_the_answer(first: str) -> None:
    name, number = next(
        (name, number)
        for name, named in own_lessons().items()
        for number, step in enumerate(named.lesson.steps)
        if step.first == first
    )
    app, letters, _ = taught(lesson=name, lesson_step=str(number))
    app = app.run()
    press(app, "ask-the-class")
    room = rooms().room(letters)
    assert room.question is not None
    assert room.question.veils(room.view.number) is (first == "question")
    press(app, "skip-")
    view = rooms().room(letters).view.number
    assert view > room.view.number
    assert room.question.veils(view)


def test_what_the_teacher_does_in_a_step_reaches_the_class() -> None:
    app, letters, room_key = taught(lesson="attention", lesson_step="2")

    def seen() -> tuple[str, str | None]:
        choices = rooms().room(letters).view.choices
        return choices["lesson_step"], choices.get("lesson_guess")

    assert seen() == ("2", None)
    app = press(app, "skip-")
    assert seen() == ("2", "skipped")
    app = press(app, "again-")
    assert seen() == ("2", None)
    app = press(press(app, "skip-"), "lesson-next")
    assert seen() == ("3", None)
    rooms().take_up(letters, room_key, "another tab", by_force=True)
    press(app, "lesson-next")
    assert seen() == ("3", None), "this tab teaches no more"


def test_the_teachers_own_sentence_reaches_the_class_with_its_prediction() -> None:
    app, letters, _ = taught(lesson="attention", lesson_step="1")

    def seen() -> dict[str, str]:
        return json.loads(rooms().room(letters).view.choices.get("lesson_own", "{}"))

    app = type_own(press(app, "skip-"), "Dogs <b>chase</b> cats.")
    assert seen() == {}
    app = app.button_group(key=key(app, "own-")).set_value(2).run()
    asked = {"text": "Dogs <b>chase</b> cats.", "query": "#2"}
    assert seen() == asked
    assert "lesson_own" not in app.query_params, "a link leaves the question to its reader"
    app = press(app, "ask-about-own")
    room = rooms().room(letters)
    assert room.question is not None
    assert asked["text"] in str(room.question.text)
    assert not room.question.veils(room.view.number)
    app = press(app, "skip-own")
    assert seen() == asked | {"guess": "skipped"}
    room = rooms().room(letters)
    assert room.question is not None
    assert room.question.veils(room.view.number), "the page shows the answer by now"
    follower = opened(**room.view.choices)
    assert not follower.exception
    says = re.search("“.+?” gives “.+?”", said(app).split("Now your own sentence")[1])
    assert says is not None
    assert says[0] in said(follower).split("Now your own sentence")[1]
    app = press(app, "lesson-next")
    assert seen() == {}


@pytest.mark.parametrize(
    "own", ["[]", "{", "[" * 6000, '{"text": 5, "query": "#x"}', '{"text": "A cat.", "query": "#99"}']
)
def test_an_own_sentence_of_an_address_is_untrusted(own: str) -> None:
    app = opened(lesson="attention", lesson_step=1, lesson_guess="skipped", lesson_own=own)
    assert not app.exception
    assert not app.error
