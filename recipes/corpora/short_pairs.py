"""Short pairs of a corpus: one or two sentences, and the one or two that follow, or others from elsewhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.engine.function_words import FUNCTION_WORDS
from models.scratch.pretraining import IS_NEXT
from models.training.corpora.batches import DrawnRow, Pieces
from models.training.corpora.corpus import Corpus

SHORTEST, LONGEST = 3, 28
"""Pieces of a sentence that is used."""
DOUBLE = 0.3
"""How often A, and how often B, has two sentences."""
SHARING_OF_NEXT, SHARING = 0.27, 0.35
"""Of the pairs that follow, and of those that do not, those that share a content word: it is not to decide."""
SAME_DOCUMENT = 0.5
"""Of the pairs that do not follow and share no word, those of one document."""
FAR = 40
"""Sentences between A and a B of the same document that does not follow."""
_TRIES = 20


def content_pieces(tokenizer: Tokenizer) -> NDArray[np.bool_]:
    """Tell which pieces are content words, or begin one [d_vocab]."""
    found = np.zeros(tokenizer.get_vocab_size(), dtype=bool)
    for piece, number in tokenizer.get_vocab().items():
        found[number] = piece.isalpha() and len(piece) > 2 and piece not in FUNCTION_WORDS
    return found


class ShortPairs:
    """The short sentences of a corpus, and where each content word stands in them."""

    def __init__(self, corpus: Corpus, is_content: NDArray[np.bool_]) -> None:
        self.corpus, self.is_content = corpus, is_content
        lengths = np.diff(corpus.sentence_starts)  # [n_sentences]
        self.is_short = (lengths >= SHORTEST) & (lengths <= LONGEST)  # [n_sentences]
        self.short = np.flatnonzero(self.is_short)  # [n_short]
        sentence_of = np.repeat(np.arange(lengths.size), lengths)  # [n_pieces]
        of_content = np.flatnonzero(is_content[corpus.ids] & self.is_short[sentence_of])  # [n_content]
        order = np.argsort(corpus.ids[of_content], kind="stable")  # [n_content]
        self._sentences = sentence_of[of_content][order].astype(np.int32)  # [n_content], by content word
        self._starts = np.searchsorted(corpus.ids[of_content][order], np.arange(is_content.size + 1))  # [d_vocab + 1]

    def draw(self, random: np.random.Generator) -> DrawnRow:
        """Draw a row (A, B, label)."""
        is_next = random.random() < 0.5
        shares = random.random() < (SHARING_OF_NEXT if is_next else SHARING)
        while True:
            at = int(self.short[int(random.integers(self.short.size))])
            if not self._follows(at + 1, at):
                continue
            first = self._pieces(at - 1 if self._follows(at, at - 1) and random.random() < DOUBLE else at, at)
            if not is_next:
                return first, self._with_more(self._other(random, at, first, shares), random), 1 - IS_NEXT
            second = self._with_more(at + 1, random)
            if self._shares(first, second) is shares:
                return first, second, IS_NEXT

    def _follows(self, second: int, first: int) -> bool:
        """Whether both are short, and of one document."""
        if not 0 <= first < second < self.corpus.n_sentences:
            return False
        document = self.corpus.document_of
        return bool(self.is_short[first] and self.is_short[second] and document[first] == document[second])

    def _with_more(self, at: int, random: np.random.Generator) -> Pieces:
        return self._pieces(at, at + 1 if random.random() < DOUBLE and self._follows(at + 1, at) else at)

    def _pieces(self, first: int, last: int) -> Pieces:
        starts = self.corpus.sentence_starts
        return self.corpus.ids[starts[first] : starts[last + 1]]

    def _shares(self, first: Pieces, second: Pieces) -> bool:
        return bool(np.isin(first[self.is_content[first]], second).any())

    def _other(self, random: np.random.Generator, at: int, first: Pieces, shares: bool) -> int:
        """Draw a sentence that does not follow A, which ends with sentence `at`; if it `shares`, with a word of A."""
        words = first[self.is_content[first]]
        if words.size:
            for _ in range(_TRIES if shares else 0):
                word = int(words[int(random.integers(words.size))])
                begin, end = int(self._starts[word]), int(self._starts[word + 1])
                other = int(self._sentences[int(random.integers(begin, end))]) if end > begin else at
                if abs(other - at) > FAR:
                    return other
        of_one = random.random() < SAME_DOCUMENT
        documents = self.corpus.document_of
        begin, end = np.searchsorted(
            self.short, np.searchsorted(documents, (documents[at], documents[at] + 1))
        ).tolist()
        for _ in range(_TRIES if of_one else 0):
            other = int(self.short[int(random.integers(begin, end))])
            if abs(other - at) > FAR:
                return other
        while True:
            other = int(self.short[int(random.integers(self.short.size))])
            if documents[other] != documents[at]:
                return other
