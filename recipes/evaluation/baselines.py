"""What counting alone guesses: the frequency of a piece, its frequency after the piece before it, and whether two texts
belong together by the pieces that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.corpora.batches import Batch, make_batch
from models.training.corpora.corpus import Corpus
from recipes.corpora.repetition import RepetitionAids, pieces_of, rarity


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


class SharedPieces:
    """Whether B follows A, told by the pieces that both have and nothing else, with a logistic regression."""

    def __init__(self, corpus: Corpus, d_vocab: int, *, n_tokens: int, n_batches: int = 100, seed: int = 0) -> None:
        self._aids = RepetitionAids(1, rarity(corpus, d_vocab), corpus.special)
        settings: dict[str, Any] = {"mask_rate": 0.0, "d_vocab": d_vocab, "n_tokens": n_tokens, "seed": seed}
        batches = [
            make_batch(corpus, batch_size=128, iteration=iteration, **settings) for iteration in range(n_batches)
        ]
        amounts = torch.cat([self._amounts(batch) for batch in batches])  # [n_pairs, n_classes]
        labels = torch.cat([batch.next_labels for batch in batches])  # [n_pairs]
        self._mean, self._size = amounts.mean(dim=0), amounts.std(dim=0).clamp(min=1e-6)  # [n_classes]
        self._judge = nn.Linear(amounts.shape[1], 2)
        optimizer = torch.optim.Adam(self._judge.parameters(), lr=0.05)
        for _ in range(300):
            optimizer.zero_grad()
            found = functional.cross_entropy(self._judge((amounts - self._mean) / self._size), labels)
            torch.autograd.backward(found)
            optimizer.step()

    @torch.inference_mode()
    def guess(self, batch: Batch) -> Tensor:
        """The label [b] of every pair, as in `batch.next_labels`."""
        guessed: Tensor = self._judge((self._amounts(batch) - self._mean) / self._size).argmax(dim=-1)  # [b]
        return guessed

    def _amounts(self, batch: Batch) -> Tensor:
        ids, segments = batch.input_ids, batch.segment_ids
        return self._aids.shared(*pieces_of(ids, segments, len(self._aids.rarity), self._aids.special))
