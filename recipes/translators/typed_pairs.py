"""Pairs of sentences as a translator reads them: each time typed as another reader would, and cut anew into pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer

from models.text.source_words import words_as_read
from models.training.corpora.vocabulary import CLS_ID, SEP_ID, UNKNOWN
from models.training.tasks.rows import Ids, pad_rows

Typed = Callable[[str, np.random.Generator], str]
"""Says how a reader types a source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairGroup:
    """Sources with their targets, line by line, and the `share` of every batch that is drawn from them."""

    sources: Sequence[str]
    targets: Sequence[str]
    share: float


class WordCutter:
    """The pieces of a WordPiece tokenizer; a word in `dropped` of all is cut differently each time, longest pieces left
    out by chance (Hiraoka 2022, "MaxMatch-Dropout"), so that a model learns what pieces and letters are worth."""

    LEFT_OUT = 0.4
    """The chance of each piece of such a word to be passed over."""

    def __init__(self, tokenizer: Tokenizer, dropped: float = 0.0) -> None:
        self.tokenizer, self.dropped = tokenizer, dropped
        self._ids: dict[str, int] = tokenizer.get_vocab()
        self._usual: dict[str, list[int]] = {}

    def ids(self, text: str, random: np.random.Generator) -> list[int]:
        """The ids of a text, special tokens left out."""
        words = words_as_read(self.tokenizer, text)
        odd = random.random(len(words)) < self.dropped  # [n_words]
        return [
            piece
            for word, is_odd in zip(words, odd.tolist(), strict=True)
            for piece in (self._cut(word, random) if is_odd else self._usually(word))
        ]

    def _usually(self, word: str) -> list[int]:
        if word not in self._usual:
            self._usual[word] = self._cut(word, None)
        return self._usual[word]

    def _cut(self, word: str, random: np.random.Generator | None) -> list[int]:
        """The longest piece that fits, from left to right, unless it is passed over; never a single letter."""
        found: list[int] = []
        at = 0
        while at < len(word):
            for end in range(len(word), at, -1):
                piece = self._ids.get(f"##{word[at:end]}" if at else word[at:end])
                is_passed = random is not None and end - at > 1 and random.random() < self.LEFT_OUT
                if piece is not None and not is_passed:
                    break
            else:
                return [self._ids[UNKNOWN]]
            found.append(piece)
            at = end
        return found


class TypedPairs:
    """Groups of pairs to draw batches from. A text longer than `max_tokens` loses its end."""

    def __init__(self, groups: Sequence[PairGroup], cutter: WordCutter, typed: Typed, *, max_tokens: int) -> None:
        self.groups, self.cutter, self.typed, self.max_tokens = groups, cutter, typed, max_tokens
        self._shares = np.array([group.share for group in groups]) / sum(group.share for group in groups)

    def draw_pairs(self, random: np.random.Generator, n: int) -> tuple[Ids, Ids]:
        """`n` pairs of all groups, as `models.training.tasks.translation.Pairs` says."""
        sources: list[list[int]] = []
        targets: list[list[int]] = []
        for group, n_drawn in zip(self.groups, random.multinomial(n, self._shares).tolist(), strict=True):
            for at in random.integers(len(group.sources), size=n_drawn).tolist():
                source = self.cutter.ids(self.typed(group.sources[at], random), random)
                target = self.cutter.ids(group.targets[at], random)
                sources.append([*source[: self.max_tokens - 1], SEP_ID])
                targets.append([CLS_ID, *target[: self.max_tokens - 1], SEP_ID])
        return pad_rows(sources), pad_rows(targets)
