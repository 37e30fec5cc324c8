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
WEIGHTS, SUFFIXES = "models/pretrained", {".json", ".md", ".safetensors"}
"""What lies beside the weights of the embedded models counts, too: their cards say what was measured."""


def digest() -> str:
    """Return the SHA-256 of the recipes, the benchmarks, their tests and the embedded models: of each file's path and
    what is in it, whatever its lines end with."""
    total = hashlib.sha256()
    code = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    for path in sorted([*code, *(path for path in (ROOT / WEIGHTS).rglob("*") if path.suffix in SUFFIXES)]):
        total.update(path.relative_to(ROOT).as_posix().encode())
        total.update(b"\n".join(path.read_bytes().splitlines()))
    return total.hexdigest()
