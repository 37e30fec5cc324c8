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
    "recipes",
    "tests/benchmarks",
    "tests/recipes",
)
TESTS = ("tests/recipes", "tests/benchmarks")
MADE = {
    "models/pretrained": {".json", ".md", ".safetensors"},
    "lab/data/sample_files": {".csv", ".tsv", ".txt"},
    "ui/heads/switchboard/examples": {".tsv"},
}
"""Files that recipes have made, by folder and suffix: weights, cards that say what was measured, sample rows."""


def digest() -> str:
    """Return the SHA-256 of the recipes, the benchmarks, their tests and the embedded models: of each file's path and
    what is in it, whatever its lines end with."""
    total = hashlib.sha256()
    code = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    made = [path for folder, suffixes in MADE.items() for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    for path in sorted([*code, *made]):
        total.update(path.relative_to(ROOT).as_posix().encode())
        total.update(b"\n".join(path.read_bytes().splitlines()))
    return total.hexdigest()
