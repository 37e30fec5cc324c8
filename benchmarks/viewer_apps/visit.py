"""A visit to a peer's page: its server, its tab, and what a reader does there, with the time that it takes."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.viewer_apps import cdn
from benchmarks.viewer_apps.chromium import Tab, opened_tab
from benchmarks.viewer_apps.peers import Peer
from benchmarks.viewer_apps.processes import GivenUpError, Guard
from benchmarks.viewer_apps.stage import CLOCK
from tests.browser.server import NotServedError, running

APPS = Path(__file__).resolve().parent
WATCH = (APPS / "watch.js").read_text(encoding="utf-8")
LARGEST_MESSAGE = "2000"
"""Megabytes: Streamlit's own limit, 200, would answer bertviz with an error from 256 tokens on."""
PREPARE_SECONDS = 300
LOOKS = 4
"""So many looks, a quarter of a second apart, must find a page unchanged before it counts as quiet."""

FIELD = """document.querySelector('input[aria-label="Sentence"]')"""
BUTTON = """document.querySelector('[data-testid="stButton"] button')"""
FAILED = """document.querySelector('[data-testid="stException"]') && "failed\""""
STATE = "[benchmark.received, benchmark.sent, benchmark.log.length]"
RESTING = """document.querySelector('[data-testid="stApp"]').dataset.testScriptState === "notRunning\""""
DRAWN = """benchmark.log.find(
  (entry) => entry.at > benchmark.begun && entry.{changed} !== {before} && {quality})"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Seconds until a first picture was on the screen, rough or of rounded numbers, and until the exact one was."""

    first: float
    exact: float
    script: float = 0.0
    """How long the script ran on the server."""


@dataclass(slots=True, kw_only=True)
class Visit:
    """A page on which no sentence is shown yet. Everything raises GivenUpError when it takes too long or too much."""

    tab: Tab
    guard: Guard
    server_pid: int
    tab_pid: int
    clock: Path
    seconds: float

    def new_sentence(self, number: int) -> Drawn:
        """Ask for a prepared sentence; the seconds count from the begin of the script's rerun."""
        reruns = len(self._reruns())
        with self._waiting_for("recording") as entries:
            self.tab.evaluate(f"{FIELD}.focus(), {FIELD}.select()")
            self.tab.write(str(number))
            self.tab.press("Enter")
        first, exact = entries
        rerun = self._reruns()[reruns]
        return Drawn(first=first - rerun["begun"], exact=exact - rerun["begun"], script=rerun["ended"] - rerun["begun"])

    def turn(self, peer: Peer, name: str, number: int) -> Drawn:
        """Show another layer or head; the seconds count from the key or click."""
        with self._waiting_for("picture") as entries:
            peer.turns[name](self.tab, number)
        first, exact = entries
        begun = self.tab.evaluate("benchmark.begun") / 1000
        return Drawn(first=first - begun, exact=exact - begun)

    def run_again(self) -> None:
        """Run the script again with nothing changed."""
        reruns = len(self._reruns())
        with self.guard.within(self.seconds):
            self.tab.evaluate(f"{BUTTON}.click()")
            while len(self._reruns()) == reruns:
                self.guard.check()
                time.sleep(0.1)
        self.settle()

    def traffic(self) -> tuple[int, int]:
        """Bytes that the page has received and sent until now."""
        received, sent, *_ = self.tab.evaluate(STATE)
        return received, sent

    def settle(self) -> None:
        """Wait until nothing arrives and nothing is drawn any more."""
        seen: list[object] = []
        with self.guard.within(self.seconds):
            while len(seen) < LOOKS or any(state != seen[-1] for state in seen[-LOOKS:]):
                time.sleep(0.25)
                seen.append(self.tab.wait(f"{RESTING} && {STATE}"))

    @contextmanager
    def _waiting_for(self, changed: str) -> Iterator[list[float]]:
        """Do something in here; then the times are filled in at which another recording or picture was there."""
        times: list[float] = []
        before = json.dumps(self.tab.evaluate(f"benchmark.begun = Infinity, benchmark.log.at(-1)?.{changed} ?? null"))
        with self.guard.within(self.seconds):
            yield times
            for quality in ("true", "entry.exact"):
                entry = self.tab.wait(f"{DRAWN.format(changed=changed, before=before, quality=quality)} || {FAILED}")
                if entry == "failed":
                    raise GivenUpError("the page shows an error")
                times.append(entry["at"] / 1000)
        self.settle()

    def _reruns(self) -> list[dict[str, float]]:
        lines = self.clock.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]


@contextmanager
def visit(peer: Peer, n_tokens: int, n_sentences: int, guard: Guard, seconds: float) -> Iterator[Visit]:
    """Open a peer's page on a server of its own, in a browser of its own, with the sentences prepared."""
    scripts = cdn.scripts() if peer.from_cdn else {}
    with tempfile.TemporaryDirectory() as folder:
        clock = Path(folder) / "clock"
        clock.touch()
        with _server(peer.app, clock, Path(folder) / "log") as (server, address), opened_tab(guard, scripts) as tab:
            guard.watch("server", server)
            tab.before_every_page(f"{WATCH}\nif (window === top) benchmark.state = {peer.state};")
            with guard.on_duty():
                tab_pid = _enter(tab, guard, address + peer.path(n_tokens, n_sentences))
                guard.watch("tab", tab_pid)
                visited = Visit(tab=tab, guard=guard, server_pid=server, tab_pid=tab_pid, clock=clock, seconds=seconds)
                visited.settle()
                yield visited


def _enter(tab: Tab, guard: Guard, address: str) -> int:
    """Open the page, wait for its field, and give the process that draws it."""
    with guard.within(PREPARE_SECONDS):
        tab.open(address)
        time.sleep(1)  # until the page before it, an empty one, is gone
        if tab.wait(f"document.readyState === 'complete' && !!{FIELD} || {FAILED}") == "failed":
            raise GivenUpError("the page shows an error")
        return tab.process()


@contextmanager
def _server(app: str, clock: Path, log: Path) -> Iterator[tuple[int, str]]:
    try:
        options = ("--server.maxMessageSize", LARGEST_MESSAGE)
        with running(str(APPS / app), log=log, environment={CLOCK: str(clock)}, options=options) as (process, address):
            yield process.pid, address
    except GivenUpError as error:
        raise GivenUpError(f"{error}{_last_error(log)}") from error
    except NotServedError as error:
        raise GivenUpError("the server does not start") from error


def _last_error(log: Path) -> str:
    """What the server complained of, if it did."""
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if "Error" in line]
    return f" ({lines[-1].strip()})" if lines else ""
