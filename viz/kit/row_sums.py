"""What a row of weights sums to, in words: 1, or less where the heads of a layer have an attention sink."""

from __future__ import annotations

from models.values.record import AttentionRecord
from viz.kit.language import tr


def rows_sum(record: AttentionRecord, layer: int | None) -> str:
    """Return the sentence below a map of weights, of a layer or of all."""
    one, less = all_row_sums()
    return less if record.has_sinks(layer) else one


def all_row_sums() -> tuple[str, str]:
    """What can be said of a whole row: without a sink, and with one."""
    return tr("Every row sums to 1."), tr("Every row sums to 1 less the share of the sink.")


def sum_of_weights(record: AttentionRecord, layer: int, *, whole: str = "1") -> str:
    """The same within a sentence: "1", or "1 less the share of the sink"."""
    return tr("{whole} less the share of the sink", whole=whole) if record.has_sinks(layer) else whole
