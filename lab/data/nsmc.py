"""The table of the Naver sentiment movie corpus (github.com/e9t/nsmc): a tab between cells, reviews labelled 0 or 1."""

from __future__ import annotations

from collections.abc import Sequence

from models.values.wording import to_say

HEADER = ("id", "document", "label")
LABELS = {"0": "negative", "1": "positive"}


def name_labels(text: str, rows: Sequence[tuple[str, ...]]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Return the rows of a table, their labels named if it is in the form of this corpus, with a note that says so."""
    first = tuple(cell.strip().lower() for cell in text.partition("\n")[0].split("\t"))
    if first != HEADER or not {label for _, label in rows} <= set(LABELS):
        return tuple(rows), ()
    note = to_say("The table is in the form of NSMC: the label 0 was read as negative, 1 as positive.")
    return tuple((words, LABELS[label]) for words, label in rows), (note,)
