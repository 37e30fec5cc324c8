"""A quiz is asked question by question, and counts who was right; typed sentences are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.shared import room_quiz
from ui.shared.room_quiz import add_to_quiz, ask_next, quiz_of, remove_from_quiz
from ui.shared.room_students import LONGEST_SENTENCE
from ui.shared.room_values import RoomError, RoomQuestion
from ui.shared.rooms import Rooms


@pytest.fixture
def rooms(tmp_path: Path) -> Rooms:
    return Rooms(tmp_path / "shared.sqlite")


def prepared(name: str, right: tuple[int, ...] = (1,)) -> RoomQuestion:
    return RoomQuestion(id=name, kind="choice", text=f"{name}?", options=("a", "b"), right=right)


def asked(rooms: Rooms, letters: str) -> RoomQuestion:
    question = rooms.room(letters).question
    assert question is not None
    return question


def test_a_quiz_is_asked_one_question_after_another_and_counts_who_was_right(rooms: Rooms) -> None:
    letters, key = rooms.open()
    good, bad = (rooms.join(letters).person for _ in range(2))
    for name in ("one", "two", "gone"):
        add_to_quiz(rooms, letters, key, prepared(name), seconds=60)
    remove_from_quiz(rooms, letters, key, "gone")
    assert [each.question.text for each in quiz_of(rooms, letters)] == ["one?", "two?"]
    for n_runs in range(2):  # a quiz may be asked again, and begins from nothing
        for number in (1, 2):
            ask_next(rooms, letters, key)
            question = asked(rooms, letters)
            assert (question.quiz, question.text) == ((number, 2), ("one?", "two?")[number - 1])
            assert question.ends > room_quiz.time.time()
            rooms.answer(letters, good, question.id, 1)
            rooms.answer(letters, bad, question.id, 0 if n_runs else 2 - number)
            assert rooms.room(letters).scores == {}, "not before the answer is shown"
            rooms.reveal(letters, key)
            assert rooms.room(letters).scores == {good: number, bad: 0 if n_runs else 1}
            rooms.end_question(letters, key)
            rooms.ask(letters, key, prepared(f"after {number} of {n_runs}", right=()))
    assert sum(bool(kept.question.quiz) for kept in rooms.kept(letters)) == 4
    rooms.ask(letters, key, prepared("between"))
    rooms.reveal(letters, key)
    assert rooms.room(letters).scores == {}, "this question is of no quiz"


def test_a_question_of_a_quiz_has_a_right_answer_and_a_teacher(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    letters, key = rooms.open()
    with pytest.raises(RoomError, match="right answer"):
        add_to_quiz(rooms, letters, key, prepared("one", right=()), seconds=0)
    with pytest.raises(RoomError, match="no questions"):
        ask_next(rooms, letters, key)
    for act in (
        lambda: add_to_quiz(rooms, letters, "guessed", prepared("one"), seconds=0),
        lambda: remove_from_quiz(rooms, letters, "guessed", "one"),
    ):
        with pytest.raises(RoomError, match="of yours"):
            act()
    monkeypatch.setattr(room_quiz, "MOST_QUESTIONS", 1)
    add_to_quiz(rooms, letters, key, prepared("one"), seconds=0)
    with pytest.raises(RoomError, match="at most 1"):
        add_to_quiz(rooms, letters, key, prepared("two"), seconds=0)
    ask_next(rooms, letters, key)
    assert asked(rooms, letters).ends == 0


def test_sentences_are_kept_and_one_is_shown_to_all(rooms: Rooms) -> None:
    letters, key = rooms.open()
    first, second = (rooms.join(letters).person for _ in range(2))
    rooms.ask(letters, key, RoomQuestion(id="q", kind="sentence", text="Why?", options=()))
    rooms.write(letters, first, "q", " It  <b>looks</b>\nback. ")
    rooms.write(letters, second, "q", "No idea")
    rooms.write(letters, second, "q", "It is tired.")
    rooms.write(letters, second, "another question", "lost")
    room = rooms.room(letters)
    assert dict(room.sentences) == {0: "It <b>looks</b> back.", 1: "It is tired."}
    assert (room.n_answers, room.waited_for) == (2, ())
    assert rooms.student(letters, second).sentence == "It is tired."
    for text in (" \n", "x" * (LONGEST_SENTENCE + 1)):
        with pytest.raises(RoomError, match="at most"):
            rooms.write(letters, first, "q", text)
    rooms.pick_sentence(letters, key, 1)
    assert asked(rooms, letters).picked == "It is tired."
    rooms.pick_sentence(letters, key, None)
    assert asked(rooms, letters).picked == ""
    with pytest.raises(RoomError):
        rooms.pick_sentence(letters, first, 1)
    rooms.close_question(letters, key)
    rooms.write(letters, first, "q", "Too late")
    (kept,) = rooms.kept(letters)
    assert kept.sentences == ((0, "It <b>looks</b> back."), (1, "It is tired."))
    assert kept.right_at_first() is None
