"""All measures of heads over many records: sums that merge, in any order and on any number of machines.

The weights of a layer are made once, whatever is measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import HeadMeasure, Need
from models.analysis.registry import head_measures
from models.values.arguments.check import check_arguments
from models.values.errors import ArgumentError, RecordError, TextError
from models.values.history import HeadShares
from models.values.record import Array, AttentionRecord, Kind
from models.values.wording import worded


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeadSums:
    """The sums of some records for the mean shares of heads: `totals` [n_measures, n_layers, n_heads] over as many
    tokens as `counts` [n_measures] says. The sums of two parts of a corpus, added, are those of both."""

    kind: Kind
    measures: tuple[HeadMeasure, ...]
    totals: NDArray[np.float64]
    counts: NDArray[np.int64]

    def __add__(self, other: HeadSums) -> HeadSums:
        """Both together. Raises RecordError if they are not of one model, measured alike."""
        if (self.kind, self.measures, self.totals.shape) != (other.kind, other.measures, other.totals.shape):
            raise RecordError("the records are of different models or texts, expected the same measures of all.")
        return replace(self, totals=self.totals + other.totals, counts=self.counts + other.counts)

    def shares(self) -> HeadShares:
        """The means. Raises TextError if a measure counted no token."""
        for measure, count in zip(self.measures, self.counts.tolist(), strict=True):
            if not count:
                raise TextError(worded("no {counted} were given, expected at least one.", counted=measure.counted_as))
        return HeadShares(
            kind=self.kind,
            measures=tuple(measure.measure for measure in self.measures),
            values=(self.totals / self.counts[:, None, None]).astype(np.float32),
        )


@check_arguments
def sums_of(record: AttentionRecord, *, needs: Need = "texts") -> HeadSums:
    """Return the sums of one record for every measure of texts, or of pairs, that applies to it.

    Raises ArgumentError if its queries and keys are different texts.
    """
    if record.kind == "cross":
        raise ArgumentError(
            worded(
                "a record of cross-attention was given, expected self-attention, whose queries and keys are one text."
            )
        )
    layers = (record.layer_weights(layer) for layer in range(record.n_layers))
    return sums_over(record, needs, layers)


def sums_of_even_attention(record: AttentionRecord, *, needs: Need = "texts") -> HeadSums:
    """Return the sums of heads that spread their attention evenly over all that a token may see: totals
    [n_measures, 1, 1]."""
    seen = np.isfinite(record.bias_of(0, 0)).astype(np.float32)  # [n_tokens, n_tokens]
    return sums_over(record, needs, [(seen / seen.sum(axis=1, keepdims=True).clip(min=1))[None]])


def sums_over(record: AttentionRecord, needs: Need, layers: Iterable[Array]) -> HeadSums:
    """The sums of the measures that apply to a record, over weights of every layer [n_heads, n_tokens, n_tokens]."""
    asked, tokens = measures_of(record, needs), record.key_tokens
    totals = [[measure.compute(weights, tokens) for measure in asked] for weights in layers]
    return sums_from(record, asked, np.array(totals, dtype=np.float64).swapaxes(0, 1))


def measures_of(record: AttentionRecord, needs: Need) -> tuple[HeadMeasure, ...]:
    """The measures of texts, of pairs or of a corpus that apply to a record."""
    return tuple(measure for measure in head_measures() if measure.needs == needs and measure.applies(record))


def sums_from(record: AttentionRecord, asked: tuple[HeadMeasure, ...], totals: NDArray[np.float64]) -> HeadSums:
    """The sums of a record, from what was asked measured [n_measures, n_layers, n_heads]."""
    is_causal = record.kind == "decoder"
    counts = [
        ((measure.counted_causal if is_causal else None) or measure.counted)(record.key_tokens) for measure in asked
    ]
    return HeadSums(kind=record.kind, measures=asked, totals=totals, counts=np.array(counts, dtype=np.int64))


@check_arguments
def measure_heads(records: Iterable[AttentionRecord], *, needs: Need = "texts") -> HeadShares:
    """Every measure of texts, or of pairs, over all records together, which must be of one model.

    Raises ArgumentError without any record and for cross-attention, TextError if no token of them is counted.
    """
    sums = [sums_of(record, needs=needs) for record in records]
    if not sums:
        raise ArgumentError(worded("no record was given, expected at least one."))
    return reduce(HeadSums.__add__, sums).shares()


@check_arguments
def strongest(shares: Array) -> tuple[int, int, float]:
    """(layer, head, share) of the largest of some `shares` [n_layers, n_heads]. Raises RecordError for other shapes."""
    if shares.ndim != 2 or not shares.size:
        raise RecordError(f"shares has shape {shares.shape}, expected [n_layers, n_heads].")
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    return int(layer), int(head), float(shares[layer, head])
