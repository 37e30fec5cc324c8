"""Processes of the app, kept alive: one that ends is started again, one that does not answer is ended first."""

from __future__ import annotations

import random
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from serving.guard import Guard

ROOT = Path(__file__).resolve().parents[1]
TIME_TO_ANSWER = 10.0
"""Seconds for the answer to "are you well?"; a worker that computes for many readers takes a while."""
TIME_TO_START = 180.0
"""Seconds from the start of a worker in which it need not answer."""
MOST_SILENT = 4
"""Questions in a row without an answer after which a worker hangs, and is ended."""
LONGEST_REST = 30.0
"""Seconds at most before a worker is started again that has ended; the first time at once, then twice as long."""
STEADY = 300.0
"""Seconds after which a worker counts as well again, however often it had ended before."""
TIME_TO_END = 30.0
"""The seconds that a worker has to end after its signal."""
WHOLE_CACHE_MB, LEAST_CACHE_MB = 3000, 1000
"""Megabytes of models and recordings that all workers keep together, and the least that one keeps."""
PORTS = range(20_000, 32_000)
"""The range of ports for the workers. Linux assigns ports above it to outgoing connections."""
_PAGE = 4096
_OF_ONE_WORKER = re.compile(r"You can now view your Streamlit app|^\s*(Local |Network |External )?URL: http")
"""Lines of Streamlit with an address that leads no reader anywhere: the proxy's does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerState:
    """One worker as it is now; `n_restarts` since the server began, `resident` in bytes, 0 where it is not known."""

    number: int
    is_well: bool
    n_restarts: int
    resident: int
    process: int


class AppProcess:
    """One process of the app on a port of its own, which stays its own when it is started again."""

    def __init__(
        self,
        number: int,
        command: Sequence[str],
        *,
        port: int,
        environment: Mapping[str, str],
        guard: Guard,
        time_to_start: float = TIME_TO_START,
    ) -> None:
        self.number, self.port, self.n_restarts = number, port, 0
        self.name = f"worker {number}"
        self._command, self._environment = command, environment
        self._guard, self._time_to_start = guard, time_to_start
        self._process: subprocess.Popen[bytes] | None = None
        self._begun, self._rest, self._due = 0.0, 0.0, 0.0
        self._n_silent, self._has_answered = 0, False

    def start(self) -> None:
        """Start the process; what it says goes to our own output, with its number before each line."""
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl+C reaches whoever looks after it, and readers have time to end
        )
        self._guard.watch(self.name, self._process.pid)
        self._begun, self._n_silent, self._has_answered = time.monotonic(), 0, False
        if self._process.stdout is not None:
            say_after(self.name, self._process.stdout, without=_OF_ONE_WORKER)

    def look(self, health: str) -> None:
        """See whether it lives and answers, and do what is to be done about it. `health` is the path to ask at."""
        if self._process is None:
            if time.monotonic() >= self._due:
                self.n_restarts += 1
                self.start()
            return
        status = self._process.poll()
        if status is None:
            self._ask(health)
            return
        self._guard.forget(self.name)
        if time.monotonic() - self._begun > STEADY:
            self._rest = 0.0
        say(f"{self.name} has ended with {status}; it starts again in {self._rest:.0f} s")
        self._process, self._due = None, time.monotonic() + self._rest
        self._rest = min(max(2 * self._rest, 1.0), LONGEST_REST)

    def _ask(self, health: str) -> None:
        if answers(f"http://127.0.0.1:{self.port}{health}"):
            self._n_silent, self._has_answered = 0, True
            return
        self._n_silent += 1
        is_late = self._has_answered or time.monotonic() - self._begun > self._time_to_start
        if is_late and self._n_silent >= MOST_SILENT and self._process is not None:
            say(f"{self.name} does not answer any more; it is ended")
            self._process.kill()

    def state(self) -> WorkerState:
        """Return the state of the worker."""
        process = self._process
        is_well = process is not None and process.poll() is None and self._has_answered and self._n_silent == 0
        process_id = 0 if process is None else process.pid
        return WorkerState(
            number=self.number,
            is_well=is_well,
            n_restarts=self.n_restarts,
            process=process_id,
            resident=resident_bytes(process_id) if process_id else 0,
        )

    def tell_to_end(self) -> None:
        """Let it end by itself."""
        if self._process is not None:
            self._process.terminate()

    def end(self) -> None:
        """Wait until it has ended, and end it if it does not."""
        if self._process is None:
            return
        try:
            self._process.wait(timeout=TIME_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._guard.forget(self.name)
        self._process = None


class AppProcesses:
    """All of them, and a thread for each that looks after it: one that is slow to answer holds up no other. `health` is
    the path to ask them at."""

    def __init__(self, workers: Sequence[AppProcess], *, health: str, pause: float = 1.0) -> None:
        self._workers, self._pause = tuple(workers), pause
        self._health = health
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=self._look_after, args=(worker,)) for worker in self._workers]

    def start(self) -> None:
        """Start all, and look after them from now on."""
        for worker in self._workers:
            worker.start()
        for thread in self._threads:
            thread.start()

    def states(self) -> tuple[WorkerState, ...]:
        """Return all as they are now."""
        return tuple(worker.state() for worker in self._workers)

    def end(self) -> None:
        """End all, at the same time."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.tell_to_end()
        for worker in self._workers:
            worker.end()

    def _look_after(self, worker: AppProcess) -> None:
        while not self._ending.wait(self._pause):
            worker.look(self._health)


def answers(address: str) -> bool:
    """Return whether a server of this machine, to which no proxy leads, says at an address that it is well."""
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=TIME_TO_ANSWER):
            return True
    except OSError:
        return False


def resident_bytes(process: int) -> int:
    """Return the memory of a process; 0 where the system does not say it in a file."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def say(message: str) -> None:
    """Write a line to the terminal at once."""
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {message}\n")
    sys.stdout.flush()


def say_after(name: str, said: IO[bytes], *, without: re.Pattern[str] | None = None) -> threading.Thread:
    """Write what a process says, with its name before every line, until it has ended; lines that match `without` are
    left out, and so are empty ones."""

    def _pass_on() -> None:
        with said:
            for line in said:
                text = line.decode(errors="replace").rstrip()
                if text and not (without and without.search(text)):
                    say(f"[{name}] {text}")

    thread = threading.Thread(target=_pass_on, name=f"said by {name}", daemon=True)
    thread.start()
    return thread


@contextmanager
def free_ports(n: int) -> Iterator[tuple[int, ...]]:
    """Yield `n` free ports of this machine outside the range that the system assigns by itself. They stay reserved
    until the block ends, so that they differ."""
    with ExitStack() as stack:
        ports: list[int] = []
        for port in random.sample(PORTS, len(PORTS)):
            with suppress(OSError):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
                ports.append(port)
            if len(ports) == n:
                break
        yield tuple(ports)


def environment_of_worker(environment: Mapping[str, str], n_workers: int, secret: str) -> dict[str, str]:
    """Return the settings of a worker: its share of the cores and of the memory, a secret for cookies that all know,
    and that one proxy says who asks."""
    own = {
        "HEADLIGHT_WORKERS": str(n_workers),
        "STREAMLIT_SERVER_COOKIE_SECRET": secret,
        "PYTHONUNBUFFERED": "1",
        "HEADLIGHT_PROXIES": "1",
        "HEADLIGHT_CACHE_MB": str(max(LEAST_CACHE_MB, WHOLE_CACHE_MB // n_workers)),
    }
    return own | dict(environment)
