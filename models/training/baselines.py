"""What counting alone guesses: the frequency of a piece, and its frequency after the piece before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.training.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Bigrams:
    """Counts of neighbours, smoothed as Witten & Bell 1991 do: a piece that is followed by many different pieces
    trusts its own counts less, and the frequencies of all text more.

    `follower` [n_pairs] are the pieces seen after a piece, `count` [n_pairs] how often; those of piece p lie between
    `starts`[p] and `starts`[p + 1]. `unigram` [d_vocab] are the frequencies of all text, one added to every count.
    """

    unigram: NDArray[np.float64]
    starts: NDArray[np.int64]
    follower: NDArray[np.int64]
    count: NDArray[np.int64]

    def unigram_guess(self, n: int) -> Tensor:
        """The log-probabilities of the frequencies alone, for `n` masks alike [n, d_vocab]."""
        return torch.from_numpy(np.log(self.unigram)).float().expand(n, -1)

    def guess(self, before: NDArray[np.int64]) -> Tensor:
        """The log-probabilities of what follows each of the pieces `before` [n] -> [n, d_vocab]."""
        guesses = np.tile(self.unigram, (before.size, 1))  # [n, d_vocab]
        for row, piece in enumerate(before.tolist()):
            seen = slice(self.starts[piece], self.starts[piece + 1])
            n_seen, n_kinds = int(self.count[seen].sum()), self.count[seen].size
            if n_seen:
                guesses[row] *= n_kinds / (n_seen + n_kinds)
                guesses[row, self.follower[seen]] += self.count[seen] / (n_seen + n_kinds)
        return torch.from_numpy(np.log(guesses)).float()


def count_bigrams(corpora: Sequence[Corpus], d_vocab: int) -> Bigrams:
    """Count all pieces and all neighbours within a document."""
    counts = np.stack([np.bincount(corpus.ids, minlength=d_vocab) for corpus in corpora])  # [n_corpora, d_vocab]
    unigram = counts.sum(axis=0) + 1.0  # [d_vocab]
    pairs, count = np.unique(np.concatenate([_pairs(corpus, d_vocab) for corpus in corpora]), return_counts=True)
    return Bigrams(
        unigram=unigram / unigram.sum(),
        starts=np.searchsorted(pairs, np.arange(d_vocab + 1) * d_vocab),
        follower=pairs % d_vocab,
        count=count,
    )


def _pairs(corpus: Corpus, d_vocab: int) -> NDArray[np.int64]:
    """Every piece with the one after it, as one number [n_pieces - n_documents]."""
    ids = corpus.ids.astype(np.int64)  # [n_pieces]
    first_sentences = np.flatnonzero(np.diff(corpus.document_of)) + 1
    pairs = ids[:-1] * d_vocab + ids[1:]  # [n_pieces - 1]
    return np.delete(pairs, corpus.sentence_starts[first_sentences] - 1)
