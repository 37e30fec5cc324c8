"""The tables of rooms in the shared file, and the state of one room."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from models.values.wording import worded
from ui.shared.room_values import Room, RoomError, RoomQuestion, dump_room, load_question, load_room
from ui.shared.store import SharedFile

A_DAY = 24 * 3600.0
AWAY = 45.0
"""Seconds without a heartbeat after which a browser counts as gone."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (
    letters TEXT PRIMARY KEY, key TEXT NOT NULL, opened REAL NOT NULL, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS tabs (
    room TEXT PRIMARY KEY REFERENCES rooms ON DELETE CASCADE, tab TEXT NOT NULL, seen REAL NOT NULL);
CREATE TABLE IF NOT EXISTS students (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, person TEXT NOT NULL, place INTEGER NOT NULL,
    hand INTEGER NOT NULL, seen REAL NOT NULL, address TEXT NOT NULL, PRIMARY KEY (room, person));
CREATE TABLE IF NOT EXISTS questions (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, question TEXT NOT NULL, asked REAL NOT NULL,
    state TEXT NOT NULL, PRIMARY KEY (room, question));
CREATE TABLE IF NOT EXISTS replies (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, question TEXT NOT NULL, person TEXT NOT NULL,
    place INTEGER NOT NULL, choice INTEGER NOT NULL, first INTEGER NOT NULL, PRIMARY KEY (room, question, person));
CREATE TABLE IF NOT EXISTS keys (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, key TEXT NOT NULL, PRIMARY KEY (room, key));
CREATE TABLE IF NOT EXISTS codes (
    room TEXT PRIMARY KEY REFERENCES rooms ON DELETE CASCADE, code TEXT NOT NULL, until REAL NOT NULL,
    tries INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS sentences (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, question TEXT NOT NULL, person TEXT NOT NULL,
    place INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (room, question, person));
CREATE TABLE IF NOT EXISTS quizzes (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, number INTEGER NOT NULL, state TEXT NOT NULL,
    seconds REAL NOT NULL, PRIMARY KEY (room, number));
CREATE TABLE IF NOT EXISTS arrivals (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, person TEXT NOT NULL, address TEXT NOT NULL,
    came REAL NOT NULL, PRIMARY KEY (room, person));
CREATE TABLE IF NOT EXISTS members (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, browser TEXT NOT NULL, person TEXT NOT NULL,
    PRIMARY KEY (room, browser));
CREATE VIEW IF NOT EXISTS given AS
    SELECT room, question, person FROM replies UNION ALL SELECT room, question, person FROM sentences;
CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

OF_A_TEACHER = (
    "SELECT state FROM rooms WHERE letters = ?1 AND opened > ?2"
    " AND (key = ?3 OR EXISTS (SELECT 1 FROM keys WHERE room = ?1 AND keys.key = ?3))"
)
"""The state of a room, for the digest of a teacher's key: the first teacher's, or one that a code was exchanged for."""
LATE_ANSWERS = (
    "SELECT COUNT(*) FROM given JOIN arrivals USING (room, person) JOIN questions USING (room, question)"
    " WHERE room = ?1 AND question = ?2 AND came > asked AND ?3 IN ('', address)"
)
"""The number of answers to a question from devices that came after it, from one address or, if that is empty, all."""


class RoomFile:
    """The rooms in one file. Every method raises RoomError if the room does not exist, and sqlite3.Error if the file
    cannot be read or written."""

    def __init__(self, path: Path) -> None:
        self.file = SharedFile(path, _SCHEMA)

    def room(self, letters: str) -> Room:
        """Return the current state of a room."""
        now = time.time()
        rows = self.file.rows(
            "SELECT state, COALESCE(tab, '') FROM rooms LEFT JOIN tabs ON room = letters"
            " WHERE letters = ? AND opened > ?",
            (letters, now - A_DAY),
        )
        if not rows:
            raise RoomError(worded("There is no room {letters} here, or not any more.", letters=repr(letters)))
        room = replace(load_room(rows[0][0]), tab=rows[0][1])
        counts = self.file.rows(
            "SELECT COUNT(*), COALESCE(SUM(hand), 0), (SELECT COUNT(*) FROM quizzes WHERE room = ?1),"
            " (SELECT json_extract(state, '$.quiz[0]') FROM questions WHERE room = ?1"
            " AND json_extract(state, '$.quiz[0]') IS NOT NULL ORDER BY asked DESC LIMIT 1)"
            " FROM students WHERE room = ?1 AND seen > ?2",
            (letters, now - AWAY),
        )
        n_people, n_hands, n_quiz, quiz_place = counts[0]
        room = replace(room, n_people=n_people, n_hands=n_hands, n_quiz=n_quiz, quiz_place=quiz_place or 0)
        return room if room.question is None else self._with_answers(room, room.question)

    @cached_property
    def secret(self) -> bytes:
        """Return the secret of this server's cookies, drawn once."""
        with self.file.transaction() as file:
            file.execute("INSERT OR IGNORE INTO secrets VALUES ('cookies', ?)", (secrets.token_hex(32),))
            (value,) = file.execute("SELECT value FROM secrets WHERE name = 'cookies'").fetchone()
        return bytes.fromhex(value)

    def _with_answers(self, room: Room, question: RoomQuestion) -> Room:
        """Return a room with the answers to its question, with those who have not answered, and with the scores of a
        quiz whose question is answered."""
        here = room.letters, question.id
        counts = self.file.rows(
            "SELECT choice, COUNT(*) FROM replies WHERE room = ? AND question = ? GROUP BY choice", here
        )
        counted = dict(counts)
        waited_for = self.file.rows(
            "SELECT place FROM students WHERE room = ?1 AND seen > ?2 AND person NOT IN"
            " (SELECT person FROM given WHERE room = ?3 AND question = ?4) ORDER BY place",
            (room.letters, time.time() - AWAY, *here),
        )
        ((n_late,),) = self.file.rows(LATE_ANSWERS, (*here, ""))
        tally = tuple(counted.get(option, 0) for option in range(len(question.options)))
        sentences = self.file.rows(
            "SELECT place, text FROM sentences WHERE room = ? AND question = ? ORDER BY rowid", here
        )
        return replace(
            room,
            tally=tally,
            n_late=n_late,
            waited_for=tuple(place for (place,) in waited_for),
            sentences=tuple(sentences),
            scores=self._scores(room.letters) if question.quiz and question.revealed else {},
        )

    def _scores(self, letters: str) -> dict[str, int]:
        """Return the number of right answers in the quiz by student, of the questions that were asked last."""
        scores: dict[str, int] = {}
        for person, choice, state in self.file.rows(
            "SELECT person, choice, state FROM replies JOIN questions USING (room, question) WHERE room = ?"
            " AND asked >= (SELECT MAX(asked) FROM questions WHERE room = ?1"
            " AND json_extract(state, '$.quiz[0]') = 1)",
            (letters,),
        ):
            asked = load_question(state)
            scores[person] = scores.get(person, 0) + (bool(asked.quiz) and choice in asked.right)
        return scores

    def _change(self, letters: str, key: str, **changes: Any) -> None:
        with self.file.transaction() as file:
            self._write(file, letters, key, **changes)

    def _write(self, file: Connection, letters: str, key: str, **changes: Any) -> None:
        state = self.check(file, letters, key)
        changed = replace(load_room(state), **changes)
        file.execute("UPDATE rooms SET state = ? WHERE letters = ?", (dump_room(changed), letters))

    def check(self, file: Connection, letters: str, key: str) -> str:
        """Return the stored state of a room. Raises RoomError if it does not exist or the teacher's key is wrong."""
        row = file.execute(OF_A_TEACHER, (letters, time.time() - A_DAY, digest(key))).fetchone()
        if row is None:
            raise RoomError(worded("There is no room {letters} of yours here, or not any more.", letters=repr(letters)))
        return str(row[0])


def digest(key: str) -> str:
    """Return the form in which a key is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def sign(text: str, secret: bytes) -> str:
    """Return the signature of a text with the secret of the server."""
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()[:32]
