"""The mean output of every head over a corpus: what stands in its place in mean ablation.

Sums that merge: memory does not grow with the corpus.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import Analysis
from models.values.arguments.check import check_arguments
from models.values.errors import ArgumentError, RecordError
from models.values.record import Array, AttentionRecord, Kind, Recording
from models.values.wording import to_say, worded


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutputSums:
    """The outputs of the heads of one kind, summed over `count` query tokens: `totals` [n_layers, n_heads, d_head]."""

    kind: Kind
    totals: NDArray[np.float64]
    count: int

    def __add__(self, other: OutputSums) -> OutputSums:
        """Both together. Raises RecordError if they are not of one model."""
        if (self.kind, self.totals.shape) != (other.kind, other.totals.shape):
            raise RecordError("the outputs are of different models, expected those of one.")
        return replace(self, totals=self.totals + other.totals, count=self.count + other.count)

    @property
    def means(self) -> Array:
        """The mean output of every head [n_layers, n_heads, d_head]."""
        means: Array = (self.totals / max(self.count, 1)).astype(np.float32)
        return means


def output_sums(record: AttentionRecord) -> OutputSums:
    """Return the sums of one record."""
    totals = [
        [record.head_output(layer, head).sum(axis=0, dtype=np.float64) for head in range(record.n_heads)]
        for layer in range(record.n_layers)
    ]
    return OutputSums(kind=record.kind, totals=np.array(totals), count=record.n_query)


@check_arguments
def mean_outputs(recordings: Iterable[Recording]) -> tuple[OutputSums, ...]:
    """The sums of every kind of attention over all recordings, which must be of one model.

    Raises ArgumentError without any.
    """
    sums: tuple[OutputSums, ...] | None = None
    for recording in recordings:
        new = tuple(output_sums(record) for record in recording.attention)
        sums = new if sums is None else tuple(map(OutputSums.__add__, sums, new))
    if sums is None:
        raise ArgumentError(worded("no recording was given, expected at least one."))
    return sums


ANALYSIS = Analysis(
    name="mean_outputs",
    title="the mean output of every head over a corpus",
    paper=to_say('Wang et al. 2022, "Interpretability in the Wild", section 2.2: knockouts by the mean'),
    needs="texts",
    formula=to_say("mean over all query tokens of weights @ value"),
    returns="OutputSums for each kind of attention, totals [n_layers, n_heads, d_head]",
    cost=to_say("one forward pass a text; memory n_layers · n_heads · d_head"),
    compute=mean_outputs,
)
