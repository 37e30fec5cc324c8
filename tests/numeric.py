"""A plugin of pytest that keeps the tests whose result may depend on the processor: `-p tests.numeric`.

They are those whose module, or one of the tests' own modules that it imports, uses `tests.closeness`. What a browser
draws is left out: it comes out of the same numbers, and takes a hundred times as long.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tests.structure import imported

ROOT = Path(__file__).resolve().parents[1]
COMPARISONS = "tests.closeness"
CHOSEN = "HEADLIGHT_CHOSEN_TESTS"
"""An environment variable: a file with the tests to run, one a line. Without one, or the file, they are all."""
BROWSER = "chromium"
"""The fixture of `tests/conftest.py` that every test with a browser asks for, by way of others."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that compare no numbers, and those that are not among the chosen."""
    chosen = _chosen()
    kept = {
        item: None
        for item in items
        if is_numeric(item.path)
        and BROWSER not in getattr(item, "fixturenames", ())
        and (chosen is None or item.nodeid in chosen)
    }
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = list(kept)


def _chosen() -> set[str] | None:
    """Return the tests to run; None for all."""
    file = os.environ.get(CHOSEN)
    if file is None or not Path(file).exists():
        return None
    return set(Path(file).read_text(encoding="utf-8").splitlines())


@cache
def is_numeric(path: Path) -> bool:
    """Return whether a module of the tests compares floating-point numbers, itself or by what it imports."""
    names = set(imported(path.read_text(encoding="utf-8"), path.relative_to(ROOT).with_suffix("").parts[:-1]))
    modules = {module for name in names if (module := _module_of(name)) is not None}
    return COMPARISONS in {name.rpartition(".")[0] for name in names} or any(map(is_numeric, modules - {path}))


def _module_of(name: str) -> Path | None:
    """Return the file of a module of the tests, or of the module of a name in it; None for what is elsewhere."""
    if not name.startswith("tests."):
        return None
    for dotted in (name, name.rpartition(".")[0]):
        path = (ROOT / Path(*dotted.split("."))).with_suffix(".py")
        if path.is_file():
            return path
    return None
