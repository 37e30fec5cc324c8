"""Serve with several workers: `python run.py serve --workers 4`, which comes here.

    python -m serving --workers 4 --port 8501 -- --browser.serverAddress lecture.example.edu

Ctrl+C, or SIGTERM, ends it: nobody new is taken in, those who are here have --drain seconds, then the workers end. A
second one ends it at once. What follows -- goes to Streamlit.
"""

from __future__ import annotations

import argparse
import os
import platform
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from serving.guard import Guard
from serving.haproxy import HOW_TO_GET_ONE, check_command, find_proxy, run_command, write_configuration
from serving.overseer import SETTING, answering
from serving.site import HEALTH, OF_ONE_WORKER, Site
from serving.workers import ROOT, AppProcess, AppProcesses, answers, environment_of_worker, free_ports, say, say_after

PROXY, ALONE = "haproxy", "alone"
"""The proxy before the workers; without it one worker serves, which readers reach directly."""
DRAIN = 10.0
LONGEST_START = 60.0
"""Seconds that the proxy waits at most for all workers to answer, before it lets readers in to those that do."""
NAME = "--browser.serverAddress"


class Server:
    """A proxy, the workers behind it, and how they end."""

    def __init__(self, site: Site, workers: AppProcesses, proxy: str, *, drain: float, guard: Guard) -> None:
        self._site, self._workers, self._drain, self._guard = site, workers, drain, guard
        self._proxy = proxy
        self._told = threading.Event()
        self._hurried = threading.Event()

    def tell_to_end(self, *_: object) -> None:
        """End; the second time, at once."""
        (self._hurried if self._told.is_set() else self._told).set()

    def serve(self) -> int:
        """Until it is told to end. Gives the exit status: that of the proxy if it does not start."""
        file = write_configuration(self._site)
        checked = subprocess.run(check_command(self._proxy, file), capture_output=True, text=True, check=False)
        if checked.returncode:
            say(f"{PROXY} does not take its configuration: {checked.stderr or checked.stdout}")
            return checked.returncode
        self._workers.start()
        self._wait_for_workers()
        try:
            with answering(self._site.overseer, self._workers.states, token=os.environ.get(SETTING, "")):
                return self._stand_before(file)
        finally:
            self._workers.end()

    def _wait_for_workers(self) -> None:
        """Wait until all workers answer, so that the proxy finds them there; not for ever for one that does not."""
        latest = time.monotonic() + LONGEST_START
        while not self._told.is_set() and time.monotonic() < latest:
            if all(state.is_well for state in self._workers.states()):
                return
            time.sleep(0.1)

    def _stand_before(self, file: Path) -> int:
        """Start the proxy, and again if it ends; not if readers have never reached a worker through it."""
        place = f"{self._site.address or 'localhost'}:{self._site.port}"
        has_served = False
        while not self._told.is_set():
            proxy = self._start(file)
            while proxy.poll() is None and not self._told.wait(0.5):
                if not has_served and answers(f"http://{place}{self._site.path(HEALTH)}"):
                    has_served = True
                    say(f"Ready: {self._site.origin}{self._site.path('')}")
            if proxy.poll() is None:
                self._end(proxy)
            elif not has_served:
                say(f"{PROXY} has ended with {proxy.returncode}: see above, and whether {place} is taken.")
                return 1
            else:
                say(f"{PROXY} has ended with {proxy.returncode}; it starts again")
        return 0

    def _start(self, file: Path) -> subprocess.Popen[bytes]:
        command = run_command(self._proxy, file)
        proxy = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self._guard.watch(PROXY, proxy.pid)
        if proxy.stdout is not None:
            say_after(PROXY, proxy.stdout)
        return proxy

    def _end(self, proxy: subprocess.Popen[bytes]) -> None:
        say(f"Ending: those who are here have {self._drain:.0f} s. Ctrl+C once more ends at once.")
        with suppress(ProcessLookupError):
            proxy.send_signal(signal.SIGUSR1)  # takes nobody in any more; who is here may stay
        ended = time.monotonic() + self._drain
        while proxy.poll() is None and time.monotonic() < ended and not self._hurried.wait(0.1):
            pass
        proxy.kill()
        proxy.wait()
        self._guard.forget(PROXY)


def parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Our own options, and what goes to Streamlit."""
    parser = argparse.ArgumentParser(
        prog=f"{os.environ.get('HEADLIGHT_COMMAND', 'run.py')} serve",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: the cores)")
    parser.add_argument("--port", "--server.port", type=int, default=8501)
    parser.add_argument("--address", "--server.address", default="", help="listen there alone (default: everywhere)")
    parser.add_argument("--base", "--server.baseUrlPath", default="", help="path before all others")
    parser.add_argument("--proxy", choices=(PROXY, ALONE), default=PROXY, help="what stands before the workers")
    parser.add_argument("--drain", type=float, default=DRAIN, help="seconds for those who are here when it ends")
    parser.add_argument("--app", default=str(ROOT / "app.py"), help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args([argument for argument in arguments if argument != "--"])
    if options.workers < 1:
        parser.error(f"--workers is {options.workers}, expected 1 or more.")
    if not 0 < options.port < 2**16:
        parser.error(f"--port is {options.port}, expected 1 to 65535.")
    return options, rest


def given_name(rest: Sequence[str]) -> str:
    """Return the host name among the options of Streamlit; empty for none."""
    words = [word for option in rest for word in option.split("=", 1)]
    return words[words.index(NAME) + 1] if NAME in words[:-1] else ""


def streamlit_command(options: argparse.Namespace, *, port: int, address: str, rest: Sequence[str]) -> list[str]:
    """Return the command that starts one process of the app."""
    settings = {
        "--server.headless": "true",
        "--server.port": str(port),
        "--server.address": address,
        "--server.baseUrlPath": options.base.strip("/"),
    }
    given = [word for name, value in settings.items() if value for word in (name, value)]
    return [sys.executable, "-m", "streamlit", "run", options.app, *given, *rest]


def serve_alone(options: argparse.Namespace, rest: Sequence[str]) -> int:
    """Return one worker, as `python run.py` starts it."""
    command = streamlit_command(options, port=options.port, address=options.address, rest=rest)
    if platform.system() != "Windows":
        os.execv(command[0], command)  # so that a signal reaches the app
    return subprocess.run(command, check=False).returncode


def main(arguments: Sequence[str]) -> int:
    """Read the command line and serve."""
    options, rest = parse(arguments)
    proxy = None if options.proxy == ALONE or platform.system() == "Windows" else find_proxy()
    if proxy is None:
        if options.workers > 1 and options.proxy != ALONE:
            say(HOW_TO_GET_ONE)
        return serve_alone(options, rest)
    with tempfile.TemporaryDirectory(prefix="headlight-proxy-") as folder, Guard() as guard:
        with free_ports(options.workers + 1) as ports:
            overseer, *own = ports
        site = Site(
            folder=Path(folder),
            address=options.address,
            port=options.port,
            workers=tuple(own),
            overseer=overseer,
            base=options.base.strip("/"),
            name=given_name(rest),
        )
        environment = environment_of_worker(os.environ, options.workers, secrets.token_hex(32))
        workers = [
            AppProcess(
                number,
                streamlit_command(options, port=port, address="127.0.0.1", rest=rest),
                port=port,
                environment=environment,
                guard=guard,
            )
            for number, port in enumerate(own)
        ]
        server = Server(
            site, AppProcesses(workers, health=site.path(OF_ONE_WORKER)), proxy, drain=options.drain, guard=guard
        )
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, server.tell_to_end)
        return server.serve()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
