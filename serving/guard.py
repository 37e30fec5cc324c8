"""Ends the workers and the proxy if the program that looks after them is killed, and cannot do so itself.

A process of its own, at the other end of a pipe: the system closes that when the program has gone, however it went. So
it does on Linux and macOS alike; Linux alone knows a signal at the death of a parent, and sends it when the *thread*
ends that has started the child (prctl(2), PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[1]
BY_FORCE: int = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Windows has no SIGKILL: there every signal ends a process by force."""
TIME_TO_END = 10.0
"""Seconds that processes have to end by themselves."""


class Guard:
    """The process at the other end, and what it is to end: each watched process leads a session of its own. Safe for
    many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[str, int] = {}
        self._guard = _start_guard()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave: what is watched still ends."""
        with self._lock:
            self._close()

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._guard.pid

    def watch(self, name: str, process: int) -> None:
        """End this process, too; it takes the place of another of its name."""
        self._tell(name, process)

    def forget(self, name: str) -> None:
        """The process of that name has ended."""
        self._tell(name, 0)

    def _tell(self, name: str, process: int) -> None:
        with self._lock:
            self._watched[name] = process
            try:
                self._write({name: process})
            except BrokenPipeError:  # somebody has ended the guard
                self._close()
                self._guard = _start_guard()
                self._write(self._watched)

    def _write(self, watched: dict[str, int]) -> None:
        if self._guard.stdin is not None:
            self._guard.stdin.write("".join(f"{process} {name}\n" for name, process in watched.items()).encode())

    def _close(self) -> None:
        if self._guard.stdin is not None:
            self._guard.stdin.close()
        self._guard.wait()


def _start_guard() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "serving.guard"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, bufsize=0, start_new_session=True)


def end(processes: Iterable[int]) -> None:
    """End processes with all that they have started: softly, and after a while by force."""
    left = set(processes)
    for number, patience in ((signal.SIGTERM, TIME_TO_END), (BY_FORCE, 0.0)):
        left = {process for process in left if _is_sent(process, number)}
        until = time.monotonic() + patience
        while left and time.monotonic() < until:
            time.sleep(0.1)
            left = {process for process in left if _is_sent(process, 0)}


def _is_sent(process: int, number: int) -> bool:
    """Send a signal to a process and what it has started; whether anything of it is there."""
    with suppress(ProcessLookupError):
        os.killpg(process, number)
        return True
    return False


def main() -> None:
    """Hear what is to be watched, until nobody can say any more; then end it."""
    watched: dict[str, int] = {}
    for line in sys.stdin:
        process, _, name = line.rstrip("\n").partition(" ")
        watched[name] = int(process)
    end(process for process in watched.values() if process)


if __name__ == "__main__":
    main()
