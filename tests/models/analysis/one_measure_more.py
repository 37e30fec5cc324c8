"""The room of measures with a file of our own in it, as somebody adds one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import models.analysis.heads
from models.analysis import analyses

ONE_FILE = """
from models.analysis.analysis import HeadMeasure, is_piece


def to_last(weights, tokens):
    return weights[:, is_piece(tokens), -1].sum(axis=1)


ANALYSIS = HeadMeasure(
    name="last", title="the very last token", paper="a test", order=45, compute=to_last,
)
"""


@contextmanager
def one_measure_more(folder: Path) -> Iterator[None]:
    """A measure "last" inside the block, from a file in `folder`; nothing of it is left."""
    (folder / "last_token.py").write_text(ONE_FILE)
    places = list(models.analysis.heads.__path__)
    models.analysis.heads.__path__ = [*places, str(folder)]
    analyses.cache_clear()
    try:
        yield
    finally:
        models.analysis.heads.__path__ = places
        analyses.cache_clear()
        sys.modules.pop("models.analysis.heads.last_token", None)
