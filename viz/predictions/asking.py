"""Rows of attention that are looked at together: one of them, or several that a classifier takes the mean of."""

from __future__ import annotations

from collections.abc import Sequence

from models.values.record import AttentionRecord
from viz.kit.tokens import plain_label, shorten, token_texts


def rows_title(record: AttentionRecord, positions: Sequence[int]) -> str:
    """Whose rows they are, for a heading: "Row 5: it", or "Mean of 7 rows"."""
    if len(positions) != 1:
        return f"Mean of {len(positions)} rows"
    return f"Row {positions[0]}: {plain_label(_asking(record, positions[0]))}"


def who_looks(record: AttentionRecord, positions: Sequence[int]) -> str:
    """The same as the beginning of a sentence that goes on with "at each token"."""
    if len(positions) != 1:
        return f"How much {len(positions)} tokens, on average, look"
    return f"How much “{_asking(record, positions[0])}” looks"


def _asking(record: AttentionRecord, position: int) -> str:
    return shorten(token_texts(record.query_tokens)[position], 14)
