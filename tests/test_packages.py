"""What a server of strangers installs by hashes are the packages of requirements.txt and constraints.txt."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;\\#]+)", re.MULTILINE)
NOT_LOCKED = {"torch"}
"""Its files differ by the index that they come from."""
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


def test_every_locked_package_has_a_hash() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    blocks = [block for block in re.split(r"\n(?=\S)", text) if PINNED.match(block)]
    assert len(blocks) >= len(versions("requirements.lock")) > 50
    assert [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block] == []
