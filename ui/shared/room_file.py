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
from ui.shared.room_values import Room, RoomError, RoomQuestion, dump_room, load_room
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
CREATE TABLE IF NOT EXISTS arrivals (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, person TEXT NOT NULL, address TEXT NOT NULL,
    came REAL NOT NULL, PRIMARY KEY (room, person));
CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

LATE_ANSWERS = (
    "SELECT COUNT(*) FROM replies JOIN arrivals USING (room, person) JOIN questions USING (room, question)"
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
            "SELECT COUNT(*), COALESCE(SUM(hand), 0) FROM students WHERE room = ? AND seen > ?", (letters, now - AWAY)
        )
        room = replace(room, n_people=counts[0][0], n_hands=counts[0][1])
        return room if room.question is None else self._with_answers(room, room.question)

    @cached_property
    def secret(self) -> bytes:
        """Return the secret of this server's cookies, drawn once."""
        with self.file.transaction() as file:
            file.execute("INSERT OR IGNORE INTO secrets VALUES ('cookies', ?)", (secrets.token_hex(32),))
            (value,) = file.execute("SELECT value FROM secrets WHERE name = 'cookies'").fetchone()
        return bytes.fromhex(value)

    def _with_answers(self, room: Room, question: RoomQuestion) -> Room:
        """Return a room with the answers to its question, and with those who have not answered."""
        here = room.letters, question.id
        counts = self.file.rows(
            "SELECT choice, COUNT(*) FROM replies WHERE room = ? AND question = ? GROUP BY choice", here
        )
        counted = dict(counts)
        waited_for = self.file.rows(
            "SELECT place FROM students WHERE room = ? AND seen > ? AND person NOT IN"
            " (SELECT person FROM replies WHERE room = ? AND question = ?) ORDER BY place",
            (room.letters, time.time() - AWAY, *here),
        )
        ((n_late,),) = self.file.rows(LATE_ANSWERS, (*here, ""))
        tally = tuple(counted.get(option, 0) for option in range(len(question.options)))
        return replace(room, tally=tally, n_late=n_late, waited_for=tuple(place for (place,) in waited_for))

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
        if row is None or not hmac.compare_digest(str(row[0]), digest(key)):
            raise RoomError(worded("There is no room {letters} of yours here, or not any more.", letters=repr(letters)))
        return str(row[1])


def digest(key: str) -> str:
    """Return the form in which a key is stored."""
    return hashlib.sha256(key.encode()).hexdigest()
