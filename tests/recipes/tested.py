"""Which version of the recipes their tests have passed with.

The weights are final, so what made them is tested when it changes and not every day, and so are the benchmarks, which
nobody starts every day. `tests/test_recipes.py` fails where one of these files is not as it was when they passed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTED = ROOT / "tests" / "recipes" / "tested.txt"
SOURCES = (
    "benchmarks",
    "models/training/embedded",
    "models/training/evaluation",
    "models/training/sentences",
    "recipes",
    "tests/benchmarks",
    "tests/recipes",
)
TESTS = ("tests/recipes", "tests/benchmarks")


def digest() -> str:
    """Return the SHA-256 of the recipes, the benchmarks and their tests: of each file's path and lines."""
    total = hashlib.sha256()
    for path in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        total.update(path.relative_to(ROOT).as_posix().encode())
        total.update("\n".join(path.read_text(encoding="utf-8").splitlines()).encode())
    return total.hexdigest()
