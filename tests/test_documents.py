"""What the documents name is there: files, folders, and functions in files."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_NAMED = re.compile(r"`((?:models|viz|ui|pages|tests|benchmarks|docs)/[\w./*-]+)`")
"""A place in the repository, as the documents write it: `models/values/`, `viz/steps/walk.py`, `ui/state/*.py`, or
`models/scratch/attention.attention`, something in a file."""


MADE_BY_THE_READER = {"models/analysis/heads/comma.py"}
"""Files that somebody makes who follows a guide."""


def is_there(place: str) -> bool:
    """Whether there is such a file, folder or pattern, or else such a name in a module."""
    if any(ROOT.glob(place.rstrip("/"))):
        return True
    file, _, name = place.rpartition(".")
    module = file.replace("/", ".")
    return (ROOT / f"{file}.py").is_file() and hasattr(importlib.import_module(module), name)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_document_names_is_there(document: Path) -> None:
    named = _NAMED.findall(document.read_text(encoding="utf-8"))
    assert [place for place in named if place not in MADE_BY_THE_READER and not is_there(place)] == []


def test_what_is_not_there_is_found() -> None:
    assert not is_there("models/text.py")
    assert not is_there("models/scratch/attention.inattention")
    assert is_there("models/scratch/attention.causal_mask")
    assert is_there("models/values/*.py")
