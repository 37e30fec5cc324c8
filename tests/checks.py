"""Run every check: `python run.py test`, which comes here.

python -m tests.checks               # ruff, mypy and pytest, also after one has failed; what follows goes to pytest
python -m tests.checks --machines    # what compares numbers, as on other processors
python -m tests.checks --recipes     # the tests of what made the weights, and of the benchmarks
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests import chromium

ROOT = Path(__file__).resolve().parents[1]
PYTEST = [
    "pytest",
    "--numprocesses",
    "auto",
    "--dist",
    "loadfile",
    "--no-loadscope-reorder",
    "--max-worker-restart",
    "0",
]
"""The tests of a file stay together and share what it sets up; `tests/conftest.py` says how many files run at once. A
process that crashes ends the run: another in its place would begin the same test again, and might wait for ever."""
CHECKS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": [
        "mypy",
        "--strict",
        "models",
        "lab",
        "lessons",
        "viz",
        "ui",
        "serving",
        "headlights",
        "deploy",
        "benchmarks",
        "recipes",
    ],
    "pytest": PYTEST,
}
IN_PARALLEL = "mypy"
"""It keeps one processor busy, and the tests wait for browsers at times."""


def main(arguments: Sequence[str]) -> int:
    """Run what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="run.py test", allow_abbrev=False, add_help=False)
    parser.add_argument("--machines", action="store_const", const="tests.machines", dest="module")
    parser.add_argument("--recipes", action="store_const", const="tests.recipes", dest="module")
    options, for_pytest = parser.parse_known_args(arguments)
    install_browser()
    if options.module is None:
        return run_checks(for_pytest)
    return subprocess.run([sys.executable, "-m", options.module, *for_pytest], cwd=ROOT, check=False).returncode


def install_browser() -> None:
    """Install a browser where there is none and where that can be done."""
    command = None if chromium.find_browser() else chromium.install_command()
    if command is not None:
        say("Installing Chromium for the browser tests")
        subprocess.run(command, cwd=ROOT, check=False)


def run_checks(for_pytest: Sequence[str]) -> int:
    """Run every check, also after one has failed, and name those that failed; return the exit status."""
    commands = {name: [sys.executable, "-m", *check] for name, check in CHECKS.items()}
    commands["pytest"] += for_pytest
    passed = {}
    with started(commands.pop(IN_PARALLEL)) as wait_for_it:
        for name, command in commands.items():
            say(f"\n{name}")
            passed[name] = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
        say(f"\n{IN_PARALLEL}")
        passed[IN_PARALLEL] = wait_for_it()
    failed = [name for name in CHECKS if not passed[name]]
    if not chromium.find_browser():
        say("\n" + chromium.explain_missing())
    say("\nFailed: " + ", ".join(failed) if failed else "\nEverything passed.")
    return 1 if failed else 0


@contextmanager
def started(command: Sequence[str]) -> Iterator[Callable[[], bool]]:
    """Run a command during the block. Yield a function that waits for it, writes its output and says if it passed."""
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT) as process,
    ):

        def _wait() -> bool:
            status = process.wait()
            output.seek(0)
            say(output.read().decode(errors="replace").rstrip())
            return status == 0

        try:
            yield _wait
        finally:
            process.kill()  # as after Ctrl-C; one that has ended is left alone


def say(message: str) -> None:
    """Write a line to the terminal at once."""
    sys.stdout.write(message + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("\nStopped.")
        sys.exit(130)
