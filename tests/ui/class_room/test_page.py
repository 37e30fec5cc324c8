"""The page "Class room": a picture of a class before a room is open, and its letters afterwards."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from streamlit.testing.v1 import AppTest

from lessons.verdicts import N_CHOICES
from ui.class_room.asking import number_options
from ui.class_room.kept import csv_of
from ui.class_room.picture import ASKED, LETTERS, TAPPED, asked_showcase, class_picture
from ui.shared.rooms import rooms
from ui.state.addresses import to_address
from ui.state.choices import Selection
from ui.widgets.finding import finding_of_showcase
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
    for word in ASKED[language][1]:
        assert words.count(word) == 2
    for shape in picture:
        assert 0 <= float(shape.attrib["x"]) <= wide
        assert 0 <= float(shape.attrib["y"]) <= high


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_that_is_tapped_in_the_picture_is_the_answer_of_the_model(language: str) -> None:
    with read_in(language):
        found = finding_of_showcase(*asked_showcase(), "cpu")
    assert found is not None
    finding, shown = found
    assert shown.key_tokens[finding.key].text == ASKED[language][1][TAPPED]


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


def with_room() -> AppTest:
    app = AppTest.from_file(str(PAGE), default_timeout=390).run()
    return app.button(key=next(each.key for each in app.button if each.label == "Open a room")).click().run()


def test_questions_are_prepared_for_a_quiz_and_removed() -> None:
    app = with_room()
    app.text_input(key="own-question-text").set_value("Which is *it*?")
    app = app.text_area(key="own-question-answers").set_value("one\ntwo").run()
    app = app.button(key="own-question-keep").click().run()
    assert [error.value for error in app.error] == ["A question of a quiz needs a right answer\\."]
    (choice,) = [box for box in app.selectbox if str(box.key).startswith("own-question-right")]
    app = choice.set_value(1).run()
    app = app.button(key="own-question-keep").click().run()
    assert not app.error
    room = app.session_state["headlight_room"]
    assert rooms().room(room.letters).question is None
    assert rooms().room(room.letters).n_quiz == 1
    assert any("Which is" in element.value and "two" in element.value for element in app.markdown)
    (remove,) = [button for button in app.button if str(button.key).startswith("quiz-remove")]
    remove.click().run()
    assert rooms().room(room.letters).n_quiz == 0


def test_a_sentence_is_asked_for_and_stands_in_the_table_of_answers() -> None:
    app = with_room()
    room = app.session_state["headlight_room"]
    app.text_input(key="own-question-text").set_value("Why?")
    app = app.button_group(key="own-question-kind").set_value("sentence").run()
    app = app.button(key="own-question-ask").click().run()
    assert not app.exception
    assert not app.error
    question = rooms().room(room.letters).question
    assert question is not None
    assert (question.kind, question.options) == ("sentence", ())
    rooms().write(room.letters, rooms().join(room.letters).person, question.id, "=It looks back")
    (table,) = app.run().dataframe
    assert table.value.to_numpy().tolist() == [["1", "Why?", "1 answer", ""]]
    lines = csv_of(rooms().kept(room.letters)).splitlines()
    assert lines[1:] == ["1,Why?,blue otter,'=It looks back,'=It looks back,"]


def test_a_second_teacher_comes_by_a_code_and_a_computer_forgets_the_room() -> None:
    app = with_room()
    room = app.session_state["headlight_room"]
    app = app.button(key="second-teacher").click().run()
    (code,) = [element.value for element in app.code]
    second = AppTest.from_file(str(PAGE), default_timeout=390).run()
    for given in ("ABCD-BBBBBBBB", code):
        second.text_input(key="take-up-code").set_value(given)
        second = next(each for each in second.button if each.label == "Teach this room").click().run()
        assert not second.exception
        assert bool(second.error) is (given != code)
    known = second.session_state["headlight_room"]
    assert (known.letters, known.key != room.key) == (room.letters, True)
    assert rooms().is_taught(known.letters, known.key)
    assert rooms().teaches(room.letters, room.tab), "the first one teaches until the second takes over"
    app = app.button(key="leave-the-room").click().run()
    assert "headlight_room" not in app.session_state
    assert rooms().is_taught(room.letters, room.key), "the room goes on"


def test_a_room_is_taken_up_with_its_file() -> None:
    app = with_room().button(key="recovery").click().run()
    room = app.session_state["headlight_room"]
    (content,) = [element.value for element in app.code]
    other = AppTest.from_file(str(PAGE), default_timeout=390).run()
    other = other.file_uploader(key="take-up-file").upload("headlight.txt", content.encode(), "text/plain").run()
    assert not other.exception
    assert other.session_state["headlight_room"].letters == room.letters


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
    rooms().show(room.letters, room.key, page="home", choices=to_address(Selection(text="A cat, a cat.")))
    app = app.run().button(key="own-question-ask").click().run()
    assert not app.exception
    question = rooms().room(room.letters).question
    assert question is not None
    assert question.options == ("[CLS]", "a", "cat", ",", "a (2)", "cat (2)", ".", "[SEP]"), (
        "equal tokens are told apart"
    )
    assert (question.kind, question.right) == ("token", ())


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0.0, "0"),
        (72.0, "72"),
        (-5.0, "−5"),
        (99.5, "99.5"),
        (0.25, "0.25"),
        (0.001, "0.001"),
        (-3.14159, "−3.14159"),
        (1234567.0, "1,234,567"),
        (1e-7, "0.0000001"),
        (1e12, "1,000,000,000,000"),
    ],
)
def test_the_right_one_of_some_numbers_is_the_number_that_was_typed(number: float, written: str) -> None:
    options, right = number_options(number)
    assert options[right] == written
    assert len(set(options)) == N_CHOICES


def pictures(app: AppTest) -> list[str]:
    return [part.proto.json for part in app.get("bidi_component") if "class-picture" in part.proto.id]


def test_a_room_is_opened_and_closed() -> None:
    app = AppTest.from_file(str(PAGE), default_timeout=390).run()
    assert not app.exception
    assert len(pictures(app)) == 1
    (button,) = [button for button in app.button if button.label == "Open a room"]
    app = button.click().run()
    assert not app.exception
    assert not pictures(app)
    letters = [element.value for element in app.markdown if re.fullmatch("# [B-Z]{4}", element.value)]
    assert len(letters) == 1
    app = app.button(key="close-the-room").click().run()
    assert len(pictures(app)) == 1


def test_a_room_that_was_closed_elsewhere_is_offered_anew() -> None:
    app = AppTest.from_file(str(PAGE), default_timeout=390).run()
    (button,) = [button for button in app.button if button.label == "Open a room"]
    app = button.click().run()
    room = app.session_state["headlight_room"]
    rooms().close(room.letters, room.key)
    app = app.run()
    assert not app.exception
    assert [button.label for button in app.button if button.label == "Open a room"]


@pytest.mark.parametrize(("page", "stays"), [("class_room", True), ("attention", False)])
def test_a_page_that_no_class_sees_stays_when_it_is_loaded_again(page: str, stays: bool) -> None:
    app = AppTest.from_file(str(PAGE.with_name(f"{page}.py")), default_timeout=60).run()
    assert app.session_state["headlight_came_by_link"] is stays
