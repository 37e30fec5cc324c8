"""A question about a sentence or a step, and the picture in sight, end when the teacher shows something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.shared.room_values import RoomQuestion
from ui.shared.rooms import Rooms

QUESTION = RoomQuestion(id="q", kind="token", text="Which?", options=("the", "cat"), right=(1,))


@pytest.fixture
def rooms(tmp_path: Path) -> Rooms:
    return Rooms(tmp_path / "shared.sqlite")


def test_a_question_about_a_sentence_ends_with_the_sentence(rooms: Rooms) -> None:
    letters, key = rooms.open()
    shown = {"text": "The cat sat.", "layer": "1"}
    rooms.show(letters, key, page="attention", choices=shown)
    rooms.ask(letters, key, QUESTION)
    rooms.show(letters, key, page="attention", choices=shown | {"layer": "3"})
    assert rooms.room(letters).question == QUESTION, "another head of the same sentence"
    rooms.show(letters, key, page="attention", choices={"text": "A dog ran."})
    assert rooms.room(letters).question is None
    assert [kept.question.id for kept in rooms.kept(letters)] == ["q"]
    own = RoomQuestion(id="own", kind="choice", text="Tea or coffee?", options=("tea", "coffee"))
    rooms.ask(letters, key, own)
    rooms.show(letters, key, page="attention", choices={"text": "It rained."})
    assert rooms.room(letters).question == own


def test_a_question_of_a_lesson_ends_with_its_step(rooms: Rooms) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="lessons", choices={"lesson": "heads", "lesson_step": "1"})
    step = RoomQuestion(id="s", kind="choice", text="?", options=("a", "b"), wordings={"ko": ("?", "!")})
    rooms.ask(letters, key, step)
    rooms.show(letters, key, page="lessons", choices={"lesson": "heads", "lesson_step": "2"})
    assert rooms.room(letters).question is None


def test_screens_follow_to_a_picture_of_the_page_and_begin_another_page_at_its_top(rooms: Rooms) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="positions", choices={})
    rooms.look_at(letters, key, "a-picture")
    rooms.pause(letters, key, True)
    rooms.look_at(letters, key, "another-one")
    rooms.pause(letters, key, False)
    rooms.show(letters, key, page="positions", choices={"position": "3"})
    assert rooms.room(letters).sight == "a-picture"
    rooms.show(letters, key, page="labels", choices={})
    assert not rooms.room(letters).sight
