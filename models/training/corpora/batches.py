"""Packed sentence pairs, masked anew every time (Devlin et al. 2018, appendix A.2; dynamic masking: Liu et al. 2019).

A batch depends on (seed, iteration) alone, so a run that resumes at an iteration sees exactly what it would have seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.scratch.pretraining import IS_NEXT
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import OWN_SPECIALS, SPECIAL_TOKENS, SpecialIds

N_SPECIAL = len(SPECIAL_TOKENS)
"""The special tokens come first in the vocabulary, so their ids are their places."""
SINGLE = 0.4
"""The fraction of passages of several sentences that are read as one text, without a sentence B."""
NO_LABEL = -100
"""The next-sentence label of a row without a sentence B: the loss passes it over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """`input_ids`, `segment_ids` [b, n_tokens]; `mask` the same, True for tokens and False for padding, None if there
    is no padding; `masked` [n_masked] flat positions and `targets` [n_masked] the pieces that stood there;
    `next_labels` [b], 0 where B follows A, NO_LABEL where there is no B."""

    input_ids: Tensor
    segment_ids: Tensor
    mask: Tensor | None
    masked: Tensor
    targets: Tensor
    next_labels: Tensor

    def to(self, device: torch.device) -> Batch:
        """The same batch on another device."""
        mask = None if self.mask is None else self.mask.to(device)
        return Batch(
            input_ids=self.input_ids.to(device),
            segment_ids=self.segment_ids.to(device),
            mask=mask,
            masked=self.masked.to(device),
            targets=self.targets.to(device),
            next_labels=self.next_labels.to(device),
        )


Pieces = NDArray[np.int32]
DrawnRow = tuple[Pieces, Pieces, int]
"""(A, B, next label); B may be empty."""
Draw = Callable[[Corpus, np.random.Generator, int], DrawnRow]
"""How a row is made: (corpus, random numbers, room for pieces) -> row."""


def make_batch(corpus: Corpus, *, draw: Draw | None = None, **settings: Any) -> Batch:
    """Draw one batch, as `make_batches` does."""
    (batch,) = make_batches(corpus, draw=draw, **settings)
    return batch


def make_batches(
    corpus: Corpus,
    *,
    batch_size: int,
    n_tokens: int,
    mask_rate: float,
    d_vocab: int,
    seed: int,
    iteration: int,
    draw: Draw | None = None,
    parts: int = 1,
) -> list[Batch]:
    """Draw `batch_size` rows of at most `n_tokens` tokens with `draw`, by default `draw_pair`, and mask them.

    Several `parts` share the rows by length, which saves the work on padding.
    """
    random, draw = np.random.default_rng((seed, iteration)), draw or draw_pair
    rows = [draw(corpus, random, n_tokens - 3) for _ in range(batch_size)]
    return pack(rows, random, mask_rate=mask_rate, d_vocab=d_vocab, special=corpus.special, parts=parts)


def pack(
    rows: Sequence[DrawnRow],
    random: np.random.Generator,
    *,
    mask_rate: float,
    d_vocab: int,
    special: SpecialIds = OWN_SPECIALS,
    parts: int = 1,
) -> list[Batch]:
    """Put rows that were drawn into `parts` batches, by length if there are several, and mask them."""
    sorted_rows = sorted(rows, key=lambda row: row[0].size + row[1].size) if parts > 1 else rows
    borders = [round(part * len(rows) / parts) for part in range(parts + 1)]
    return [_pack_rows(sorted_rows[a:b], random, mask_rate, d_vocab, special) for a, b in pairwise(borders) if b > a]


def _pack_rows(
    rows: Sequence[DrawnRow], random: np.random.Generator, rate: float, d_vocab: int, special: SpecialIds
) -> Batch:
    longest = max(first.size + second.size + (3 if second.size else 2) for first, second, _ in rows)
    ids = np.zeros((len(rows), longest), dtype=np.int64)  # [b, n_tokens]
    segments = np.zeros_like(ids)  # [b, n_tokens]
    labels = np.zeros(len(rows), dtype=np.int64)  # [b]
    for row, (first, second, label) in enumerate(rows):
        border = len(first) + 2
        ids[row, :border] = np.concatenate(([special.cls], first, [special.sep]))
        if second.size:
            end = border + len(second) + 1
            ids[row, border:end] = np.concatenate((second, [special.sep]))
            segments[row, border:end] = 1
        labels[row] = label
    masked_ids, masked, targets = mask_pieces(ids, random, rate, d_vocab, special)
    return Batch(
        input_ids=torch.from_numpy(masked_ids),
        segment_ids=torch.from_numpy(segments),
        mask=torch.from_numpy(masked_ids != 0) if (masked_ids == 0).any() else None,
        masked=torch.from_numpy(masked),
        targets=torch.from_numpy(targets),
        next_labels=torch.from_numpy(labels),
    )


def draw_pair(corpus: Corpus, random: np.random.Generator, room: int, *, same_document: float = 0.0) -> DrawnRow:
    """(A, B, label), `room` pieces together. A ends and B begins at a sentence border, whichever the label is.

    A B that does not follow comes from another document or, in the share `same_document`, from elsewhere in that of A,
    if it is long enough: the same people and the same style, so that only the sense can tell.
    """
    room_a = int(random.integers(room // 4, room - room // 4 + 1))
    start = _random_sentence(corpus, random)
    starts, document = corpus.sentence_starts, corpus.document_of[start]
    stop = max(start + 1, int(np.searchsorted(starts, starts[start] + room_a, side="right")) - 1)
    while corpus.document_of[stop - 1] != document:
        stop -= 1
    first = corpus.ids[starts[start] : starts[stop]][-room_a:]
    follows = stop < corpus.n_sentences and corpus.document_of[stop] == document
    is_next = follows and random.random() < 0.5
    other = stop if is_next else _sentence_that_does_not_follow(corpus, random, stop, room, same_document)
    second = corpus.ids[starts[other] : _end_of_document(corpus, other)][: room - len(first)]
    return first, second, IS_NEXT if is_next else 1 - IS_NEXT


def draw_passage(corpus: Corpus, random: np.random.Generator, room: int) -> DrawnRow:
    """A short document, whole: alone, cut in two, or its beginning with the end of another one.

    Only passages of several sentences are paired, so that no label can be told from the number of sentences.
    """
    first, second = _two_parts(corpus, random)
    if not second.size or random.random() < SINGLE:
        return np.concatenate((first, second))[: room + 1], second[:0], NO_LABEL
    is_next = random.random() < 0.5
    while not is_next:
        elsewhere = _two_parts(corpus, random)[1]
        if elsewhere.size and not np.array_equal(elsewhere, second):
            second = elsewhere
            break
    first = first[: room - 1]
    return first, second[: room - len(first)], IS_NEXT if is_next else 1 - IS_NEXT


def draw_sentence(corpus: Corpus, random: np.random.Generator, room: int) -> DrawnRow:
    """One sentence alone, as readers type them; a long one is cut."""
    sentence = int(random.integers(corpus.n_sentences))
    begin, end = corpus.sentence_starts[[sentence, sentence + 1]].tolist()
    ids = corpus.ids[begin:end]
    return ids[: room + 1], ids[:0], NO_LABEL


def _two_parts(corpus: Corpus, random: np.random.Generator) -> tuple[Pieces, Pieces]:
    """A random document, cut at one of its sentence borders; the second part is empty if it has but one sentence."""
    document = random.integers(corpus.document_of[-1] + 1)
    begin, end = np.searchsorted(corpus.document_of, (document, document + 1)).tolist()
    cut = end if end - begin == 1 else int(random.integers(begin + 1, end))
    starts = corpus.sentence_starts
    return corpus.ids[starts[begin] : starts[cut]], corpus.ids[starts[cut] : starts[end]]


def mask_pieces(
    ids: NDArray[np.int64],
    random: np.random.Generator,
    rate: float,
    d_vocab: int,
    special: SpecialIds = OWN_SPECIALS,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Choose `rate` of the pieces, never a special token: 80 % become [MASK], 10 % any piece, 10 % stay.

    Returns (changed ids [b, n_tokens], flat positions chosen [n_masked], the pieces that stood there [n_masked]).
    """
    chosen = np.flatnonzero((random.random(ids.shape) < rate) & (ids >= special.first_piece))  # [n_masked]
    targets = ids.reshape(-1)[chosen]  # [n_masked]
    fate = random.random(chosen.size)  # [n_masked]
    changed = ids.copy().reshape(-1)  # [b * n_tokens]
    changed[chosen[fate < 0.8]] = special.mask
    anything = chosen[fate >= 0.9]
    changed[anything] = random.integers(special.first_piece, d_vocab, anything.size)
    return changed.reshape(ids.shape), chosen, targets


def _random_sentence(corpus: Corpus, random: np.random.Generator) -> int:
    """A sentence, drawn in proportion to its length."""
    piece = int(random.integers(corpus.n_pieces))
    return int(np.searchsorted(corpus.sentence_starts, piece, side="right")) - 1


def _sentence_that_does_not_follow(
    corpus: Corpus, random: np.random.Generator, stop: int, room: int, same_document: float
) -> int:
    """A sentence of another document or, in the share `same_document`, of that of the sentence before `stop`, `room`
    pieces away or more."""
    document, starts = int(corpus.document_of[stop - 1]), corpus.sentence_starts
    if not same_document or random.random() >= same_document:
        return _sentence_elsewhere(corpus, random, document)
    begin, end = np.searchsorted(corpus.document_of, (document, document + 1)).tolist()
    if starts[end] - starts[begin] < 8 * room:
        return _sentence_elsewhere(corpus, random, document)
    while True:
        piece = int(random.integers(starts[begin], starts[end]))
        sentence = int(np.searchsorted(starts, piece, side="right")) - 1
        if abs(int(starts[sentence] - starts[stop])) >= 2 * room:
            return sentence


def _sentence_elsewhere(corpus: Corpus, random: np.random.Generator, document: int) -> int:
    """A sentence of another document. Raises ValueError if there is none."""
    if corpus.document_of[0] == corpus.document_of[-1]:
        raise ValueError(
            "The text is a single document, in which every sentence follows the one before. Expected two or more, "
            "with an empty line between them."
        )
    while True:
        sentence = _random_sentence(corpus, random)
        if corpus.document_of[sentence] != document:
            return sentence


def _end_of_document(corpus: Corpus, sentence: int) -> int:
    after = int(np.searchsorted(corpus.document_of, corpus.document_of[sentence], side="right"))
    return int(corpus.sentence_starts[after])
