"""The connections of rooms in this process; they are notified when the shared file has changed.

Every process of the server looks at the number that SQLite changes with each write, twenty times a second while
somebody is here, and reads a room only when it has changed: so a room may have its teacher on one process and students
on others.
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
from ui.shared.room_values import Room, RoomError
from ui.shared.rooms import Rooms
from viz.kit.language import ENGLISH, read_in

LOOKS = 0.05
"""Seconds between two looks at the file."""
HEARTBEAT = 15.0
"""Seconds between two signs of life that are written for all students."""
SLOWEST = 20.0
"""Seconds that a browser may take for a message, before it is let go: it comes back by itself."""


@dataclass(slots=True, eq=False, kw_only=True)
class Visitor:
    """One browser: its room as it last was, and whether that has been sent."""

    socket: WebSocket
    letters: str
    role: Role
    person: str = ""
    key: str = ""
    """A teacher's."""
    room: Room | None = None
    language: str = ENGLISH
    is_gone: bool = False
    seen_view: int = -1
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, room: Room | None) -> None:
        """The room has changed, or is gone: None."""
        self.is_gone, self.room = room is None, room or self.room
        self.news.set()

    async def keep_told(self) -> None:
        """Send what is new, as often as there is something; only the newest, if the browser is slow."""
        while True:
            await self.news.wait()
            self.news.clear()
            if self.is_gone or self.room is None:
                await self.send({"type": "gone"})
                return
            room, is_new = self.room, self.room.view.number != self.seen_view
            self.seen_view = room.view.number
            with read_in(self.language):
                told = of_room(room, self.role, with_view=is_new)
            await self.send(told)

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
        """Tell a visitor all that changes, until they go."""
        visitor.hear(self._room(visitor.letters))
        self._visitors.add(visitor)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
                await visitor.keep_told()
            if visitor.socket.application_state == WebSocketState.CONNECTED:
                await visitor.socket.close()
        finally:
            self._visitors.discard(visitor)

    async def _look(self) -> None:
        """Watch the file as long as anybody is here."""
        known, beaten = -1, time.monotonic()
        while self._visitors:
            with suppress(sqlite3.Error):  # another process writes for longer than SQLite waits: look again
                version = self._rooms.file.version()
                if version != known:
                    known = version
                    self._tell(self._visitors)
                if time.monotonic() - beaten > HEARTBEAT:
                    beaten = time.monotonic()
                    self._rooms.seen({(each.letters, each.person) for each in self._visitors if each.person})
            await asyncio.sleep(LOOKS)

    def _tell(self, visitors: Iterable[Visitor]) -> None:
        found = {letters: self._room(letters) for letters in {each.letters for each in visitors}}
        for visitor in visitors:
            if found[visitor.letters] is None or found[visitor.letters] != visitor.room:
                visitor.hear(found[visitor.letters])

    def _room(self, letters: str) -> Room | None:
        try:
            return self._rooms.room(letters)
        except RoomError:
            return None

    def is_here(self, person: str) -> bool:
        """Return whether a student has a browser open by way of this process."""
        return any(visitor.person == person for visitor in self._visitors)
