"""Texts that show what a head does: where a measure is largest, and where it is as usual.

Both are kept while the corpus is read, so many for every head and measure, so memory does not grow with the corpus.
What is usual is known only at the end: it is looked for among texts that were drawn by chance, by a hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray

from models.analysis.heads.measuring import HeadSums
from models.values.head_roles import HeadRole
from models.values.record import Array
from models.values.results.atlas import AtlasMeasure, HeadExamples, TextShare

N_EXAMPLES = 5
N_DRAWN = 40
"""So many texts are kept, of which the typical ones are chosen."""
FEWEST_COUNTED = 4
"""A text in which a measure counts fewer tokens shows it by chance."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _KeptText:
    """A text with the shares of every measure and head in it, `shares` [n_measures, n_layers, n_heads]; NaN where too
    few tokens were counted."""

    rank: bytes
    text: str
    shares: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExampleSums:
    """The texts that are kept: those with the largest shares of every measure and head, `shares` and `texts`
    [n_measures, n_layers, n_heads, n_kept], and those that were drawn by chance."""

    shares: Array
    texts: NDArray[np.object_]
    drawn: tuple[_KeptText, ...]

    def __add__(self, other: ExampleSums) -> ExampleSums:
        """The texts that both together would have kept."""
        shares = np.concatenate((self.shares, other.shares), axis=-1)
        texts = np.concatenate((self.texts, other.texts), axis=-1)
        largest = np.argsort(-shares, axis=-1, kind="stable")[..., :N_EXAMPLES]
        return ExampleSums(
            shares=np.take_along_axis(shares, largest, axis=-1),
            texts=np.take_along_axis(texts, largest, axis=-1),
            drawn=tuple(nsmallest(N_DRAWN, (*self.drawn, *other.drawn), key=lambda kept: kept.rank)),
        )


def example_sums(text: str, sums: Sequence[HeadSums]) -> ExampleSums:
    """One text, with its measures."""
    counts = np.concatenate([part.counts for part in sums])[:, None, None]
    totals = np.concatenate([part.totals for part in sums])  # [n_measures, n_layers, n_heads]
    shares = np.where(counts >= FEWEST_COUNTED, totals / np.maximum(counts, 1), np.nan).astype(np.float32)
    drawn = _KeptText(rank=hashlib.sha256(text.encode()).digest(), text=text, shares=shares)
    known = np.where(np.isnan(shares), -np.inf, shares)[..., None].astype(np.float32)
    return ExampleSums(shares=known, texts=np.full(known.shape, text, dtype=object), drawn=(drawn,))


def examples_of(
    sums: ExampleSums, measures: Sequence[AtlasMeasure], roles: Sequence[HeadRole]
) -> tuple[HeadExamples, ...]:
    """For every head, layer by layer, examples of the measure that says most of it: the first that names it, else the
    one that is the farthest above its baseline."""
    names = [measure.measure.name for measure in measures]
    above = np.stack([measure.values - measure.baseline for measure in measures])  # [n_measures, n_layers, n_heads]
    row_of = {(role.layer, role.head): names.index(role.name) for role in reversed(roles)}
    _, n_layers, n_heads = above.shape
    examples = []
    for layer in range(n_layers):
        for head in range(n_heads):
            row = row_of.get((layer, head), int(np.nan_to_num(above[:, layer, head], nan=-1).argmax()))
            mean = float(measures[row].values[layer, head])
            examples.append(
                HeadExamples(
                    measure=names[row],
                    strongest=_strongest(sums, (row, layer, head)),
                    typical=_typical(sums, (row, layer, head), mean),
                )
            )
    return tuple(examples)


def _strongest(sums: ExampleSums, place: tuple[int, int, int]) -> tuple[TextShare, ...]:
    both = zip(sums.texts[place], sums.shares[place].tolist(), strict=True)
    return tuple(TextShare(text=text, share=share) for text, share in both if np.isfinite(share))


def _typical(sums: ExampleSums, place: tuple[int, int, int], mean: float) -> tuple[TextShare, ...]:
    known = [
        TextShare(text=kept.text, share=float(kept.shares[place])) for kept in sums.drawn if kept.shares[place] >= 0
    ]
    return tuple(nsmallest(N_EXAMPLES, known, key=lambda example: abs(example.share - mean)))
