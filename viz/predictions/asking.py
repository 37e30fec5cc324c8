"""Rows of attention that are looked at together: one of them, or several that a classifier takes the mean of."""

from __future__ import annotations

from collections.abc import Sequence

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord
from viz.kit.language import tr
from viz.kit.tokens import plain_label, shorten, token_texts


@check_arguments
def rows_title(record: AttentionRecord, positions: Sequence[int]) -> str:
    """Return a heading for some rows: "Where “it” looks", or "Where 7 tokens look, on average"."""
    if len(positions) != 1:
        return tr("Where {n} tokens look, on average", n=len(positions))
    return tr("Where “{token}” looks", token=plain_label(_asking(record, positions[0])))


@check_arguments
def what_is_shown(record: AttentionRecord, positions: Sequence[int]) -> str:
    """Return a sentence on the meaning of their numbers."""
    if len(positions) != 1:
        return tr("How much {n} tokens, on average, look at each token.", n=len(positions))
    return tr("How much “{token}” looks at each token.", token=_asking(record, positions[0]))


def _asking(record: AttentionRecord, position: int) -> str:
    return shorten(token_texts(record.query_tokens)[position], 14)
