"""The rooms of classes: their teachers, views, questions and answers, in a file that all processes of the server share
and that survives a restart.

A room contains no name and no text of a student: only a random key, a number for a colour and an animal, and choices.
It ends after a day.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from models.values.wording import worded
from ui.shared.room_values import Room, RoomError, RoomQuestion, SharedView, Student, dump_room, load_room
from ui.shared.store import SharedFile, place

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters of room names: no vowels, so no words; no I and no O, which are read as digits."""
N_LETTERS = 4
A_DAY = 24 * 3600.0
MOST_ROOMS, MOST_PEOPLE = 200, 400
"""The most open rooms of a server, and students of a room."""
MOST_OPTIONS, MOST_SECONDS = 2048, 3600
LATE = 1.0
"""Seconds after the end of a question in which an answer still counts, because it was sent in time."""
AWAY = 45.0
"""Seconds without a heartbeat after which a student counts as gone."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (
    letters TEXT PRIMARY KEY, key TEXT NOT NULL, opened REAL NOT NULL, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS people (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, person TEXT NOT NULL, place INTEGER NOT NULL,
    hand INTEGER NOT NULL, seen REAL NOT NULL, PRIMARY KEY (room, person));
CREATE TABLE IF NOT EXISTS answers (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, person TEXT NOT NULL, choice INTEGER NOT NULL,
    PRIMARY KEY (room, person));
"""


class Rooms:
    """The rooms in one file. Every method raises RoomError if the room does not exist, and sqlite3.Error if the file
    cannot be read or written."""

    def __init__(self, path: Path) -> None:
        self.file = SharedFile(path, _SCHEMA)

    # -- for the teacher -----------------------------------------------------------------------------------------------

    def open(self) -> tuple[str, str]:
        """Open a room, and return its letters and the teacher's key."""
        key, now = secrets.token_urlsafe(24), time.time()
        with self.file.transaction() as file:
            file.execute("DELETE FROM rooms WHERE opened < ?", (now - A_DAY,))
            taken = {str(letters) for (letters,) in file.execute("SELECT letters FROM rooms")}
            if len(taken) >= MOST_ROOMS:
                raise RoomError(
                    worded("This server has {n} open rooms, which is as many as it takes. Try later.", n=MOST_ROOMS)
                )
            letters = next(name for name in iter(_drawn_letters, "") if name not in taken)
            state = dump_room(Room(letters=letters, view=SharedView(choices={})))
            file.execute("INSERT INTO rooms VALUES (?, ?, ?, ?)", (letters, _digest(key), now, state))
        return letters, key

    def is_taught(self, letters: str, key: str) -> bool:
        """Return whether this is the teacher's key of an open room."""
        rows = self.file.rows("SELECT key FROM rooms WHERE letters = ? AND opened > ?", (letters, time.time() - A_DAY))
        return bool(rows) and hmac.compare_digest(str(rows[0][0]), _digest(key))

    def show(self, letters: str, key: str, *, page: str, choices: Mapping[str, str]) -> None:
        """Set the teacher's view, unless it is unchanged."""
        now = self.room(letters).view
        if (now.page, now.choices) != (page, choices):
            view = SharedView(page=page, choices=dict(choices), number=now.number + 1)
            self._change(letters, key, view=view)

    def lock(self, letters: str, key: str, locked: bool) -> None:
        """Lock all students to the teacher's view, or let them look around alone."""
        self._change(letters, key, locked=locked)

    def ask(self, letters: str, key: str, question: RoomQuestion) -> None:
        """Ask the class a question, which ends the current one."""
        if not (question.kind == "hands" or 1 < len(question.options) <= MOST_OPTIONS):
            raise RoomError(
                worded(
                    "A question has 2 to {most} options, and this one {n}.", most=MOST_OPTIONS, n=len(question.options)
                )
            )
        with self.file.transaction() as file:
            file.execute("DELETE FROM answers WHERE room = ?", (letters,))
            if question.kind == "hands":
                file.execute("UPDATE people SET hand = 0 WHERE room = ?", (letters,))
            self._write(file, letters, key, question=question)

    def reveal(self, letters: str, key: str) -> None:
        """Reveal the model's answer to the current question."""
        question = self.room(letters).question
        if question is not None:
            self._change(letters, key, question=replace(question, revealed=True, ends=0.0))

    def end_question(self, letters: str, key: str) -> None:
        """End the question, and lower all hands."""
        with self.file.transaction() as file:
            file.execute("DELETE FROM answers WHERE room = ?", (letters,))
            file.execute("UPDATE people SET hand = 0 WHERE room = ?", (letters,))
            self._write(file, letters, key, question=None)

    def close(self, letters: str, key: str) -> None:
        """Delete the room with its students and answers."""
        with self.file.transaction() as file:
            self._check(file, letters, key)
            file.execute("DELETE FROM rooms WHERE letters = ?", (letters,))

    # -- for the students ----------------------------------------------------------------------------------------------

    def join(self, letters: str, person: str = "") -> Student:
        """Join a room, or rejoin it as a known person."""
        self.room(letters)
        with self.file.transaction() as file:
            known = file.execute("SELECT place FROM people WHERE room = ? AND person = ?", (letters, person)).fetchone()
            if known is not None:
                file.execute("UPDATE people SET seen = ? WHERE room = ? AND person = ?", (time.time(), letters, person))
                return self.student(letters, person)
            (n_people,) = file.execute("SELECT COUNT(*) FROM people WHERE room = ?", (letters,)).fetchone()
            if n_people >= MOST_PEOPLE:
                raise RoomError(
                    worded("The room {letters} is full: it takes {n} students.", letters=letters, n=MOST_PEOPLE)
                )
            person = secrets.token_urlsafe(12)
            file.execute("INSERT INTO people VALUES (?, ?, ?, 0, ?)", (letters, person, n_people, time.time()))
        return Student(person=person, place=int(n_people))

    def student(self, letters: str, person: str) -> Student:
        """Return the stored data of a student."""
        rows = self.file.rows(
            "SELECT place, hand, choice FROM people LEFT JOIN answers USING (room, person)"
            " WHERE room = ? AND person = ?",
            (letters, person),
        )
        if not rows:
            raise RoomError(worded("You are not in this room any more. Open its link again."))
        number, hand, choice = rows[0]
        return Student(person=person, place=number, hand=bool(hand), answer=choice)

    def answer(self, letters: str, person: str, question: str, choice: int) -> None:
        """Answer the current question, or change the answer. An answer to another question is ignored."""
        asked = self.room(letters).question
        if asked is None or asked.id != question or asked.revealed or 0 < asked.ends < time.time() - LATE:
            return
        if not 0 <= choice < len(asked.options):
            raise RoomError(
                worded("Option {choice} was chosen, and there are {n}.", choice=choice, n=len(asked.options))
            )
        self.student(letters, person)
        with self.file.transaction() as file:
            file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (letters, person, choice))

    def raise_hand(self, letters: str, person: str, up: bool) -> None:
        """Raise or lower a student's hand."""
        with self.file.transaction() as file:
            file.execute("UPDATE people SET hand = ? WHERE room = ? AND person = ?", (int(up), letters, person))

    def mark_here(self, people: Iterable[tuple[str, str]]) -> None:
        """Record a heartbeat of students, as (room, person)."""
        with self.file.transaction() as file:
            file.executemany(
                "UPDATE people SET seen = ? WHERE room = ? AND person = ?",
                [(time.time(), letters, person) for letters, person in people],
            )

    def mark_gone(self, letters: str, person: str) -> None:
        """Mark a student as gone."""
        with self.file.transaction() as file:
            file.execute("UPDATE people SET seen = 0, hand = 0 WHERE room = ? AND person = ?", (letters, person))

    # -- for both ------------------------------------------------------------------------------------------------------

    def room(self, letters: str) -> Room:
        """Return the current state of a room."""
        now = time.time()
        rows = self.file.rows("SELECT state FROM rooms WHERE letters = ? AND opened > ?", (letters, now - A_DAY))
        if not rows:
            raise RoomError(worded("There is no room {letters} here, or not any more.", letters=repr(letters)))
        room = load_room(rows[0][0])
        counts = self.file.rows(
            "SELECT COUNT(*), COALESCE(SUM(hand), 0) FROM people WHERE room = ? AND seen > ?", (letters, now - AWAY)
        )
        n_options = len(room.question.options) if room.question else 0
        counted = dict(
            self.file.rows("SELECT choice, COUNT(*) FROM answers WHERE room = ? GROUP BY choice", (letters,))
        )
        tally = tuple(counted.get(option, 0) for option in range(n_options))
        return replace(room, n_people=counts[0][0], n_hands=counts[0][1], tally=tally)

    def _change(self, letters: str, key: str, **changes: Any) -> None:
        with self.file.transaction() as file:
            self._write(file, letters, key, **changes)

    def _write(self, file: Connection, letters: str, key: str, **changes: Any) -> None:
        state = self._check(file, letters, key)
        changed = replace(load_room(state), **changes)
        file.execute("UPDATE rooms SET state = ? WHERE letters = ?", (dump_room(changed), letters))

    def _check(self, file: Connection, letters: str, key: str) -> str:
        """Return the stored state of a room. Raises RoomError if it does not exist or the teacher's key is wrong."""
        row = file.execute(
            "SELECT key, state FROM rooms WHERE letters = ? AND opened > ?", (letters, time.time() - A_DAY)
        ).fetchone()
        if row is None or not hmac.compare_digest(str(row[0]), _digest(key)):
            raise RoomError(worded("There is no room {letters} of yours here, or not any more.", letters=repr(letters)))
        return str(row[1])


def _drawn_letters() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(N_LETTERS))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


@cache
def rooms() -> Rooms:
    """Return the rooms of this server."""
    return Rooms(place())
