"""The app on a free port, for the browser tests and for the benchmarks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def running_app() -> Iterator[str]:
    """Start the app and give its address; stop it at the end. TimeoutError if it does not answer in two minutes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--server.port", str(port), "--server.headless", "true"]
    address = f"http://localhost:{port}"
    with tempfile.TemporaryDirectory() as trainings:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options], cwd=ROOT,
            env=os.environ | {"HEADLIGHT_LAB_RUNS": trainings}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            _wait_for(f"{address}/_stcore/health")
            yield address
        finally:
            process.terminate()
            process.wait(timeout=60)


def _wait_for(address: str) -> None:
    for _ in range(480):
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.25)
    raise TimeoutError(f"no server answers at {address}")
