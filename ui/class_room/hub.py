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
from urllib.parse import urlsplit

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ui.class_room.messages import Role, of_room
from ui.shared.room_values import LATE, Room, RoomError
from ui.shared.rooms import Rooms
from viz.kit.language import ENGLISH, read_in

LOOKS = 0.05
"""Seconds between two checks of the file."""
TIME_TO_SAY_WHO = 10.0
"""Seconds in which a browser that connects must say what it is."""
HEARTBEAT = 15.0
"""Seconds between two heartbeats that are written for all students."""
SLOWEST = 20.0
"""Seconds that a browser may take for a message before it is disconnected; it reconnects on its own."""


def is_from_here(socket: WebSocket) -> bool:
    """Return whether a page of this server has opened the socket, by the Origin that browsers send."""
    origin = socket.headers.get("origin")
    hosts = {socket.headers.get("host"), socket.headers.get("x-forwarded-host")}
    return origin is None or urlsplit(origin).netloc in hosts


@dataclass(slots=True, eq=False, kw_only=True)
class Follower:
    """One that is told of all changes of a room, with its last known state."""

    letters: str
    person: str = ""
    tab: str = ""
    """The student, or the tab of a teacher; empty for others."""
    room: Room | None = None
    is_gone: bool = False
    seen_view: int = -1
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def notify(self, room: Room | None) -> None:
        """Notify the follower that the room has changed, or does not exist any more (None)."""
        self.is_gone, self.room = room is None, room or self.room
        self.news.set()

    async def send_changes(self) -> None:
        """Do what every change of the room asks for, until it is closed."""
        raise NotImplementedError


@dataclass(slots=True, eq=False, kw_only=True)
class Visitor(Follower):
    """A browser that is connected to a room, as a student, a teacher or the wall."""

    socket: WebSocket
    role: Role
    key: str = ""
    """The key of a teacher."""
    language: str = ENGLISH

    async def send_changes(self) -> None:
        """Send every change of the room until it is closed or the browser is gone; a slow one gets only the newest."""
        with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            await self._send_changes()
        if self.socket.application_state == WebSocketState.CONNECTED:
            with suppress(RuntimeError, WebSocketDisconnect):  # it has gone without a word
                await self.socket.close()

    async def _send_changes(self) -> None:
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
    """All followers of rooms in this process."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._followers: set[Follower] = set()
        self._looking: asyncio.Task[None] | None = None

    async def serve(self, follower: Follower) -> None:
        """Tell a follower of all changes until it has ended."""
        follower.notify(self._room(follower.letters))
        self._followers.add(follower)
        if follower.tab:  # it may have been marked as gone a moment ago, by its connection of before
            with suppress(sqlite3.Error):
                self._rooms.mark_tabs({(follower.letters, follower.tab)})
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            await follower.send_changes()
        finally:
            self._followers.discard(follower)

    async def _look(self) -> None:
        """Watch the file while anybody is connected."""
        known, beaten, looked = -1, time.monotonic(), time.time()
        while self._followers:
            with suppress(sqlite3.Error):  # another process writes for longer than SQLite waits: try again
                version = self._rooms.file.version()
                if version != known:
                    known = version
                    self._tell(self._followers)
                looked = self._tell_of_ends(since=looked)
                if time.monotonic() - beaten > HEARTBEAT:
                    beaten = time.monotonic()
                    self.beat()
            await asyncio.sleep(LOOKS)

    def beat(self) -> None:
        """Record which devices are in the room at this moment."""
        self._rooms.mark_here({(follower.letters, follower.person) for follower in self._followers if follower.person})
        self._rooms.mark_tabs({(follower.letters, follower.tab) for follower in self._followers if follower.tab})

    def _tell_of_ends(self, *, since: float) -> float:
        """Notify those whose question has ended by its clock since then, and return the time of this check."""
        now = time.time()
        for follower in self._followers:
            question = follower.room and follower.room.question
            if question and question.ends and since <= question.ends + LATE < now:
                follower.notify(follower.room)
        return now

    def _tell(self, followers: Iterable[Follower]) -> None:
        rooms = {letters: self._room(letters) for letters in {follower.letters for follower in followers}}
        for follower in followers:
            if rooms[follower.letters] is None or rooms[follower.letters] != follower.room:
                follower.notify(rooms[follower.letters])

    def _room(self, letters: str) -> Room | None:
        try:
            return self._rooms.room(letters)
        except RoomError:
            return None

    def is_here(self, visitor: Visitor) -> bool:
        """Return whether the same student, or the same tab of a teacher, is connected to this process again."""
        who = visitor.letters, visitor.person, visitor.tab
        return any((other.letters, other.person, other.tab) == who for other in self._followers)
