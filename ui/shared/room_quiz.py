"""The quiz of a room: questions that the teacher has prepared, and that are asked one after another."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, replace

from models.values.wording import worded
from ui.shared.room_values import Room, RoomError, RoomQuestion, dump_question, load_question
from ui.shared.rooms import Rooms

MOST_QUESTIONS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizQuestion:
    """A prepared question, and its time limit in seconds, 0 for none."""

    question: RoomQuestion
    seconds: float


def quiz_of(rooms: Rooms, letters: str) -> tuple[QuizQuestion, ...]:
    """Return the questions of a room's quiz, in order."""
    rows = rooms.file.rows("SELECT state, seconds FROM quizzes WHERE room = ? ORDER BY number", (letters,))
    return tuple(QuizQuestion(question=load_question(state), seconds=seconds) for state, seconds in rows)


def add_to_quiz(rooms: Rooms, letters: str, key: str, question: RoomQuestion, *, seconds: float) -> None:
    """Add a question to the end of the quiz. Raises RoomError for one without a right answer, and for too many."""
    if not question.right:
        raise RoomError(worded("A question of a quiz needs a right answer."))
    with rooms.file.transaction() as file:
        rooms.check(file, letters, key)
        (number, n_questions) = file.execute(
            "SELECT COALESCE(MAX(number), 0) + 1, COUNT(*) FROM quizzes WHERE room = ?", (letters,)
        ).fetchone()
        if n_questions >= MOST_QUESTIONS:
            raise RoomError(worded("A quiz has at most {n} questions.", n=MOST_QUESTIONS))
        row = (letters, number, dump_question(replace(question, ends=0.0)), seconds)
        file.execute("INSERT INTO quizzes VALUES (?, ?, ?, ?)", row)


def remove_from_quiz(rooms: Rooms, letters: str, key: str, question: str) -> None:
    """Remove a question from the quiz, by its name."""
    with rooms.file.transaction() as file:
        rooms.check(file, letters, key)
        file.execute("DELETE FROM quizzes WHERE room = ? AND json_extract(state, '$.id') = ?", (letters, question))


def ask_next(rooms: Rooms, letters: str, key: str) -> None:
    """Ask the question of the quiz after the one that was asked last, whatever was asked between."""
    quiz = quiz_of(rooms, letters)
    if not quiz:
        raise RoomError(worded("The quiz has no questions yet. Add some on the page Class room."))
    place = next_place(rooms.room(letters))
    chosen = quiz[place]
    ends = time.time() + chosen.seconds if chosen.seconds else 0.0
    name = secrets.token_hex(6)  # a quiz may be asked again
    rooms.ask(letters, key, replace(chosen.question, id=name, ends=ends, quiz=(place + 1, len(quiz))))


def next_place(room: Room) -> int:
    """Return the index of the question of the quiz that comes next."""
    return room.quiz_place if room.quiz_place < room.n_quiz else 0
