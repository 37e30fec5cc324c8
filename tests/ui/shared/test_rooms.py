"""A room holds who teaches and what is asked, for all processes and over a restart, and choices of students."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from ui.shared import room_file, room_students
from ui.shared import rooms as room_module
from ui.shared.room_codes import code_for_teacher, recovery_pass
from ui.shared.room_quiz import add_to_quiz
from ui.shared.room_values import Room, RoomError, RoomQuestion
from ui.shared.rooms import Rooms


@pytest.fixture
def rooms(tmp_path: Path) -> Rooms:
    return Rooms(tmp_path / "shared.sqlite")


TABLES = ("rooms", "students", "questions", "replies", "tabs", "arrivals", "keys", "codes", "sentences", "quizzes")


def question(identifier: str = "q", **more: object) -> RoomQuestion:
    return RoomQuestion(id=identifier, kind="token", text="Which?", options=("the", "cat", "it"), right=(1,), **more)


def test_everybody_sees_what_the_teacher_shows_also_another_process(rooms: Rooms) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="attention", choices={"text": "한국어", "layer": "3"})
    seen = Rooms(rooms.file.path).room(letters)
    assert (seen.view.page, seen.view.choices, seen.view.number) == ("attention", {"text": "한국어", "layer": "3"}, 1)
    rooms.show(letters, key, page="attention", choices={"text": "한국어", "layer": "3"})
    assert rooms.room(letters).view.number == 1, "the same view is not shown twice"


def test_a_student_cannot_act_as_the_teacher(rooms: Rooms) -> None:
    letters, key = rooms.open()
    other, other_key = rooms.open()
    person = rooms.join(letters).person
    for wrong in (person, other_key, "", key.upper() + "x"):
        assert not rooms.is_taught(letters, wrong)
        for act in (
            lambda k: rooms.show(letters, k, page="home", choices={}),
            lambda k: rooms.lock(letters, k, True),
            lambda k: rooms.ask(letters, k, question()),
            lambda k: rooms.end_question(letters, k),
            lambda k: rooms.take_up(letters, k, "tab", by_force=True),
            lambda k: rooms.pause(letters, k, True),
            lambda k: rooms.shut(letters, k, True),
            lambda k: rooms.close(letters, k),
        ):
            with pytest.raises(RoomError, match="no room"):
                act(wrong)
    rooms.ask(letters, key, question())
    with pytest.raises(RoomError):
        rooms.reveal(letters, person)
    assert rooms.room(letters) == Room(
        letters=letters, view=rooms.room(other).view, question=question(), n_people=1, tally=(0, 0, 0), waited_for=(0,)
    )
    assert key not in rooms.file.path.read_bytes().decode("latin-1"), "the file does not say who teaches"


def test_answers_are_counted_once_a_student_and_can_be_changed(rooms: Rooms) -> None:
    letters, key = rooms.open()
    people = [rooms.join(letters).person for _ in range(5)]
    rooms.ask(letters, key, question())
    for number, person in enumerate(people):
        rooms.answer(letters, person, "q", number % 3)
    assert rooms.room(letters).tally == (2, 2, 1)
    rooms.answer(letters, people[0], "q", 2)
    assert rooms.room(letters).tally == (1, 2, 2)
    assert rooms.student(letters, people[0]).answer == 2
    with pytest.raises(RoomError, match="not in this room"):
        rooms.answer(letters, "a stranger", "q", 0)
    rooms.answer(letters, people[0], "an older question", 0)
    rooms.reveal(letters, key)
    rooms.answer(letters, people[0], "q", 0)
    assert rooms.room(letters).tally == (1, 2, 2), "after the model has answered it is too late"
    rooms.ask(letters, key, question("second", ends=1.0))
    rooms.answer(letters, people[0], "second", 0)
    assert rooms.room(letters).tally == (0, 0, 0), "its time was over in 1970"


@pytest.mark.parametrize("choice", [-1, 3, 10**9])
def test_an_answer_is_one_of_the_options(rooms: Rooms, choice: int) -> None:
    letters, key = rooms.open()
    person = rooms.join(letters).person
    rooms.ask(letters, key, question())
    with pytest.raises(RoomError, match="there are 3"):
        rooms.answer(letters, person, "q", choice)


def test_a_student_comes_back_as_the_same_and_hands_are_counted(rooms: Rooms) -> None:
    letters, key = rooms.open()
    first, second = rooms.join(letters), rooms.join(letters)
    assert (first.place, second.place) == (0, 1)
    assert rooms.join(letters, first.person) == first
    assert rooms.join(letters, "another device").place == 2
    rooms.raise_hand(letters, first.person, True)
    rooms.raise_hand(letters, second.person, True)
    assert rooms.room(letters).n_hands == 2
    rooms.mark_gone(letters, second.person)
    assert (rooms.room(letters).n_people, rooms.room(letters).n_hands) == (2, 1)
    rooms.end_question(letters, key)
    assert rooms.room(letters).n_hands == 0


def test_a_room_ends_after_a_day_and_leaves_nothing(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    letters, key = rooms.open()
    person = rooms.join(letters).person
    rooms.take_up(letters, key, "tab")
    rooms.ask(letters, key, question())
    rooms.answer(letters, person, "q", 1)
    rooms.ask(letters, key, RoomQuestion(id="s", kind="sentence", text="Why?", options=()))
    rooms.write(letters, person, "s", "Because.")
    add_to_quiz(rooms, letters, key, question("of a quiz"), seconds=0)
    recovery_pass(rooms, letters, key)
    code_for_teacher(rooms, letters, key)
    now = room_module.time.time()
    monkeypatch.setattr(room_module.time, "time", lambda: now + room_file.A_DAY + 1)
    assert not rooms.is_taught(letters, key)
    for ask in (lambda: rooms.room(letters), lambda: rooms.join(letters), lambda: rooms.lock(letters, key, True)):
        with pytest.raises(RoomError):
            ask()
    rooms.open()
    with sqlite3.connect(rooms.file.path) as file:
        left = [file.execute(f"SELECT COUNT(*) FROM {table}").fetchone() for table in TABLES]
    assert left == [(1,), *((0,) for _ in TABLES[1:])]


def test_a_server_and_a_room_take_so_many_and_say_so(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "MOST_ROOMS", 2)
    monkeypatch.setattr(room_students, "MOST_PEOPLE", 1)
    letters, key = rooms.open()
    rooms.open()
    with pytest.raises(RoomError, match="2 open rooms"):
        rooms.open()
    first = rooms.join(letters)
    with pytest.raises(RoomError, match="full"):
        rooms.join(letters)
    assert rooms.join(letters, first.person) == first
    rooms.close(letters, key)
    assert rooms.open()


def test_students_who_answer_at_once_are_all_counted(rooms: Rooms) -> None:
    letters, key = rooms.open()
    people = [rooms.join(letters).person for _ in range(24)]
    rooms.ask(letters, key, question())
    each = [threading.Thread(target=rooms.answer, args=(letters, person, "q", 1)) for person in people]
    for thread in each:
        thread.start()
    for thread in each:
        thread.join()
    assert rooms.room(letters).tally == (0, 24, 0)


def test_answers_are_fixed_once_the_question_is_closed(rooms: Rooms) -> None:
    letters, key = rooms.open()
    person = rooms.join(letters).person
    rooms.ask(letters, key, question(ends=room_module.time.time() + 60))
    rooms.answer(letters, person, "q", 0)
    rooms.close_question(letters, key)
    rooms.answer(letters, person, "q", 1)
    room = rooms.room(letters)
    assert room.question is not None
    assert (room.tally, room.question.closed, room.question.revealed) == ((1, 0, 0), True, False)
    assert room.question.veils(room.view.number), "the model has not answered"
    rooms.reveal(letters, key)
    revealed = rooms.room(letters).question
    assert revealed is not None
    assert not revealed.veils(room.view.number)
    about = question(about_view=3)
    assert (about.veils(3), about.veils(4)) == (False, True), "another view may show the answer"


def test_answers_are_kept_for_the_lesson_with_the_first_of_each_student(rooms: Rooms) -> None:
    letters, key = rooms.open()
    first, second = (rooms.join(letters).person for _ in range(2))
    rooms.ask(letters, key, question("one"))
    assert rooms.room(letters).waited_for == (0, 1)
    for choice in (0, 1):
        rooms.answer(letters, first, "one", choice)
    assert rooms.room(letters).waited_for == (1,)
    rooms.answer(letters, second, "one", 1)
    rooms.end_question(letters, key)
    rooms.ask(letters, key, question("two"))
    assert rooms.room(letters).tally == (0, 0, 0)
    one, two = Rooms(rooms.file.path).kept(letters)
    assert (one.question.options, one.question.right) == (question().options, (1,))
    assert [(answer.place, answer.first, answer.choice) for answer in one.answers] == [(0, 0, 1), (1, 1, 1)]
    assert one.right_at_first() == 0.5
    assert (two.answers, two.right_at_first()) == ((), None)
    other, _ = rooms.open()
    assert rooms.kept(other) == ()


def test_one_tab_teaches_until_it_is_closed_or_another_takes_over(rooms: Rooms) -> None:
    letters, key = rooms.open()
    assert rooms.take_up(letters, key, "first")
    assert not rooms.take_up(letters, key, "second")
    assert rooms.take_up(letters, key, "first"), "it was loaded again"
    assert rooms.teaches(letters, "first")
    assert rooms.take_up(letters, key, "second", by_force=True)
    assert not rooms.teaches(letters, "first")
    rooms.mark_tabs({(letters, "second")}, here=False)
    assert rooms.take_up(letters, key, "first"), "the other one is closed"
    rooms.mark_tabs({(letters, "second")}, here=False)
    assert not rooms.take_up(letters, key, "second")


def test_a_class_that_is_not_to_follow_keeps_what_it_sees(rooms: Rooms) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="attention", choices={"layer": "1"})
    rooms.pause(letters, key, True)
    rooms.show(letters, key, page="attention", choices={"layer": "2"})
    assert (rooms.room(letters).view.choices, rooms.room(letters).paused) == ({"layer": "1"}, True)
    rooms.pause(letters, key, False)
    rooms.show(letters, key, page="attention", choices={"layer": "2"})
    assert rooms.room(letters).view.choices == {"layer": "2"}


def test_two_hundred_students_of_one_address_leave_places_for_others_and_the_room_is_freed(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters, _ = rooms.open()
    taken = []
    for number in range(200):
        try:
            taken.append(rooms.join(letters, f"device {number}", address="one").person)
        except RoomError:
            break
    assert len(taken) == room_students.MOST_OF_AN_ADDRESS < 200
    late = rooms.join(letters, "a student", address="another")
    assert late.place == len(taken)
    for person in taken:
        rooms.mark_gone(letters, person)
    assert rooms.room(letters).n_people == 1
    now = room_module.time.time()
    monkeypatch.setattr(room_module.time, "time", lambda: now + room_students.FREED)
    assert rooms.join(letters, "the next class", address="one").place < len(taken)
    assert rooms.join(letters, "a student", address="another") == late


def test_devices_that_come_after_a_question_answer_one_after_another(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters, key = rooms.open()
    early = [rooms.join(letters, f"early {number}", address="one").person for number in range(30)]
    rooms.ask(letters, key, question())
    asked = room_module.time.time()
    at_once = room_students.LATE_AT_ONCE
    late = [rooms.join(letters, f"late {number}", address="one").person for number in range(at_once + 3)]
    for person in (*late[:at_once], *early):
        rooms.answer(letters, person, "q", 1)
    assert (rooms.room(letters).tally[1], rooms.room(letters).n_late) == (len(early) + at_once, at_once)
    for person in late[:at_once]:
        rooms.mark_gone(letters, person)
    with pytest.raises(RoomError, match="Many devices"):
        rooms.answer(letters, late[at_once], "q", 1)
    rooms.answer(letters, late[0], "q", 2)
    other = rooms.join(letters, "elsewhere", address="another").person
    rooms.answer(letters, other, "q", 1)
    monkeypatch.setattr(room_module.time, "time", lambda: asked + 1.5 * room_students.LATE_EVERY)
    rooms.answer(letters, late[at_once], "q", 1)
    with pytest.raises(RoomError, match="Many devices"):
        rooms.answer(letters, late[at_once + 1], "q", 1)
    rooms.ask(letters, key, question("next"))
    rooms.answer(letters, late[-1], "next", 1)
    assert (rooms.room(letters).tally, rooms.room(letters).n_late) == ((0, 1, 0), 0), "by now it was here before"


def test_a_device_that_gave_its_place_away_is_still_late(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_students, "MOST_OF_AN_ADDRESS", 1)
    monkeypatch.setattr(room_students, "FREED", -1e9)
    letters, key = rooms.open()
    rooms.ask(letters, key, question(ends=0.0))
    for number in range(room_students.LATE_AT_ONCE):
        person = rooms.join(letters, f"device {number}", address="one").person
        rooms.answer(letters, person, "q", 0)
    person = rooms.join(letters, "one more", address="one").person
    with pytest.raises(RoomError, match="Many devices"):
        rooms.answer(letters, person, "q", 0)


def test_nobody_new_comes_through_a_closed_door(rooms: Rooms) -> None:
    letters, key = rooms.open()
    here = rooms.join(letters, "here")
    rooms.shut(letters, key, True)
    assert Rooms(rooms.file.path).room(letters).shut
    with pytest.raises(RoomError, match="nobody else"):
        rooms.join(letters, "new")
    assert rooms.join(letters, "here") == here
    assert rooms.room(letters).n_people == 1
    rooms.shut(letters, key, False)
    assert rooms.join(letters, "new").place == 1
