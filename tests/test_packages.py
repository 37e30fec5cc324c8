"""What a server of strangers installs by hashes are the packages of requirements.txt and constraints.txt."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;\\#]+)", re.MULTILINE)
NOT_LOCKED = {"torch"}
"""It has a file of its own: which of its builds is installed is chosen with the machine."""
NOT_HELD = {"httpx2-jsfetch", "networkx", "setuptools"}
"""What torch needs, in a version for each Python, and what a browser's Python would."""


def versions(name: str) -> dict[str, str]:
    """The packages of a file, by their names as the index writes them (PEP 503)."""
    found = PINNED.findall((ROOT / name).read_text(encoding="utf-8"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


def test_every_package_is_locked_in_the_version_that_is_tested() -> None:
    locked, asked, held = (versions(name) for name in ("requirements.lock", "requirements.txt", "constraints.txt"))
    assert {name: locked.get(name) for name in asked if name not in NOT_LOCKED} == {
        name: version for name, version in asked.items() if name not in NOT_LOCKED
    }
    in_turn = {name: version for name, version in locked.items() if name not in asked and name not in NOT_HELD}
    assert {name: version for name, version in in_turn.items() if held.get(name) != version} == {}


def test_torch_is_locked_in_the_version_that_is_tested_beside_what_it_alone_needs() -> None:
    torch, locked = versions("requirements-torch.lock"), versions("requirements.lock")
    assert torch["torch"] == versions("requirements.txt")["torch"]
    assert torch.keys() & locked.keys() == set()
    needed = {re.split(r"[\s\[<>=!~;(]", each)[0].lower() for each in importlib.metadata.requires("torch") or ()
              if "extra ==" not in each}  # fmt: skip
    assert needed - torch.keys() - locked.keys() == set()


@pytest.mark.parametrize(("name", "least"), [("requirements.lock", 50), ("requirements-torch.lock", 20)])
def test_every_locked_package_has_a_hash(name: str, least: int) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = [block for block in re.split(r"\n(?=\S)", text) if PINNED.match(block)]
    assert len(blocks) >= len(versions(name)) >= least
    assert [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block] == []
