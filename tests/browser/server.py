"""The app on a free port, for the browser tests and for the benchmarks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WATCHED = Path(__file__).with_name("watched_python")
"""On the path of a Python, it hears of every connection that would leave the machine."""
TIME_TO_START = 120.0
"""Seconds that a server may take until it answers."""
TIME_TO_END = 60.0
"""Seconds that a server may take to end, once it was asked."""
PAUSE = 0.1
"""Seconds from one question to the next whether it does."""


class NotServedError(Exception):
    """A server has ended, or does not answer in time; the message holds what it said last."""


@contextmanager
def running_app(connections: Path | None = None) -> Iterator[str]:
    """Start the app and give its address; stop it at the end. Raises NotServedError if it does not start.

    Nothing that it or its jobs send may leave this machine, if there is a file of `connections`: for each that is
    refused it gets a line with the host.
    """
    with tempfile.TemporaryDirectory() as trainings, tempfile.TemporaryDirectory() as said:
        changed = {"HEADLIGHT_LAB_RUNS": trainings, "HEADLIGHT_SHARED": f"{trainings}/shared.sqlite"}
        if connections is not None:
            path = os.pathsep.join(filter(None, (str(WATCHED), os.environ.get("PYTHONPATH"))))
            changed |= {"HEADLIGHT_CONNECTIONS": str(connections), "PYTHONPATH": path}
        with running("app.py", log=Path(said) / "log", environment=changed) as (process, address):
            try:
                yield address
            finally:
                end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a server as its owner would: ask once, and if a connection keeps it from ending, press Ctrl+C on top."""
    process.terminate()
    try:
        process.wait(timeout=TIME_TO_END)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=TIME_TO_END)


@contextmanager
def running(
    app: str,
    *,
    log: Path,
    environment: dict[str, str],
    options: tuple[str, ...] = (),
    streamlit: tuple[str, ...] = ("-m", "streamlit"),
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start an app of Streamlit; its process and address. The system chooses the port, when the server takes it, and
    the server says which it is: a port that was found free before may be another's by then. `streamlit` is how Python
    is told to start it."""
    command = [sys.executable, *streamlit, "run", app, "--server.port", "0", "--server.headless", "true"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            env=os.environ | environment | {"PYTHONUNBUFFERED": "1"},
            stdout=file,
            stderr=file,
        )
    try:
        yield process, _address(process, log)
    finally:
        process.kill()
        process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where a server listens, with its base path, once it answers there."""
    end = time.monotonic() + TIME_TO_START
    while process.poll() is None and time.monotonic() < end:
        said = re.search(r"http://localhost:\d+(/\w+)?", log.read_text(encoding="utf-8", errors="replace"))
        if said is not None and _answers(f"{said[0]}/_stcore/health"):
            return said[0]
        time.sleep(PAUSE)
    raise NotServedError(f"the server does not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2):
            return True
    except OSError:
        return False
