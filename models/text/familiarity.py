"""How familiar a source is to a translator: a bigram model of the pieces of the sources that it has learned from.

A piece that is followed by many different ones trusts its own counts less (Witten & Bell 1991, "The Zero-Frequency
Problem", method C; for language models: Chen & Goodman 1996, section 2.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save_file

from models.values.writing import Familiarity

FILE = "source-bigrams.safetensors"
LEAST_COUNT = 2
"""A pair of pieces that was seen only once is left out: that halves the file, and costs little."""
_LIMIT = "limit"
_COUNT = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SourceBigrams:
    """`unigrams` [d_vocab] counts the pieces of all sources; `pairs` [n_pairs], ascending, are a * d_vocab + b for a
    piece a with b after it, seen `counts` [n_pairs] times. A source begins after the token that ends one."""

    unigrams: NDArray[np.int64]
    pairs: NDArray[np.int64]
    counts: NDArray[np.int64]
    limit: float
    """Above so many bits a piece, a source is unlike those that were learned."""

    def familiarity(self, ids: Sequence[int]) -> Familiarity:
        """That of a source as a model reads it, the token that ends it included."""
        return Familiarity(bits=self.bits(ids), limit=self.limit)

    def bits(self, ids: Sequence[int]) -> float:
        """The mean of the surprises of a source."""
        return float(self.surprises(ids).mean())

    def surprises(self, ids: Sequence[int]) -> NDArray[np.float64]:
        """-log2 P(piece | the one before it) of every piece [n_tokens]."""
        read = np.asarray(ids, dtype=np.int64)  # [n_tokens]
        before = np.roll(read, 1)  # [n_tokens], the end before the first piece
        d_vocab = len(self.unigrams)
        by_itself = (self.unigrams[read] + 1) / (self.unigrams.sum() + d_vocab)  # [n_tokens]
        asked = before * d_vocab + read  # [n_tokens]
        seen, kinds = self._after(before)  # [n_tokens], [n_tokens]
        count = self._count_pairs(asked)  # [n_tokens]
        after = (count + kinds * by_itself) / np.maximum(seen + kinds, 1)  # [n_tokens]
        surprises: NDArray[np.float64] = -np.log2(np.where(seen > 0, after, by_itself))  # [n_tokens]
        return surprises

    def _after(self, pieces: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How often a piece was followed by another one, and by how many different ones."""
        d_vocab = len(self.unigrams)
        first, last = (np.searchsorted(self.pairs, (pieces + step) * d_vocab) for step in (0, 1))  # [n], [n]
        total = np.concatenate([[0], np.cumsum(self.counts)])  # [n_pairs + 1]
        return total[last] - total[first], last - first

    def _count_pairs(self, asked: NDArray[np.int64]) -> NDArray[np.int64]:
        places = np.searchsorted(self.pairs, asked)  # [n]
        is_there = np.append(self.pairs, -1)[places] == asked  # [n]
        return np.where(is_there, np.append(self.counts, 0)[places], 0)

    def save(self, folder: Path) -> None:
        """Write it beside a checkpoint."""
        tensors = {
            "unigrams": self.unigrams.astype(np.int32),
            "pairs": self.pairs.astype(np.int32 if len(self.unigrams) ** 2 < 2**31 else np.int64),
            "counts": self.counts.clip(max=_COUNT).astype(np.uint16),
        }
        save_file(tensors, folder / FILE, metadata={_LIMIT: repr(self.limit)})


def count_source_bigrams(sources: Iterable[Sequence[int]], d_vocab: int, *, limit: float = np.inf) -> SourceBigrams:
    """Count the pieces of sources and their neighbours; each source ends with the token that ends it."""
    rows = [np.asarray(source, dtype=np.int64) for source in sources]
    read = np.concatenate(rows)  # [n_tokens of all]
    before = np.concatenate([np.roll(row, 1) for row in rows])  # [n_tokens of all]
    pairs, counts = np.unique(before * d_vocab + read, return_counts=True)  # [n_pairs], [n_pairs]
    kept = counts >= LEAST_COUNT  # [n_pairs]
    return SourceBigrams(
        unigrams=np.bincount(read, minlength=d_vocab), pairs=pairs[kept], counts=counts[kept], limit=limit
    )


def known_sources(folder: Path, d_vocab: int) -> SourceBigrams | None:
    """The bigrams beside a checkpoint whose model knows `d_vocab` tokens; None if there are none for it, or if their
    file cannot be read: a translator translates without them."""
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        tensors = {name: tensor.astype(np.int64) for name, tensor in load_file(file).items()}
        with safe_open(file, framework="numpy") as opened:
            limit = float((opened.metadata() or {})[_LIMIT])
        bigrams = SourceBigrams(**tensors, limit=limit)
    except (OSError, ValueError, KeyError, TypeError, SafetensorError):
        return None
    fits = len(bigrams.unigrams) == d_vocab and bigrams.pairs.shape == bigrams.counts.shape
    return bigrams if fits else None
