"""The connections of rooms in this process, which are notified when the shared file has changed.

While anybody is connected, every process of the server checks twenty times a second the number that SQLite changes with
each write, and reads a room only if it has changed: so a room may have its teacher on one process and students on
others.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ui.class_room.messages import Role, of_room
from ui.shared.room_values import LATE, Room, RoomError
from ui.shared.rooms import Rooms
from viz.kit.language import ENGLISH, read_in

LOOKS = 0.05
"""Seconds between two checks of the file."""
HEARTBEAT = 15.0
"""Seconds between two heartbeats that are written for all students."""
SLOWEST = 20.0
"""Seconds that a browser may take for a message before it is disconnected; it reconnects on its own."""


@dataclass(slots=True, eq=False, kw_only=True)
class Visitor:
    """A connected browser, with the last known state of its room."""

    socket: WebSocket
    letters: str
    role: Role
    person: str = ""
    key: str = ""
    tab: str = ""
    """The key of a teacher, and the tab that is open."""
    room: Room | None = None
    language: str = ENGLISH
    is_gone: bool = False
    seen_view: int = -1
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def notify(self, room: Room | None) -> None:
        """Notify the visitor that the room has changed, or does not exist any more (None)."""
        self.is_gone, self.room = room is None, room or self.room
        self.news.set()

    async def send_changes(self) -> None:
        """Send every change of the room until it is closed; a slow browser gets only the newest."""
        while True:
            await self.news.wait()
            self.news.clear()
            if self.is_gone or self.room is None:
                await self.send({"type": "gone"})
                return
            room, is_new = self.room, self.room.view.number != self.seen_view
            self.seen_view = room.view.number
            with read_in(self.language):
                message = of_room(room, self.role, with_view=is_new, tab=self.tab, person=self.person)
            await self.send(message)

    async def send(self, message: dict[str, object]) -> None:
        """Send a message. Raises TimeoutError, WebSocketDisconnect."""
        await asyncio.wait_for(self.socket.send_json(message), SLOWEST)


class Hub:
    """All visitors of this process."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._visitors: set[Visitor] = set()
        self._looking: asyncio.Task[None] | None = None

    async def serve(self, visitor: Visitor) -> None:
        """Send a visitor all changes until the connection closes."""
        visitor.notify(self._room(visitor.letters))
        self._visitors.add(visitor)
        if visitor.tab:  # it may have been marked as gone a moment ago, by its connection of before
            with suppress(sqlite3.Error):
                self._rooms.mark_tabs({(visitor.letters, visitor.tab)})
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
                await visitor.send_changes()
            if visitor.socket.application_state == WebSocketState.CONNECTED:
                await visitor.socket.close()
        finally:
            self._visitors.discard(visitor)

    async def _look(self) -> None:
        """Watch the file while anybody is connected."""
        known, beaten, looked = -1, time.monotonic(), time.time()
        while self._visitors:
            with suppress(sqlite3.Error):  # another process writes for longer than SQLite waits: try again
                version = self._rooms.file.version()
                if version != known:
                    known = version
                    self._tell(self._visitors)
                looked = self._tell_of_ends(since=looked)
                if time.monotonic() - beaten > HEARTBEAT:
                    beaten = time.monotonic()
                    self.beat()
            await asyncio.sleep(LOOKS)

    def beat(self) -> None:
        """Record which devices are in the room at this moment."""
        self._rooms.mark_here({(visitor.letters, visitor.person) for visitor in self._visitors if visitor.person})
        self._rooms.mark_tabs({(visitor.letters, visitor.tab) for visitor in self._visitors if visitor.tab})

    def _tell_of_ends(self, *, since: float) -> float:
        """Notify those whose question has ended by its clock since then, and return the time of this check."""
        now = time.time()
        for visitor in self._visitors:
            question = visitor.room and visitor.room.question
            if question and question.ends and since <= question.ends + LATE < now:
                visitor.notify(visitor.room)
        return now

    def _tell(self, visitors: Iterable[Visitor]) -> None:
        rooms = {letters: self._room(letters) for letters in {visitor.letters for visitor in visitors}}
        for visitor in visitors:
            if rooms[visitor.letters] is None or rooms[visitor.letters] != visitor.room:
                visitor.notify(rooms[visitor.letters])

    def _room(self, letters: str) -> Room | None:
        try:
            return self._rooms.room(letters)
        except RoomError:
            return None

    def is_here(self, visitor: Visitor) -> bool:
        """Return whether the same student, or the same tab of a teacher, is connected to this process again."""
        who = visitor.letters, visitor.person, visitor.tab
        return any((other.letters, other.person, other.tab) == who for other in self._visitors)
