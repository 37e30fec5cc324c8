"""How long a model that reads in the browser takes to come, to come again, and to follow a key, in two browsers.

    python -m benchmarks.site_page
    python -m benchmarks.site_page --models mini-bert --browsers firefox --rounds 5

The page "Try it" of the site, from a server on this machine that hands out its files at --megabits. A first visit is to
an empty browser; the second finds the model kept. A key changes the last word of a text of 8, 16, 64 or 128 tokens.
Memory is that of all processes of the browser at the end, what they share counted once (PSS; on Linux alone). The
browsers are Chromium and Firefox as they are installed, without a window; one that is missing is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from statistics import median
from threading import Event, Lock, Thread
from typing import Any

from deploy.site import live
from tests.chromium import find_browser

LENGTHS = (8, 16, 64, 128)
SCRIPT = Path(__file__).with_suffix(".js")
PAGE = """<!DOCTYPE html><title>site_page</title><iframe style="width: 1366px; height: 768px"></iframe>
<script type="application/json" id="asked">{asked}</script><script type="module" src="/site_page.js"></script>"""
MEGABIT = 1e6 / 8
PART = 16384
"""Bytes that are handed out at once."""
PATIENCE = 600
"""Seconds after which a browser has failed."""


@dataclass(slots=True, kw_only=True)
class Measured:
    """What a browser has told: seconds, lists of them, and whether it is done; and the bytes that it has fetched."""

    told: dict[str, Any] = field(default_factory=dict)
    n_bytes: int = 0
    n_bytes_of_first: int = 0
    is_over: Event = field(default_factory=Event)
    line: Lock = field(default_factory=Lock)


def main() -> None:
    """Read the command line, measure, write a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=["mini-bert", "headlight-bert"])
    parser.add_argument("--browsers", nargs="+", choices=("chromium", "firefox"), default=["chromium", "firefox"])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--megabits", type=float, default=20)
    arguments = parser.parse_args()
    heads = "".join(f" {length} tokens |" for length in LENGTHS)
    sys.stdout.write(f"| browser, model | fetched | first picture | once kept |{heads} memory |\n")
    sys.stdout.write(f"{'| --- ' * (5 + len(LENGTHS))}|\n")
    for model in arguments.models:
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder), model)
            for browser in arguments.browsers:
                if command := browser_command(browser):
                    write_row(f"{browser}, {model}", *measure(Path(folder), command, arguments))


def build(folder: Path, model: str) -> None:
    """Write the page with one model."""
    words = live.WORDS["en"]
    live.WORDS["en"] = replace(words, models={model: words.models[model]})
    live.write_live(folder / "live", folder / "live" / live.MODELS, "en")
    live.WORDS["en"] = words


def browser_command(name: str) -> list[str]:
    """Return how a browser is started without a window, but for its profile and the address; nothing if it is
    missing."""
    if name == "chromium":
        path = find_browser()
        return [path, "--headless=new", "--no-sandbox", "--no-first-run", "--user-data-dir={}"] if path else []
    path = which("firefox") or which("firefox-esr")
    return [path, "--headless", "--no-remote", "--profile", "{}"] if path else []


def measure(folder: Path, command: list[str], asked: argparse.Namespace) -> tuple[Measured, float]:
    """Return what a browser with an empty profile tells, and its memory in megabytes."""
    measured = Measured()
    with (
        serving(folder, measured, asked) as address,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
    ):
        started = [part.format(profile) for part in command]
        nowhere = subprocess.DEVNULL
        with subprocess.Popen([*started, address], stdout=nowhere, stderr=nowhere, start_new_session=True) as browser:
            try:
                if not measured.is_over.wait(PATIENCE) or "failed" in measured.told:
                    sys.exit(f"{command[0]} stopped: {measured.told}")
                memory = memory_of(browser.pid)
            finally:
                os.killpg(browser.pid, signal.SIGTERM)  # Debian's command is a script that starts the browser
    return measured, memory


@contextmanager
def serving(folder: Path, measured: Measured, asked: argparse.Namespace) -> Iterator[str]:
    """Hand out the files of a folder at a speed, and hear what the page tells."""
    question = json.dumps({"address": "/live/index.html", "lengths": LENGTHS, "rounds": asked.rounds})
    (folder / "index.html").write_text(PAGE.format(asked=question), encoding="utf-8")
    (folder / SCRIPT.name).write_bytes(SCRIPT.read_bytes())
    files = partial(Files, folder=folder, measured=measured, speed=asked.megabits * MEGABIT)
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


class Files(SimpleHTTPRequestHandler):
    """Hands out the files of a folder, at `speed` bytes a second for all requests together, and hears what is told."""

    def __init__(self, *given: Any, folder: Path, measured: Measured, speed: float) -> None:
        self._measured, self._speed = measured, speed
        super().__init__(*given, directory=str(folder))  # answers

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Send a file in parts."""
        file = Path(self.translate_path(self.path))
        if not file.is_file():
            self.send_error(404)
            return
        content = file.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(file))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        for part in (content[start : start + PART] for start in range(0, len(content), PART)):
            with self._measured.line:
                self.wfile.write(part)
                self._measured.n_bytes += len(part)
                time.sleep(len(part) / self._speed)

    def do_POST(self) -> None:
        """Hear what the page tells."""
        told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._measured.told |= told
        if "first" in told:
            self._measured.n_bytes_of_first = self._measured.n_bytes
        self.send_response(204)
        self.end_headers()
        if told.keys() & {"done", "failed"}:
            self._measured.is_over.set()


def memory_of(pid: int) -> float:
    """Return the memory of a process and of all that it started, in megabytes, what they share counted once."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
            parents[int(status.parent.name)] = int(lines["PPid"])
        except OSError:  # it has ended
            continue
    family, grows = {pid}, True
    while grows:
        more = {child for child, parent in parents.items() if parent in family} - family
        family, grows = family | more, bool(more)
    return sum(map(_share_of, family)) / 1024


def _share_of(pid: int) -> int:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)


def write_row(name: str, measured: Measured, memory: float) -> None:
    """Write one line of the table."""
    told = measured.told
    keys = "".join(f" {1000 * median(told[str(length)]):.0f} ms |" for length in LENGTHS)
    sys.stdout.write(
        f"| {name} | {measured.n_bytes_of_first / 1e6:.1f} MB | {told['first']:.1f} s | {told['again']:.1f} s |"
        f"{keys} {memory:.0f} MB |\n"
    )


if __name__ == "__main__":
    main()
