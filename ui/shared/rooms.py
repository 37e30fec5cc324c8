"""The rooms of classes: their teachers, views, questions and answers, in a file that all processes of the server share
and that survives a restart.

A room contains no name of a student: only random keys of the browser, a number for a colour and an animal, choices, and
sentences that a question of the teacher's has asked for. It ends after a day.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from models.values.wording import worded
from ui.shared.room_file import A_DAY, AWAY, OF_A_TEACHER, digest
from ui.shared.room_students import RoomStudents
from ui.shared.room_values import ASKED_ABOUT, Room, RoomError, RoomQuestion, SharedView, dump_question, dump_room
from ui.shared.store import place

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters of room names: no vowels, so no words; no I and no O, which are read as digits."""
N_LETTERS = 4
MOST_ROOMS = 200
"""The most open rooms of a server."""
MOST_OPTIONS, MOST_SECONDS = 2048, 3600


class Rooms(RoomStudents):
    """The acts of teachers. One tab of a teacher teaches a room, and the others do not change what the class sees."""

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
            file.execute("INSERT INTO rooms VALUES (?, ?, ?, ?)", (letters, digest(key), now, state))
        return letters, key

    def is_taught(self, letters: str, key: str) -> bool:
        """Return whether this is the teacher's key of an open room."""
        return bool(self.file.rows(OF_A_TEACHER, (letters, time.time() - A_DAY, digest(key))))

    def take_up(self, letters: str, key: str, tab: str, *, by_force: bool = False) -> bool:
        """Let a tab teach a room, unless another one does that is still open. Return whether it teaches now."""
        now = time.time()
        with self.file.transaction() as file:
            self.check(file, letters, key)
            row = file.execute("SELECT tab, seen FROM tabs WHERE room = ?", (letters,)).fetchone()
            if row is None or row[0] == tab or by_force or row[1] < now - AWAY:
                file.execute("INSERT OR REPLACE INTO tabs VALUES (?, ?, ?)", (letters, tab, now))
                return True
        return False

    def teaches(self, letters: str, tab: str) -> bool:
        """Return whether this is the tab that teaches a room."""
        return bool(self.file.rows("SELECT 1 FROM tabs WHERE room = ? AND tab = ?", (letters, tab)))

    def mark_tabs(self, tabs: Iterable[tuple[str, str]], *, here: bool = True) -> None:
        """Record that tabs, as (room, tab), are open, or have been closed."""
        seen = time.time() if here else 0.0
        with self.file.transaction() as file:
            file.executemany(
                "UPDATE tabs SET seen = ? WHERE room = ? AND tab = ?",
                [(seen, letters, tab) for letters, tab in tabs],
            )

    def show(self, letters: str, key: str, *, page: str, choices: Mapping[str, str]) -> None:
        """Set the teacher's view, unless it is unchanged, or the class is not to follow for now. A question about the
        sentence before ends with it; its answers are kept."""
        room = self.room(letters)
        if not room.paused and (room.view.page, room.view.choices) != (page, choices):
            changes: dict[str, Any] = {
                "view": SharedView(page=page, choices=dict(choices), number=room.view.number + 1)
            }
            if room.view.page != page:
                changes["sight"] = ""
            is_another = any(room.view.choices.get(name) != choices.get(name) for name in ASKED_ABOUT)
            if is_another and room.question is not None and room.question.is_of_sentence:
                changes["question"] = None
            self._change(letters, key, **changes)

    def look_at(self, letters: str, key: str, sight: str) -> None:
        """Set the picture of the page that the teacher looks at, by its key, unless the class is not to follow."""
        if not self.room(letters).paused:
            self._change(letters, key, sight=sight)

    def pause(self, letters: str, key: str, paused: bool) -> None:
        """Let the class keep what it sees, or follow again."""
        self._change(letters, key, paused=paused)

    def lock(self, letters: str, key: str, locked: bool) -> None:
        """Lock all students to the teacher's view, or let them look around alone."""
        self._change(letters, key, locked=locked)

    def shut(self, letters: str, key: str, shut: bool) -> None:
        """Let no new device in, or open the door again."""
        self._change(letters, key, shut=shut)

    def ask(self, letters: str, key: str, question: RoomQuestion) -> None:
        """Ask the class a question, which ends the current one; the answers to that are kept."""
        if not (question.kind in ("hands", "sentence") or 1 < len(question.options) <= MOST_OPTIONS):
            raise RoomError(
                worded(
                    "A question has 2 to {most} options, and this one {n}.", most=MOST_OPTIONS, n=len(question.options)
                )
            )
        with self.file.transaction() as file:
            if question.kind == "hands":
                file.execute("UPDATE students SET hand = 0 WHERE room = ?", (letters,))
            self._write(file, letters, key, question=question)
            if question.kind != "hands":
                row = (letters, question.id, time.time(), dump_question(question))
                file.execute("INSERT INTO questions VALUES (?, ?, ?, ?)", row)

    def show_votes(self, letters: str, key: str, live: bool) -> None:
        """Show the votes while the question is open, or not before it is closed."""
        self._change_question(letters, key, live=live)

    def pick_sentence(self, letters: str, key: str, place: int | None) -> None:
        """Show everybody the sentence of the student in a place, without the name; None for no sentence."""
        sentences = dict(self.room(letters).sentences)
        self._change_question(letters, key, picked="" if place is None else sentences.get(place, ""))

    def close_question(self, letters: str, key: str) -> None:
        """Close the question: answers are fixed, and the votes are shown."""
        self._change_question(letters, key, closed=True, ends=0.0)

    def reveal(self, letters: str, key: str) -> None:
        """Reveal the model's answer to the current question, which closes it."""
        self._change_question(letters, key, closed=True, revealed=True, ends=0.0)

    def _change_question(self, letters: str, key: str, **changes: Any) -> None:
        question = self.room(letters).question
        if question is not None:
            self._change(letters, key, question=replace(question, **changes))

    def end_question(self, letters: str, key: str) -> None:
        """End the question, and lower all hands; the answers are kept."""
        with self.file.transaction() as file:
            file.execute("UPDATE students SET hand = 0 WHERE room = ?", (letters,))
            self._write(file, letters, key, question=None)

    def close(self, letters: str, key: str) -> None:
        """Delete the room with its students and answers."""
        with self.file.transaction() as file:
            self.check(file, letters, key)
            file.execute("DELETE FROM rooms WHERE letters = ?", (letters,))


def _drawn_letters() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(N_LETTERS))


@cache
def rooms() -> Rooms:
    """Return the rooms of this server."""
    return Rooms(place())
