"""The texts of a corpus, one after the other: lines, a column of a CSV, a treebank in CoNLL-U, or a folder of them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SUFFIXES = (".txt", ".csv", ".conllu")
CONLLU_TEXT = "# text = "
SAMPLE = Path(__file__).parent / "sample" / "sentences.txt"
"""A thousand sentences of books in the public domain, one a line; `LICENCE.md` beside them says where they are from."""


@cache
def sample_texts() -> tuple[str, ...]:
    """The sample that comes with the app."""
    return tuple(texts_of(SAMPLE))


def texts_of(path: Path, *, column: str = "") -> Iterator[str]:
    """The texts of a file, by how it is called, or of all such files of a folder; empty ones are passed over. Raises
    ValueError for a CSV without that column."""
    if path.is_dir():
        for file in sorted(each for each in path.iterdir() if each.suffix in SUFFIXES):
            yield from texts_of(file, column=column)
        return
    with path.open(encoding="utf-8", newline="") as lines:
        try:
            yield from texts_in(lines, path.suffix, column=column)
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from error


def texts_in(lines: Iterable[str], suffix: str, *, column: str = "") -> Iterator[str]:
    """The texts of the lines of a file; its `suffix` says how they are written. Raises ValueError for a CSV without
    that column."""
    if suffix == ".conllu":
        found = (line.removeprefix(CONLLU_TEXT) for line in lines if line.startswith(CONLLU_TEXT))
    elif suffix == ".csv":
        rows = csv.DictReader(lines)
        if column not in (rows.fieldnames or ()):
            raise ValueError(f"there is no column {column!r}, only {', '.join(rows.fieldnames or ())}.")
        found = (row[column] or "" for row in rows)
    else:
        found = (line for line in lines)
    yield from (line.strip() for line in found if line.strip())


def columns_of(lines: Iterable[str]) -> tuple[str, ...]:
    """The columns that the first line of a CSV names."""
    return tuple(csv.DictReader(lines).fieldnames or ())
