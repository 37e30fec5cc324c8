"""Draw and mask the rows of an iteration, which follow from the seed and its number alone.

Masking is BERT's (Devlin et al. 2018, section 3.1), piece by piece; in a share of the rows whole words are masked, so
that a particle cannot be read off its noun nor a noun off its particle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.corpora.batches import NO_LABEL, Batch, DrawnRow, draw_pair
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import SpecialIds
from recipes.korean.texts import PARALLEL, PROSE, REVIEWS, SENTENCES

MIXTURE: Mapping[str, float] = {REVIEWS: 0.58, PROSE: 0.22, SENTENCES: 0.17, PARALLEL: 0.03}
"""The share of each source in the pieces that are read."""
SAME_DOCUMENT = 0.3
"""The share of the pairs that do not follow whose second half is from elsewhere in the same text."""
WHOLE_WORDS = 0.2
"""The share of the rows in which whole words are masked."""
LOOSE = 0.15
"""The share of the pieces behind a [MASK] that are read as the beginning of a word where they continue one: whoever
types "[MASK]을" gets [MASK] and 을, as no tokenizer knows that a word was hidden."""
CROPPED = 0.5
"""The share of the lines longer than the window that are read from somewhere inside, and not from their beginning."""
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Masking:
    """The part of the pieces that is asked for, `rate`; which pieces begin a word [d_vocab]; and the beginning with the
    same letters [d_vocab], where some pieces behind a mask are to be read as that."""

    rate: float
    starts: Flags
    beginnings: NDArray[np.int64] | None = None


def draw_rows(texts: Mapping[str, Corpus], random: np.random.Generator, *, window: int, pieces: int) -> list[DrawnRow]:
    """Draw rows of every source until its share of the pieces is reached, in the mean to a row."""
    rows: list[DrawnRow] = []
    for source, share in MIXTURE.items():
        left = share * pieces
        while True:
            row = draw_row(source, texts[source], random, window)
            size = row[0].size + row[1].size
            if random.random() > left / size:
                break
            rows.append(row)
            left -= size
    return rows


def draw_row(source: str, corpus: Corpus, random: np.random.Generator, window: int) -> DrawnRow:
    """Draw one row: a pair of stretches of prose, or a line."""
    if source == PROSE:
        return draw_pair(corpus, random, window - 3, same_document=SAME_DOCUMENT)
    line, room = int(random.integers(corpus.n_sentences)), window - 2
    begin, end = corpus.sentence_starts[[line, line + 1]].tolist()
    if end - begin > room and random.random() < CROPPED:
        begin = int(random.integers(begin + 1, end - room + 1))
    ids = corpus.ids[begin : min(end, begin + room)]
    return ids, ids[:0], NO_LABEL


def pack_rows(
    rows: Sequence[DrawnRow], random: np.random.Generator, *, special: SpecialIds, masking: Masking, tokens: int
) -> list[Batch]:
    """Sort rows by length into batches of at most `tokens` tokens each, and mask them."""
    lengths = np.array([row[0].size + row[1].size + (3 if row[1].size else 2) for row in rows])
    order = np.argsort(lengths, kind="stable")
    borders, first = [0], 0
    for place, row in enumerate(order):
        if (place + 1 - first) * lengths[row] > tokens:
            borders.append(place)
            first = place
    borders.append(len(rows))
    return [_packed([rows[row] for row in order[a:b]], random, special, masking) for a, b in pairwise(borders) if b > a]


def _packed(rows: Sequence[DrawnRow], random: np.random.Generator, special: SpecialIds, masking: Masking) -> Batch:
    longest = max(first.size + second.size + (3 if second.size else 2) for first, second, _ in rows)
    ids = np.zeros((len(rows), longest), dtype=np.int64)  # [b, n_tokens]
    segments = np.zeros_like(ids)  # [b, n_tokens]
    for row, (first, second, _) in enumerate(rows):
        tail = [*second, special.sep] if second.size else []
        whole = np.concatenate(([special.cls], first, [special.sep], tail))
        ids[row, : whole.size] = whole
        segments[row, first.size + 2 : whole.size] = 1
    chosen = choose_masked(ids, random, masking, special.first_piece)  # [b, n_tokens]
    masked = np.flatnonzero(chosen)  # [n_masked]
    targets = ids.reshape(-1)[masked]  # [n_masked]
    fate = random.random(masked.size)  # [n_masked]
    changed = ids.copy().reshape(-1)  # [b * n_tokens]
    changed[masked[fate < 0.8]] = special.mask
    anything = masked[fate >= 0.9]
    changed[anything] = random.integers(special.first_piece, masking.starts.size, anything.size)
    if masking.beginnings is not None:
        behind = masked[fate < 0.8] + 1  # [n_hidden], inside the row, as [SEP] is never masked
        behind = behind[random.random(behind.size) < LOOSE]  # [n_loose]
        changed[behind] = masking.beginnings[changed[behind]]
    return Batch(
        input_ids=torch.from_numpy(changed.reshape(ids.shape)),
        segment_ids=torch.from_numpy(segments),
        mask=torch.from_numpy(ids != 0) if (ids == 0).any() else None,
        masked=torch.from_numpy(masked),
        targets=torch.from_numpy(targets),
        next_labels=torch.tensor([label for _, _, label in rows]),
    )


def choose_masked(ids: NDArray[np.int64], random: np.random.Generator, masking: Masking, first_piece: int) -> Flags:
    """Choose a part of the pieces [b, n_tokens]; in some rows a word is chosen with all its pieces or not at all."""
    is_text = ids >= first_piece  # [b, n_tokens]
    draws = random.random(ids.shape)  # [b, n_tokens]
    words = np.cumsum(masking.starts[ids] | ~is_text, axis=1) - 1  # [b, n_tokens], the number of the word in its row
    of_words = np.take_along_axis(draws, words, axis=1)  # [b, n_tokens]
    whole = random.random((len(ids), 1)) < WHOLE_WORDS  # [b, 1]
    return is_text & (np.where(whole, of_words, draws) < masking.rate)
