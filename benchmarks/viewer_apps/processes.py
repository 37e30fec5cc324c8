"""The memory of processes, and a guard over those that may take too much of it, or too long. Linux only: /proc."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MEGABYTE = 1_000_000
GIGABYTE = 1_000_000_000
GUARD_SECONDS = 0.25


class GivenUpError(Exception):
    """The guard has ended what was measured; says why."""


def resident(pid: int, *, highest: bool = False) -> int:
    """Bytes of a process that are in memory now, or were at the highest; libraries that it shares are counted."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    mark = "VmHWM:" if highest else "VmRSS:"
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(mark)), 0)


def restart_highest(pid: int) -> None:
    """Let the highest mark start again from what the process takes now."""
    Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="ascii")


class Guard:
    """Ends the tab and the server when one outgrows the limit, or when time is up; `verdict` says why."""

    def __init__(self, gigabytes: float) -> None:
        self.verdict = ""
        self._gigabytes = gigabytes
        self._pids: dict[str, int] = {}
        self._seconds = self._deadline = float("inf")

    def watch(self, name: str, pid: int) -> None:
        """Watch one more process."""
        self._pids[name] = pid

    def check(self) -> None:
        """Raise GivenUpError if there is a verdict."""
        if self.verdict:
            raise GivenUpError(self.verdict)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """What is done in here must end in time."""
        self._seconds, self._deadline = seconds, time.monotonic() + seconds
        try:
            yield
        finally:
            self._deadline = float("inf")

    @contextmanager
    def on_duty(self) -> Iterator[None]:
        """Watch in a thread of its own: a page that hangs holds up this one."""
        ended = threading.Event()
        thread = threading.Thread(target=self._watch, args=(ended,))
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _watch(self, ended: threading.Event) -> None:
        while not self.verdict and not ended.wait(GUARD_SECONDS):
            self.verdict = self._judge()
        if self.verdict:
            for pid in self._pids.values():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _judge(self) -> str:
        for name, pid in list(self._pids.items()):
            with suppress(OSError):  # a process that has ended has no memory
                if resident(pid) > self._gigabytes * GIGABYTE:
                    return f"more than {self._gigabytes:g} GB in the {name}"
        return f"not within {self._seconds:g} s" if time.monotonic() > self._deadline else ""
