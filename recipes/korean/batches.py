"""Draw and mask the rows of an iteration, which follow from the seed and its number alone.

Masking is BERT's (Devlin et al. 2018, section 3.1), piece by piece; in a share of the rows whole words are masked, so
that a particle cannot be read off its noun nor a noun off its particle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from heapq import heapreplace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.training.corpora.batches import NO_LABEL, DrawnRow, draw_pair
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import SpecialIds
from recipes.korean.texts import PARALLEL, PROSE, REVIEWS, SENTENCES

N_TOKENS = 128
"""The length of a line of a batch, in which several texts stand."""
WINDOWS = (64, 64, 128)
"""The longest text of an iteration, drawn anew for each."""
PAIRS_A_LINE = 0.5
"""How many pairs a batch can ask for, to a line; those of windows of 128 are fewer."""
MIXTURE: Mapping[str, float] = {REVIEWS: 0.55, PROSE: 0.23, SENTENCES: 0.20, PARALLEL: 0.02}
"""The share of each source in what is read."""
SAME_DOCUMENT = 0.3
"""The share of the pairs that do not follow whose second half is from elsewhere in the same text."""
WHOLE_WORDS = 0.2
"""The share of the rows in which whole words are masked."""
PARTICLE_RATE, OTHER_RATE = 0.4, 0.04
"""The part of the particles, and of everything else, that is hidden in lines of particles: there a particle is missing
from an else nearly whole sentence."""
LOOSE = 0.15
"""The share of the pieces behind a [MASK] that are read as the beginning of a word where they continue one: whoever
types "[MASK]을" gets [MASK] and 을, as no tokenizer knows that a word was hidden."""
CROPPED = 0.5
"""The share of the lines longer than the window that are read from somewhere inside, and not from their beginning."""
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedBatch:
    """Several texts to a line, so that little of a batch is padding, and every batch of a size has the same shapes.

    `input_ids`, `segment_ids`, `position_ids`, from 0 on in every text, and `texts`, the number of the text that a
    token belongs to, 0 for padding: [b, n_tokens]. Flat places of what is masked and of each pair's [CLS], `masked`
    [n_masked] and `firsts` [n_pairs], with what stood there and whether B follows A, `targets` and `next_labels`;
    NO_LABEL where there is none.
    """

    input_ids: Tensor
    segment_ids: Tensor
    position_ids: Tensor
    texts: Tensor
    masked: Tensor
    targets: Tensor
    firsts: Tensor
    next_labels: Tensor

    @property
    def n_pieces(self) -> int:
        """How many tokens there are but for padding and special ones."""
        n_seconds = int((self.segment_ids[:, 1:] > self.segment_ids[:, :-1]).sum())
        return int((self.texts > 0).sum()) - 2 * int(self.texts.max()) - n_seconds

    def to(self, device: torch.device) -> PackedBatch:
        """Return the same batch on another device."""
        return PackedBatch(**{field.name: getattr(self, field.name).to(device) for field in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Masking:
    """The part of the pieces that is asked for, `rate`; which pieces begin a word [d_vocab]; the beginning with the
    same letters [d_vocab], where some pieces behind a mask are to be read as that; and the part of the lines in which
    mostly `particles` [d_vocab] are asked for."""

    rate: float
    starts: Flags
    beginnings: NDArray[np.int64] | None = None
    particle_lines: float = 0.0
    particles: Flags | None = None


def draw_rows(
    texts: Mapping[str, Corpus],
    random: np.random.Generator,
    *,
    window: int,
    tokens: int,
) -> list[DrawnRow]:
    """Draw rows of every source until its share of the tokens is reached, in the mean to a row."""
    rows: list[DrawnRow] = []
    for source, share in MIXTURE.items():
        left = share * tokens
        while True:
            row = draw_row(source, texts[source], random, window)
            if random.random() > left / n_tokens(row):
                break
            rows.append(row)
            left -= n_tokens(row)
    return rows


def n_tokens(row: DrawnRow) -> int:
    """Count the tokens of a row with the special ones."""
    return row[0].size + row[1].size + (3 if row[1].size else 2)


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
    rows: Sequence[DrawnRow], random: np.random.Generator, *, special: SpecialIds, masking: Masking, b: int
) -> PackedBatch:
    """Lay rows end to end in `b` lines of N_TOKENS, the longest first, each where most room is left; one that fits
    nowhere is left out. Then mask them."""
    ids = np.zeros((b, N_TOKENS), dtype=np.int64)  # [b, n_tokens]
    segments, positions, texts = np.zeros_like(ids), np.zeros_like(ids), np.zeros_like(ids)
    firsts, labels = np.zeros((2, round(PAIRS_A_LINE * b)), dtype=np.int64)  # [n_pairs] each
    labels[:] = NO_LABEL
    n_texts, n_pairs, room = 0, 0, [(-N_TOKENS, line) for line in range(b)]
    for first, second, label in sorted(rows, key=n_tokens, reverse=True):
        free, line = room[0]
        tail = [*second, special.sep] if second.size else []
        whole = np.concatenate(([special.cls], first, [special.sep], tail))
        if whole.size > -free:
            continue
        n_texts += 1
        begin = N_TOKENS + free
        heapreplace(room, (free + whole.size, line))
        places = slice(begin, begin + whole.size)
        ids[line, places], positions[line, places], texts[line, places] = whole, np.arange(whole.size), n_texts
        segments[line, begin + first.size + 2 : begin + whole.size] = 1
        if label != NO_LABEL and n_pairs < labels.size:
            firsts[n_pairs], labels[n_pairs] = line * N_TOKENS + begin, label
            n_pairs += 1
    changed, masked, targets = mask(ids, random, masking, special)
    n_masked = round(masking.rate * ids.size)
    masked, targets = masked[:n_masked], targets[:n_masked]
    left = (0, n_masked - masked.size)
    named = {
        "input_ids": changed,
        "segment_ids": segments,
        "position_ids": positions,
        "texts": texts,
        "masked": np.pad(masked, left),
        "targets": np.pad(targets, left, constant_values=NO_LABEL),
        "firsts": firsts,
        "next_labels": labels,
    }
    return PackedBatch(**{name: torch.from_numpy(numbers) for name, numbers in named.items()})


def mask(
    ids: NDArray[np.int64], random: np.random.Generator, masking: Masking, special: SpecialIds
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return ids [b, n_tokens] with a part masked, the flat places of that part and what stood there [n_masked]."""
    chosen = choose_masked(ids, random, masking, special.first_piece)  # [b, n_tokens]
    masked = random.permutation(np.flatnonzero(chosen))  # [n_masked]
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
    return changed.reshape(ids.shape), masked, targets


def choose_masked(ids: NDArray[np.int64], random: np.random.Generator, masking: Masking, first_piece: int) -> Flags:
    """Choose a part of the pieces [b, n_tokens]; in some rows a word is chosen with all its pieces or not at all, in
    some mostly particles are chosen."""
    is_text = ids >= first_piece  # [b, n_tokens]
    draws = random.random(ids.shape)  # [b, n_tokens]
    words = np.cumsum(masking.starts[ids] | ~is_text, axis=1) - 1  # [b, n_tokens], the number of the word in its row
    of_words = np.take_along_axis(draws, words, axis=1)  # [b, n_tokens]
    whole = random.random((len(ids), 1)) < WHOLE_WORDS  # [b, 1]
    chosen = np.where(whole, of_words, draws) < masking.rate  # [b, n_tokens]
    if masking.particles is not None:
        of_particles = draws < np.where(masking.particles[ids], PARTICLE_RATE, OTHER_RATE)  # [b, n_tokens]
        chosen = np.where(random.random((len(ids), 1)) < masking.particle_lines, of_particles, chosen)
    return is_text & chosen
