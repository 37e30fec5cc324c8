"""Text of a run's own: what was held out of its training, whose words its model knows; what pages open with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lab import runs
from lab.assemble import rows_of
from lab.data.cleaning import TableRow
from lab.limits import read_limits
from lab.questions import hide_words
from lab.recipe import GENERATED
from lab.runs import Run
from models.values.errors import LabError

MOST = 5
"""Texts of a run that are offered."""
FEWEST_WORDS = 3
"""A sentence with fewer words shows little attention, and one that the model has to cut is odd: others come first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnText:
    """A held-out text; the same with words behind [MASK], if the model guesses those; and the sentence that follows."""

    text: str
    masked: str
    second: str = ""


def own_texts(identifier: str) -> tuple[OwnText, ...]:
    """Held-out texts of a run of this server; none for a run that is gone, and for an upload, unless its task generates
    them."""
    try:
        return _own_texts(runs.find(read_limits().folder, identifier))
    except LabError:
        return ()


def body_of(identifier: str) -> str:
    """Return the embedded model that a run of this server started from.

    It is empty for none, for an upload, and for a run that is gone.
    """
    try:
        run = runs.find(read_limits().folder, identifier)
    except LabError:
        return ""
    return "" if run.recipe is None or run.state == "uploaded" else run.recipe.body


@lru_cache(maxsize=64)
def _own_texts(run: Run) -> tuple[OwnText, ...]:
    """Return held-out texts of a run, which equals itself until its status changes: they are read once for each."""
    if run.recipe is None or (run.state == "uploaded" and run.recipe.task not in GENERATED):
        return ()
    given = rows_of(run, run.recipe)
    most = max(FEWEST_WORDS, run.recipe.n_tokens // 2)  # a word may take several tokens
    rows = sorted(given.held_out or given.learned, key=lambda row: not FEWEST_WORDS <= len(row[0].split()) <= most)
    return tuple(islice(_make_texts(rows, run.recipe.task), MOST))


def _make_texts(rows: list[TableRow], task: str) -> Iterator[OwnText]:
    for row in rows:
        is_masked = task == "masked"
        yield OwnText(
            text=row[0],
            masked=hide_words(row[0])[0] if is_masked else row[0],
            second=row[1] if is_masked and len(row) > 1 else "",
        )
