"""The students of rooms, and their answers."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from itertools import count
from sqlite3 import Connection

from models.values.wording import worded
from ui.shared.room_file import AWAY, LATE_ANSWERS, RoomFile
from ui.shared.room_values import GivenAnswer, KeptQuestion, RoomError, Student, load_question

MOST_PEOPLE = 400
"""The most students of a room."""
MOST_OF_AN_ADDRESS = 100
"""The most students of a room that come from one address: a class and its laptops behind one router."""
FREED = 60.0
"""Seconds after which the place of a student who is gone may be given away."""
LONGEST_SENTENCE = 300
"""The most letters of a sentence that a student types."""
LATE_AT_ONCE, LATE_EVERY = 10, 3.0
"""Answers to a question that count at once from devices of one address that came after the question, and the seconds
until one more does: students who are late come one after another, and the devices of a script all at once."""
_TAKEN = "SELECT COUNT(*) FROM students WHERE room = ? AND (? = '' OR address = ?)"
_FREE_ONE = (
    "DELETE FROM students WHERE rowid IN (SELECT rowid FROM students"
    " WHERE room = ? AND (? = '' OR address = ?) AND seen < ? ORDER BY seen LIMIT 1)"
)


class RoomStudents(RoomFile):
    """The acts of students. An address is a digest, or empty where none is known."""

    def join(self, letters: str, person: str = "", *, address: str = "", browser: str = "") -> Student:
        """Join a room, or rejoin it as a known person. A room that is full gives away the places of who has gone.
        `browser` is the word by which the training lab knows the browser; empty for none."""
        is_shut = self.room(letters).shut
        with self.file.transaction() as file:
            known = file.execute(
                "SELECT place FROM students WHERE room = ? AND person = ?", (letters, person)
            ).fetchone()
            if known is not None:
                file.execute(
                    "UPDATE students SET seen = ? WHERE room = ? AND person = ?", (time.time(), letters, person)
                )
                _remember_browser(file, letters, browser, person)
                return Student(person=person, place=int(known[0]))
            if is_shut:
                raise RoomError(worded("The teacher lets nobody else into the room {letters}.", letters=letters))
            person = person or secrets.token_urlsafe(12)
            self._make_room(file, letters, address)
            taken = {place for (place,) in file.execute("SELECT place FROM students WHERE room = ?", (letters,))}
            place = next(place for place in count() if place not in taken)
            row = (letters, person, place, time.time(), address)
            file.execute("INSERT INTO students VALUES (?, ?, ?, 0, ?, ?)", row)
            came = letters, person, address, time.time()
            file.execute("INSERT OR IGNORE INTO arrivals VALUES (?, ?, ?, ?)", came)
            _remember_browser(file, letters, browser, person)
        return Student(person=person, place=place)

    def _make_room(self, file: Connection, letters: str, address: str) -> None:
        """Free a place for a new student. Raises RoomError if all are taken by students who are here."""
        bounds = ((MOST_OF_AN_ADDRESS, address), (MOST_PEOPLE, ""))
        for most, of in bounds if address else bounds[1:]:
            of_whom = letters, of, of  # without an address, of all
            (taken,) = file.execute(_TAKEN, of_whom).fetchone()
            if taken >= most and not file.execute(_FREE_ONE, (*of_whom, time.time() - FREED)).rowcount:
                raise RoomError(worded("The room {letters} is full: it takes {n} students.", letters=letters, n=most))

    def browsers(self, letters: str) -> dict[str, int | None]:
        """Return the words of all browsers that have joined a room, with the places of their students; None for the
        place of one that was given away."""
        rows = self.file.rows(
            "SELECT browser, place FROM members LEFT JOIN students USING (room, person) WHERE room = ?", (letters,)
        )
        return dict(rows)

    def student(self, letters: str, person: str) -> Student:
        """Return the stored data of a student."""
        rows = self.file.rows("SELECT place, hand FROM students WHERE room = ? AND person = ?", (letters, person))
        if not rows:
            raise RoomError(worded("You are not in this room any more. Open its link again."))
        question = self.room(letters).question
        answer = self.answer_of(letters, person, question.id) if question else None
        sentence = self.sentence_of(letters, person, question.id) if question else ""
        return Student(person=person, place=rows[0][0], hand=bool(rows[0][1]), answer=answer, sentence=sentence)

    def answer_of(self, letters: str, person: str, question: str) -> int | None:
        """Return the answer of a student to a question; None if there is none."""
        rows = self.file.rows(
            "SELECT choice FROM replies WHERE room = ? AND question = ? AND person = ?", (letters, question, person)
        )
        return rows[0][0] if rows else None

    def answer(self, letters: str, person: str, question: str, choice: int) -> None:
        """Answer the current question, or change the answer. An answer to another question, or to one that is closed,
        is ignored."""
        asked = self.room(letters).question
        if asked is None or asked.id != question or asked.is_closed():
            return
        if not 0 <= choice < len(asked.options):
            raise RoomError(
                worded("Option {choice} was chosen, and there are {n}.", choice=choice, n=len(asked.options))
            )
        place = self.student(letters, person).place
        with self.file.transaction() as file:
            _check_arrival(file, letters, person, question)
            file.execute(
                "INSERT INTO replies VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (room, question, person) DO UPDATE SET choice = excluded.choice",
                (letters, question, person, place, choice, choice),
            )

    def sentence_of(self, letters: str, person: str, question: str) -> str:
        """Return the sentence that a student has typed; empty for none."""
        rows = self.file.rows(
            "SELECT text FROM sentences WHERE room = ? AND question = ? AND person = ?", (letters, question, person)
        )
        return rows[0][0] if rows else ""

    def write(self, letters: str, person: str, question: str, text: str) -> None:
        """Answer the current question by a sentence, or change it; ignored for another question, or a closed one."""
        asked, text = self.room(letters).question, " ".join(text.split())
        if asked is None or asked.id != question or asked.is_closed() or asked.kind != "sentence":
            return
        if not 0 < len(text) <= LONGEST_SENTENCE:
            raise RoomError(worded("Write a sentence of at most {n} letters.", n=LONGEST_SENTENCE))
        place = self.student(letters, person).place
        with self.file.transaction() as file:
            _check_arrival(file, letters, person, question)
            file.execute(
                "INSERT INTO sentences VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (room, question, person) DO UPDATE SET text = excluded.text",
                (letters, question, person, place, text),
            )

    def raise_hand(self, letters: str, person: str, up: bool) -> None:
        """Raise or lower a student's hand."""
        with self.file.transaction() as file:
            file.execute("UPDATE students SET hand = ? WHERE room = ? AND person = ?", (int(up), letters, person))

    def mark_here(self, people: Iterable[tuple[str, str]]) -> None:
        """Record a heartbeat of students, as (room, person)."""
        with self.file.transaction() as file:
            file.executemany(
                "UPDATE students SET seen = ? WHERE room = ? AND person = ?",
                [(time.time(), letters, person) for letters, person in people],
            )

    def mark_gone(self, letters: str, person: str) -> None:
        """Mark a student as gone: they are not counted any more, and their place is kept for a while."""
        with self.file.transaction() as file:
            file.execute(
                "UPDATE students SET seen = MIN(seen, ?), hand = 0 WHERE room = ? AND person = ?",
                (time.time() - AWAY, letters, person),
            )

    def kept(self, letters: str) -> tuple[KeptQuestion, ...]:
        """Return the questions that were asked in a room, with their answers, in order."""
        answers: dict[str, list[GivenAnswer]] = {}
        for question, place, choice, first in self.file.rows(
            "SELECT question, place, choice, first FROM replies WHERE room = ? ORDER BY place", (letters,)
        ):
            answers.setdefault(question, []).append(GivenAnswer(place=place, choice=choice, first=first))
        sentences: dict[str, list[tuple[int, str]]] = {}
        for question, place, text in self.file.rows(
            "SELECT question, place, text FROM sentences WHERE room = ? ORDER BY place", (letters,)
        ):
            sentences.setdefault(question, []).append((place, text))
        asked = self.file.rows("SELECT question, state FROM questions WHERE room = ? ORDER BY asked", (letters,))
        return tuple(
            KeptQuestion(
                question=load_question(state),
                answers=tuple(answers.get(name, ())),
                sentences=tuple(sentences.get(name, ())),
            )
            for name, state in asked
        )


def _remember_browser(file: Connection, letters: str, browser: str, person: str) -> None:
    """Record that a student came with a browser, if its word is known."""
    if browser:
        file.execute("INSERT OR REPLACE INTO members VALUES (?, ?, ?)", (letters, browser, person))


def _check_arrival(file: Connection, letters: str, person: str, question: str) -> None:
    """Raise RoomError for a device that came after the question, while many others of its address have answered that
    did so, too."""
    row = file.execute(
        "SELECT asked, arrivals.address FROM arrivals JOIN questions USING (room)"
        " WHERE room = ?1 AND person = ?2 AND question = ?3 AND came > asked"
        " AND NOT EXISTS (SELECT 1 FROM given WHERE room = ?1 AND person = ?2 AND question = ?3)",
        (letters, person, question),
    ).fetchone()
    if row is None:
        return
    asked, address = row
    (n_late,) = file.execute(LATE_ANSWERS, (letters, question, address)).fetchone()
    if n_late >= LATE_AT_ONCE + int((time.time() - asked) / LATE_EVERY):
        raise RoomError(
            worded("Many devices have come from your network since the question was asked. Tap again in a while.")
        )
