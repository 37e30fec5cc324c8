"""The process of a job: started apart from the server, ended for good, asked why it crashed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab import runs
from lab.limits import ROOT
from models.values.wording import Message, to_say, worded

Command = Sequence[str]
TIME_TO_DIE = 10.0
"""Seconds that a process has to be gone after it was killed."""
_LOG_END = 4000
"""Bytes of the log that are searched for a reason."""
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def start_job(command: Command, *, log: Path, threads: int) -> subprocess.Popen[bytes]:
    """Start a job with a number of threads; its output goes into its log. Raises OSError if it cannot be started."""
    environment = os.environ | {
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
        "PYTHONUNBUFFERED": "1",
    }
    with log.open("wb") as file:
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file, **apart()
        )


def kill(process: subprocess.Popen[bytes]) -> None:
    """End it now, and wait until it is gone."""
    process.kill()
    process.wait(timeout=TIME_TO_DIE)


def apart() -> dict[str, Any]:
    """So that Ctrl-C in the server's terminal does not reach a job, and a job yields to the server."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"start_new_session": True}


def reason(place: Path) -> Message:
    """Return the last line of the output of a job that crashed."""
    with contextlib.suppress(OSError):
        end = (place / runs.LOG).read_bytes()[-_LOG_END:].decode(errors="replace").strip()
        if end:
            return worded("The training crashed: {last_words}", last_words=end.splitlines()[-1][:300])
    return to_say("The training crashed and did not say why.")
