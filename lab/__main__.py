"""The process of one run: `python -m lab FOLDER`. Starts, or goes on where the run has last saved."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from lab import runs
from lab.jobs.locks import holding, write_whole
from lab.jobs.supervisor import HEARTBEAT
from models.opening.background import step_back
from models.values.wording import to_say, worded

PATIENCE = 20.0
"""Seconds to wait for the lock of the run: its last job may be saving yet, and looking at a lock holds it shortly."""
SERVER_IS_GONE = 90.0
"""Seconds without a heartbeat after which no server is there any more."""
GLANCE = 1.0
"""Seconds between two looks at the heartbeat."""


def main() -> int:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of the run, made by the training lab")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--attended", action="store_true", help="stop when no server is there any more")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    place: Path = arguments.folder.resolve()
    try:
        with holding(place / runs.ALIVE, patience=PATIENCE):
            write_whole(place / runs.PID, str(os.getpid()))
            step_back()
            heartbeat = place.parent / HEARTBEAT if arguments.attended else None
            return _work(place, arguments.device, reasons_to_stop(place, heartbeat, arguments.seconds))
    except TimeoutError:
        sys.stderr.write("Another process trains this run already.\n")
        return 1


def _work(place: Path, device: str, why_stop: Callable[[], str]) -> int:
    from lab.work import carry_out  # torch takes seconds, and the lock has to be held before

    carry_out(place, device=device, why_stop=why_stop)
    return 0


def reasons_to_stop(
    place: Path, heartbeat: Path | None, seconds: float, *, begun: float | None = None, glance: float = GLANCE
) -> Callable[[], str]:
    """Return a function that gives the reason to stop, nothing while there is none; `begun` on the monotonic clock."""
    start = looked = time.monotonic() if begun is None else begun

    def why_stop() -> str:
        nonlocal looked
        now = time.monotonic()
        if (place / runs.STOP).exists():
            return to_say("You stopped it.")
        if now - start > seconds:
            return worded(
                "This server lets a training run for {minutes} minutes at a time, and that time is up.",
                minutes=f"{seconds / 60:g}",
            )
        if heartbeat is not None and now - looked >= glance:
            looked = now
            if _age(heartbeat, now - start) > SERVER_IS_GONE:
                return runs.QUEUE_AGAIN
        return ""

    return why_stop


def _age(file: Path, running: float) -> float:
    """Return the seconds since a file was touched; of one that is gone with its folder, those that the job is running;
    none, if it cannot be seen."""
    try:
        return time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return running
    except OSError:
        return 0.0


if __name__ == "__main__":
    sys.exit(main())
