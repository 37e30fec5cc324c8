"""The sum of a row of weights, in words: 1, or less where the heads of a layer have an attention sink."""

from __future__ import annotations

from models.values.record import AttentionRecord
from viz.kit.language import tr


def rows_sum(record: AttentionRecord, layer: int | None) -> str:
    """Return the sentence on row sums below a map of the weights of a layer, or of all layers for None."""
    one, less, own = all_row_sums()
    if record.has_own_sums(layer):
        return own
    return less if record.has_sinks(layer) else one


def all_row_sums() -> tuple[str, str, str]:
    """Return the possible sentences on the sum of a row: without a sink, with one, and of weights that were given."""
    return (
        tr("Every row sums to 1."),
        tr("Every row sums to 1 less the share of the sink."),
        tr("Not every row sums to 1: the weights are shown as they were given."),
    )


def sum_of_weights(record: AttentionRecord, layer: int, *, whole: str = "1") -> str:
    """Return the sum of a row within a sentence: "1", or "1 less the share of the sink"."""
    return tr("{whole} less the share of the sink", whole=whole) if record.has_sinks(layer) else whole
