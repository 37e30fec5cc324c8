"""Write requirements.lock from pyproject.toml, and requirements.txt from requirements.lock.

    python -m tests.packages                             # after a change of pyproject.toml; needs uv and the network
    python -m tests.packages --upgrade                   # newest versions; what follows goes to uv
    python -m tests.packages --upgrade-package plotly

The lock pins every package of every group with the hashes of its files, and names no index: packages come from where
pip or uv is told to take them. requirements.txt is the app's part of it, without hashes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from run import ROOT

LOCK, EXPORT = ROOT / "requirements.lock", ROOT / "requirements.txt"
APP = "headlights (pyproject.toml)"
"""How the lock names the app where it says what asks for a package."""
LOCK_HEADER = """\
# Every package of the app and of its groups, with the hashes of its files. Written by: python -m tests.packages
"""
EXPORT_HEADER = """\
# What the app needs, for: pip install -r requirements.txt. Written from requirements.lock by: python -m tests.packages
# torch asks for its own GPU packages on Linux. Its small build for processors: docs/serve-a-class.md
"""
GROUPS = ("pip", "ray", "test", "test-weights")
OPTIONS = ["--universal", "--generate-hashes", "--python-version=3.11", "--no-header", "--quiet"]
COMPILE = [
    *("uv", "pip", "compile", "pyproject.toml", *OPTIONS, f"--output-file={LOCK.name}", "--extra=app"),
    *(f"--group={group}" for group in GROUPS),
]
FOR_GPUS = re.compile(r"(nvidia|cuda)-|triton$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A line of the lock: `name==version ; marker`, its hashes, and the packages that ask for it."""

    name: str
    requirement: str
    hashes: tuple[str, ...]
    parents: frozenset[str]


def read_lock(text: str) -> tuple[Pin, ...]:
    """Return the pins of a lock; a package has several where its version depends on the Python."""
    return tuple(map(_read_pin, re.findall(r"^\w.*(?:\n[ ].*)*", text, re.MULTILINE)))


def _read_pin(block: str) -> Pin:
    first, *rest = block.splitlines()
    return Pin(
        name=first.partition("==")[0],
        requirement=first.removesuffix("\\").strip(),
        hashes=tuple(re.findall(r"--hash=(\S+)", block)),
        parents=frozenset(re.sub(r"^\s*#( via)?", "", line).strip() for line in rest if "#" in line) - {""},
    )


def export(lock: str) -> str:
    """Return requirements.txt: what the app needs and what that needs in turn, but for what torch needs on a GPU."""
    pins = [pin for pin in read_lock(lock) if not FOR_GPUS.match(pin.name)]
    needed = names_needed({pin.name: pin.parents for pin in pins})
    return EXPORT_HEADER + "".join(f"{pin.requirement}\n" for pin in pins if pin.name in needed)


def names_needed(parents: Mapping[str, frozenset[str]]) -> set[str]:
    """Return the packages that the app asks for, and those that these ask for."""
    needed, size = {APP}, 0
    while len(needed) > size:
        size = len(needed)
        needed |= {name for name, asked_by in parents.items() if asked_by & needed}
    return needed - {APP}


def main(arguments: Sequence[str]) -> int:
    """Resolve with uv, then export. Return the exit status."""
    status = subprocess.run([*COMPILE, *arguments], cwd=ROOT, check=False).returncode
    if status == 0:
        lock = LOCK_HEADER + LOCK.read_text(encoding="utf-8").removeprefix(LOCK_HEADER)
        LOCK.write_text(lock, encoding="utf-8")
        EXPORT.write_text(export(lock), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
