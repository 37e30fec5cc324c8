"""The page "Class room": a picture of a class before a room is open, and its letters afterwards."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from streamlit.testing.v1 import AppTest

from ui.class_room.kept import csv_of
from ui.class_room.picture import LETTERS, WORDS, class_picture
from ui.shared.rooms import rooms
from ui.state.addresses import to_address
from ui.state.choices import Selection
from viz.kit.language import LANGUAGES, read_in
from viz.kit.theme import Theme

PAGE = Path(__file__).resolve().parents[3] / "pages" / "class_room.py"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_shows_the_wall_and_a_telephone(language: str, theme: Theme) -> None:
    with read_in(language):
        picture = ET.fromstring(class_picture(theme))
    wide, high = map(float, picture.attrib["viewBox"].split()[2:])
    words = [text.text for text in picture.iter() if text.tag.endswith("text")]
    assert words.count(LETTERS) == 1
    for word, _ in WORDS:
        assert words.count(word) == 2
    for shape in picture:
        assert 0 <= float(shape.attrib["x"]) <= wide
        assert 0 <= float(shape.attrib["y"]) <= high


def own(app: AppTest, text: str, answers: str, right: int | None) -> AppTest:
    """Ask a question of the teacher's own."""
    app.text_input(key="own-question-text").set_value(text)
    app = app.text_area(key="own-question-answers").set_value(answers).run()
    (choice,) = [box for box in app.selectbox if str(box.key).startswith("own-question-right")]
    if right is not None:
        app = choice.set_value(right).run()
    return app.button(key="own-question-ask").click().run()


def test_a_question_of_ones_own_is_asked_and_its_answers_are_listed() -> None:
    app = AppTest.from_file(str(PAGE), default_timeout=390).run()
    (button,) = [button for button in app.button if button.label == "Open a room"]
    app = own(button.click().run(), "Which is <b>it</b>?", "one\n\n=2", 1)
    assert not app.exception
    assert not app.error
    room = app.session_state["headlight_room"]
    question = rooms().room(room.letters).question
    assert question is not None
    assert (question.text, question.options, question.right) == ("Which is <b>it</b>?", ("one", "=2"), (1,))
    person = rooms().join(room.letters).person
    for choice in (0, 1):
        rooms().answer(room.letters, person, question.id, choice)
    app = app.run()
    assert not app.exception
    (table,) = app.dataframe
    assert table.value.to_numpy().tolist() == [["1", "Which is <b>it</b>?", "1 answer", "0%"]]
    lines = csv_of(rooms().kept(room.letters)).splitlines()
    assert lines[1:] == ["1,Which is <b>it</b>?,blue otter,one,'=2,true"]
    app = own(app, "", "one", None)
    assert [error.value.replace("\\", "") for error in app.error] == [
        "Write a question, and 2 to 12 answers, one a line."
    ]


def test_a_number_and_a_token_of_ones_own_are_asked_for() -> None:
    app = AppTest.from_file(str(PAGE), default_timeout=390).run()
    (button,) = [button for button in app.button if button.label == "Open a room"]
    app = button.click().run()
    room = app.session_state["headlight_room"]
    app.text_input(key="own-question-text").set_value("How many heads?")
    app = app.button_group(key="own-question-kind").set_value("number").run()
    app = app.number_input(key="own-question-number").set_value(72).run()
    app = app.button(key="own-question-ask").click().run()
    question = rooms().room(room.letters).question
    assert question is not None
    assert question.options[question.right[0]] == "72"
    assert len(set(question.options)) == 5
    app = app.button_group(key="own-question-kind").set_value("token").run()
    assert any("Show a sentence" in error.value for error in app.error)
    rooms().show(room.letters, room.key, page="home", choices=to_address(Selection(text="A cat sat.")))
    app = app.run().button(key="own-question-ask").click().run()
    assert not app.exception
    question = rooms().room(room.letters).question
    assert question is not None
    assert question.options == ("[CLS]", "a", "cat", "sat", ".", "[SEP]")
    assert (question.kind, question.right) == ("token", ())


def test_a_room_is_opened_and_closed() -> None:
    app = AppTest.from_file(str(PAGE), default_timeout=390).run()
    assert not app.exception
    assert len(app.get("image")) == 1
    (button,) = [button for button in app.button if button.label == "Open a room"]
    app = button.click().run()
    assert not app.exception
    assert not app.get("image")
    letters = [element.value for element in app.markdown if re.fullmatch("# [B-Z]{4}", element.value)]
    assert len(letters) == 1
    app = app.button(key="close-the-room").click().run()
    assert len(app.get("image")) == 1


def test_a_room_that_was_closed_elsewhere_is_offered_anew() -> None:
    app = AppTest.from_file(str(PAGE), default_timeout=390).run()
    (button,) = [button for button in app.button if button.label == "Open a room"]
    app = button.click().run()
    room = app.session_state["headlight_room"]
    rooms().close(room.letters, room.key)
    app = app.run()
    assert not app.exception
    assert [button.label for button in app.button if button.label == "Open a room"]
