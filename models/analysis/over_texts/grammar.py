"""Relations of grammar in an atlas: which head knows which, as sums of the two halves of a corpus.

Heads are chosen on one half and judged on the other (Clark et al. 2019, section 4.2). Which half a sentence is in
follows from its words: a sentence that stands twice is never in both, and parts of a corpus may be read in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from models.analysis.grammar.dependencies import (
    ParsedSentence,
    RelationCounts,
    between_words,
    count_relations,
    score_relations,
    words_of_tokens,
)
from models.analysis.over_texts.roles import relation_roles
from models.values.head_roles import HeadRole
from models.values.record import Array, Token
from models.values.results.grammar import RelationScore

CountsOfRelations = dict[str, RelationCounts]


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarSums:
    """The counts of the relations in both halves, first the one by which heads are chosen; and how many sentences were
    counted."""

    halves: tuple[CountsOfRelations, CountsOfRelations] = field(default_factory=lambda: ({}, {}))
    n_sentences: int = 0

    def __add__(self, other: GrammarSums) -> GrammarSums:
        first, second = (_add_counts(*both) for both in zip(self.halves, other.halves, strict=True))
        return GrammarSums(halves=(first, second), n_sentences=self.n_sentences + other.n_sentences)

    def scores(self) -> tuple[RelationScore, ...]:
        """For every relation that is not too rare the best head and the best offset, the surest relation first."""
        return tuple(score_relations(*self.halves))

    def roles(self) -> Iterator[HeadRole]:
        """Return the relations that pass in both halves, by head."""
        return relation_roles(*self.halves)


def grammar_sums(sentence: ParsedSentence, layers: Iterable[Array], tokens: Sequence[Token]) -> GrammarSums:
    """The sums of one sentence, from the weights of its layers [n_heads, n_tokens, n_tokens]; none if the model has not
    read all of it, or a word has no token of its own."""
    words = words_of_tokens(sentence, tokens)
    if words is None:
        return GrammarSums()
    looks = np.stack([between_words(weights, words).argmax(axis=-1) for weights in layers])
    halves: tuple[CountsOfRelations, CountsOfRelations] = ({}, {})
    count_relations(sentence, looks, halves[half_of(sentence)])  # looks [n_layers, n_heads, n_words]
    return GrammarSums(halves=halves, n_sentences=1)


def half_of(sentence: ParsedSentence) -> int:
    """0 for a sentence by which heads are chosen, 1 for one on which they are judged."""
    return crc32(sentence.text.encode()) % 2


def _add_counts(one: CountsOfRelations, other: CountsOfRelations) -> CountsOfRelations:
    return one | {name: one[name] + counts if name in one else counts for name, counts in other.items()}
