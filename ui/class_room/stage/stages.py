"""The stages of this process: what each kind of screen sees of the page that the teacher of a room shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from ui.class_room.hub import Follower, Hub
from ui.class_room.messages import BY_NAME, is_drawn_here
from ui.class_room.stage.page_run import PageRun, Screen


@dataclass(slots=True, eq=False, kw_only=True)
class ClassStage(Follower):
    """The page that a kind of screen sees: run again for every view, while any screen looks."""

    screen: Screen
    n_screens: int = 0
    task: asyncio.Task[None] | None = None
    run: PageRun | None = None
    is_over: bool = False
    _before: PageRun | None = None
    """The run of the view before: its numbers can be fetched until the next one is done."""
    _sent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a message comes, and replaced then."""

    async def send_changes(self) -> None:
        """Run the page of every view that a student's browser does not draw from numbers alone."""
        try:
            while not self.is_gone:
                await self.news.wait()
                self.news.clear()
                view = self.room and self.room.view
                if view and view.number != self.seen_view:
                    self.seen_view = view.number
                    if view.page in BY_NAME and not is_drawn_here(view):
                        self._close_before()
                        self._before, self.run = self.run, PageRun(view, self.screen, self._tell)
                        if not (self._before and self._before.is_done):
                            self._close_before()
        finally:
            self._close_before()
            if self.run is not None:
                self.run.close()
            self.is_over = True
            self._tell()

    def _tell(self) -> None:
        if self.run is not None and self.run.is_done:
            self._close_before()
        self._sent.set()
        self._sent = asyncio.Event()

    def _close_before(self) -> None:
        if self._before is not None:
            self._before.close()
            self._before = None

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield the messages that draw the page until the room is closed: all of the current run, then those of the
        next. A slow screen leaves out what is over."""
        messages: list[bytes] = []
        n_sent = 0
        while not self.is_over:
            if self.run is not None and messages is not self.run.sent:
                messages, n_sent = self.run.sent, 0
            if n_sent == len(messages):
                await self._sent.wait()
                continue
            n_sent += 1
            yield messages[n_sent - 1]


class Stages:
    """All stages of this process, each for as long as a screen looks at it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._stages: dict[tuple[str, Screen], ClassStage] = {}

    def enter(self, letters: str, screen: Screen) -> ClassStage:
        """Return the stage for a screen, which looks at it from now on."""
        stage = self._stages.get((letters, screen))
        if stage is None or stage.task is None or stage.task.done():
            stage = self._stages[letters, screen] = ClassStage(letters=letters, screen=screen)
            stage.task = asyncio.create_task(self._hub.serve(stage))
        stage.n_screens += 1
        return stage

    def leave(self, stage: ClassStage) -> None:
        """End a stage once no screen looks at it any more."""
        stage.n_screens -= 1
        if stage.n_screens or stage.task is None:
            return
        if self._stages.get((stage.letters, stage.screen)) is stage:
            del self._stages[stage.letters, stage.screen]
        stage.task.cancel()
