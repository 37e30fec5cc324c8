"""Jobs outside the request: a process each, at most so many at once; the others queue on disk and see their place.

A server may end at any time, and so may a job. Whoever supervises a folder next, this server or another, sees from the
locks which jobs live, starts what waits, and says of what was killed that it was.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile

import lab
from lab import runs
from lab.data.given import Given
from lab.jobs.disk import disk_full, is_about_disk
from lab.jobs.locks import holding, is_held
from lab.jobs.process import KILL, TIME_TO_DIE, Command, kill, reason, start_job
from lab.jobs.sharing import expect_room, too_many
from lab.jobs.waiting import seconds_to_wait
from lab.limits import Limits
from lab.recipe import Recipe
from lab.runs import RESUMABLE, UNFINISHED, Run, Status
from models.values.errors import LabError
from models.values.wording import to_say, worded

HEARTBEAT = "heartbeat"
"""Touched while a server supervises the folder: jobs of a server that is gone save their state and queue again."""
_QUEUE_LOCK = "queue.lock"
_TICK = 0.5
"""Seconds between two looks at the folder."""
_PATIENCE = 20.0
"""Seconds to wait for the lock of the queue."""
_TIME_TO_START = 120.0
"""Seconds that a job has to take its lock, before it counts as killed."""
_TIME_TO_START_ALONE = 3.0
"""Seconds that it has if the server that started it is gone: it takes its lock before it opens torch."""
_TIME_TO_STOP = 45.0
"""Seconds that a job has to save its state and end, before it is ended."""
_WHY_KILLED = to_say(
    "Something outside Headlight stopped this training, perhaps because memory ran out. What it had saved is still "
    "there. Resume it, or start a smaller one."
)
_SERVER = ".server-"
"""The prefix of the files that servers keep locked while they have jobs."""
JOB: Command = (sys.executable, "-m", lab.__name__)


_log = logging.getLogger(__name__)


class Supervisor:
    """Looks after the runs of a folder. Safe for many threads; several servers may look after the same folder."""

    def __init__(self, limits: Limits, command: Command = JOB) -> None:
        self.limits = limits
        self._command = command
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self._lock, self._beginning = threading.RLock(), threading.Lock()
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._server = secrets.token_hex(8)
        self._known = contextlib.ExitStack()
        """Holds the lock that tells other servers that this one is there."""
        self._complaint = ""

    def begin(self) -> Supervisor:
        """Look after the folder from now on, in a thread of its own; if that has ended, in a new one."""
        with self._beginning:  # not the other lock: whoever opens a page does not wait for a look at the folder
            if self._thread is None or not self._thread.is_alive():
                self.limits.folder.mkdir(parents=True, exist_ok=True)
                self._ended.clear()
                self._thread = threading.Thread(target=self._watch, name="training-lab", daemon=True)
                self._thread.start()
        return self

    def end(self) -> None:
        """Look no more; jobs that run go on until they miss the heartbeat."""
        self._ended.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        self._known.close()
        (self.limits.folder / f"{_SERVER}{self._server}").unlink(missing_ok=True)

    # -- what a person asks for ---------------------------------------------------------------------------------------

    def start(self, recipe: Recipe, given: Given | None, *, client: str = "", owner: str = "") -> Run:
        """Put a new run at the end of the queue. Raises LabError if the lab is off, the queue is full, or the client,
        if there is one, has half of its places."""
        if not self.limits.is_on:
            raise LabError(to_say("The training lab is switched off on this server."))
        with self._hold_lock():
            expect_room(self._queue(), client, most=self.limits.queue)
            run = runs.create(self.limits.folder, recipe, given, client=client, owner=owner)
        self._wake.set()
        return run

    def stop(self, identifier: str) -> None:
        """Let a run end: one that waits at once, one that trains as soon as it has saved its state."""
        run = self.find(identifier)
        with self._hold_lock():
            run = self.find(identifier)
            if run.state == "running":
                (run.folder / runs.STOP).touch()
            elif run.state == "queued":
                self._write(run, "stopped", to_say("Taken out of the queue."))

    def resume(self, identifier: str) -> None:
        """Put a run that ended early into the queue again. Raises LabError if it cannot go on, or the queue is full."""
        with self._hold_lock():
            run = self.find(identifier)
            if run.state not in RESUMABLE or run.recipe is None:
                raise LabError(to_say("Only a run that was stopped or killed can go on. Start a new one."))
            expect_room(self._queue(), run.client, most=self.limits.queue)
            (run.folder / runs.STOP).unlink(missing_ok=True)
            now = time.time()
            runs.write_status(run.folder, Status(state="queued", since=now, queued_at=now))
        self._wake.set()

    def delete(self, identifier: str) -> None:
        """End a run, if it still goes on, and remove all its files."""
        with self._hold_lock():
            run = self.find(identifier)
            self._end_process(run)
            runs.remove(run.folder)
        self._wake.set()

    def find(self, identifier: str) -> Run:
        """Return the run with this id. Raises LabError if there is none."""
        return runs.find(self.limits.folder, identifier)

    def place_in_queue(self, identifier: str) -> int | None:
        """1 for the run that starts next, None for one that does not wait."""
        waiting = [run.id for run in self._queue()]
        return waiting.index(identifier) + 1 if identifier in waiting else None

    def seconds_to_wait(self, identifier: str) -> float | None:
        """Return about how long it is until a run that waits begins; None if that is unknown."""
        known = runs.all_runs(self.limits.folder)
        waiting = self._queue()
        before = list(takewhile(lambda run: run.id != identifier, waiting))
        running = [run for run in known if run.state == "running"]
        return seconds_to_wait(running, before, self.limits.jobs) if len(before) < len(waiting) else None

    # -- looking after the folder -------------------------------------------------------------------------------------

    def tick(self) -> None:
        """One look: who lives, who was killed, who is late, who is next."""
        (self.limits.folder / HEARTBEAT).touch()
        with self._hold_lock():
            running = [run for run in runs.all_runs(self.limits.folder) if run.state == "running"]
            living = [run for run in running if self._attempt(self._look_at, run)]
            for run in self._queue()[: max(self.limits.jobs - len(living), 0)]:
                self._attempt(self._launch, run)
            self._forget_oldest()

    def _watch(self) -> None:
        while not self._ended.is_set():
            try:
                self.tick()
            except Exception as error:
                self._complain(error)  # a full disk, a lock held for long, what nobody thought of: the next look may do
            self._wake.wait(_TICK)
            self._wake.clear()

    def _attempt(self, look: Callable[[Run], bool], run: Run) -> bool:
        """Return the result of a check of one run; a run whose check fails counts as alive and does not stop the
        others."""
        try:
            return look(run)
        except Exception as error:
            self._complain(error)
            return True

    def _complain(self, error: Exception) -> None:
        """Say once in the log what goes wrong at every look."""
        if repr(error) != self._complaint:
            _log.error("The training lab could not check on its runs; it will try again.", exc_info=error)
        self._complaint = repr(error)

    @contextlib.contextmanager
    def _hold_lock(self) -> Iterator[None]:
        """Alone among the threads of this server, and among servers. Raises LabError if another one hangs."""
        with self._lock:
            try:
                with holding(self.limits.folder / _QUEUE_LOCK, patience=_PATIENCE):
                    yield
            except TimeoutError as error:
                raise LabError(
                    to_say("The queue of the training lab is not answering. Try again in a minute.")
                ) from error

    def _queue(self) -> list[Run]:
        waiting = [run for run in runs.all_runs(self.limits.folder) if run.state == "queued"]
        return sorted(waiting, key=lambda run: (run.status.queued_at, run.id))

    def _look_at(self, run: Run) -> bool:
        """Return whether a run that is said to run does; if not, its end is written down."""
        process = self._started.get(run.id)
        code = process.poll() if process is not None else None
        if runs.is_alive(run.folder):
            self._hurry(run)
            return True
        patience = _TIME_TO_START if process is not None or self._is_there(run.status.server) else _TIME_TO_START_ALONE
        is_starting = time.time() - run.status.since < patience
        if code is None and is_starting:
            return True
        self._started.pop(run.id, None)
        if process is not None and code is None:
            kill(process)
        if runs.read_status(run.folder).state == "running":  # otherwise it has said its last word meanwhile
            state: runs.State = "failed" if code is not None and code > 0 else "killed"
            self._write(run, state, reason(run.folder) if state == "failed" else _WHY_KILLED)
        return False

    def _is_there(self, server: str) -> bool:
        """Return whether a server that has started a job still is."""
        return bool(server) and is_held(self.limits.folder / f"{_SERVER}{server}")

    def _make_known(self) -> None:
        """Hold the lock of this server, from its first job on; remove the files of servers that are gone."""
        mine = self.limits.folder / f"{_SERVER}{self._server}"
        if not mine.exists():
            self._known.enter_context(holding(mine, patience=_PATIENCE))
        for other in self.limits.folder.glob(f"{_SERVER}*"):
            if other != mine and not is_held(other):
                other.unlink(missing_ok=True)

    def _hurry(self, run: Run) -> None:
        """End a job that should have ended."""
        stop, now = run.folder / runs.STOP, time.time()
        asked = stop.stat().st_mtime if stop.exists() else now
        too_long = now - run.status.since > self.limits.seconds + _TIME_TO_STOP
        if now - asked > _TIME_TO_STOP or too_long:
            self._end_process(run)
            why = to_say("It did not stop on its own, so it was stopped; it goes on from what it had saved.")
            self._write(run, "stopped", why)

    def _launch(self, run: Run) -> bool:
        """Start the job of a run; says whether it has."""
        if runs.is_alive(run.folder):
            return False  # its last job has not quite ended
        (run.folder / runs.STOP).unlink(missing_ok=True)
        self._make_known()
        starting = replace(
            run.status, state="running", since=time.time(), message=to_say("Starting"), server=self._server
        )
        runs.write_status(run.folder, starting)
        try:
            self._started[run.id] = start_job(
                [*self._command, str(run.folder), "--attended", "--seconds", str(self.limits.seconds)],
                log=run.folder / runs.LOG,
                threads=self.limits.threads,
            )
        except Exception as error:  # whatever it is, it ends this run and not the lab
            if is_about_disk(error):
                self._write(run, "stopped", worded("{disk_full} Then resume it.", disk_full=disk_full(error)))
            else:
                self._write(run, "failed", worded("Its process could not be started: {why}.", why=str(error)))
            return False
        return True

    def _end_process(self, run: Run) -> None:
        """Kill the job of a run, whoever started it, and wait until it is gone."""
        process = self._started.pop(run.id, None)
        if process is not None:
            kill(process)
        elif runs.is_alive(run.folder):  # only then its number is still its own
            with contextlib.suppress(OSError, ValueError):
                os.kill(int((run.folder / runs.PID).read_text(encoding="ascii")), KILL)
        until = time.monotonic() + TIME_TO_DIE
        while runs.is_alive(run.folder) and time.monotonic() < until:
            time.sleep(0.02)

    def _forget_oldest(self) -> None:
        """Remove runs that are over, if there are too many: the oldest of the client who has most."""
        if self.limits.keep:
            over = [run for run in runs.all_runs(self.limits.folder) if run.state not in UNFINISHED]
            for run in too_many(over, self.limits.keep):
                runs.remove(run.folder)

    def _write(self, run: Run, state: runs.State, message: str) -> None:
        runs.write_status(run.folder, replace(run.status, state=state, since=time.time(), message=message))
