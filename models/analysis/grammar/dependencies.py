"""Which head knows which relation of grammar (Clark et al. 2019, "What Does BERT Look At?", section 4.2).

Attention to a word is that to its pieces summed, attention from a word that of its pieces averaged; a word's look at
itself and at special tokens is left out. A head has a relation right for a word if it looks most at the other word of
it. The head, its direction and the fixed offset beside it are chosen on one part of a treebank and judged on another.
The totals of two parts of a treebank, added, are those of both.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import Analysis
from models.analysis.grammar.relations import relation_title
from models.analysis.heads.measuring import strongest
from models.values.record import Array, Token
from models.values.results.grammar import DIRECTIONS, FEWEST_WORDS, RelationScore
from models.values.wording import to_say

ROOT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedSentence:
    """Words, and for each the place of the word that it depends on, ROOT for none, and the name of the relation."""

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]

    @property
    def text(self) -> str:
        """The words with spaces between, as a model reads them."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordAttention:
    """The attention of a model over a sentence: for each layer the `weights` [n_heads, n_tokens, n_tokens], and for
    each token the word that it belongs to, None for a special one."""

    weights: Sequence[Array]
    words: Sequence[int | None]


@dataclass(slots=True, kw_only=True)
class RelationCounts:
    """Of `n` words in a relation, how many each head has right in each direction [2, n_layers, n_heads], and how often
    the other word stands at each distance from the dependent."""

    right: NDArray[np.int64]
    n: int = 0
    offsets: dict[int, int] = field(default_factory=dict)

    def __add__(self, other: RelationCounts) -> RelationCounts:
        """Both together."""
        offsets = dict(self.offsets)
        for distance, n in other.offsets.items():
            offsets[distance] = offsets.get(distance, 0) + n
        return RelationCounts(right=self.right + other.right, n=self.n + other.n, offsets=offsets)


def words_of_tokens(sentence: ParsedSentence, tokens: Sequence[Token]) -> list[int | None] | None:
    """For each token of the sentence's text the word that it belongs to, None for a special one. None for all of it if
    the sentence was cut, is not what was read, or has a word without a token."""
    ends = list(accumulate(len(word) + 1 for word in sentence.words))  # one past the space after each word
    words = [None if token.start is None else bisect_right(ends, token.start) for token in tokens]
    is_whole = max((token.end or 0 for token in tokens), default=0) == len(sentence.text)
    return words if is_whole and len(set(words) - {None}) == len(sentence.words) else None


def between_words(weights: Array, words: Sequence[int | None]) -> Array:
    """The attention of words [n_heads, n_words, n_words], from that of tokens [n_heads, n_tokens, n_tokens] and the
    word of each token, None for a special one. A word's attention to itself is -1: it is never the strongest."""
    n_words = 1 + max((word for word in words if word is not None), default=-1)
    belongs = np.zeros((n_words, len(words)), dtype=np.float32)  # [n_words, n_tokens]
    for token, word in enumerate(words):
        if word is not None:
            belongs[word, token] = 1
    mean = belongs / belongs.sum(axis=1, keepdims=True).clip(min=1)  # [n_words, n_tokens]
    attention: Array = mean @ weights @ belongs.T  # [n_heads, n_words, n_words]
    attention[:, np.arange(n_words), np.arange(n_words)] = -1
    return attention


def count_relations(sentence: ParsedSentence, looks: NDArray[np.intp], totals: dict[str, RelationCounts]) -> None:
    """Add a sentence to the totals of its relations; `looks` [n_layers, n_heads, n_words] is the word that each head
    looks at most from each word."""
    for dependent, (head, relation) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
        if head == ROOT:
            continue
        total = totals.setdefault(relation, RelationCounts(right=np.zeros((2, *looks.shape[:2]), dtype=np.int64)))
        total.n += 1
        total.right[0] += looks[:, :, dependent] == head
        total.right[1] += looks[:, :, head] == dependent
        total.offsets[head - dependent] = total.offsets.get(head - dependent, 0) + 1


def score_relations(dev: dict[str, RelationCounts], test: dict[str, RelationCounts]) -> list[RelationScore]:
    """For every relation the best head and the best offset of `dev`, judged on `test`, the surest relation first."""
    return sorted(_scores(dev, test), key=lambda relation: -relation.right)


def _scores(dev: dict[str, RelationCounts], test: dict[str, RelationCounts]) -> Iterator[RelationScore]:
    for relation, judged in test.items():
        given = dev.get(relation)
        if given is None or judged.n < FEWEST_WORDS:
            continue
        best = [strongest((right / given.n).astype(np.float32)) for right in given.right]
        way = int(np.argmax([share for _, _, share in best]))
        layer, head, share = best[way]
        offset = max(given.offsets, key=lambda distance: given.offsets[distance])
        yield RelationScore(
            relation=relation,
            title=relation_title(relation, DIRECTIONS[way]),
            layer=layer,
            head=head,
            direction=DIRECTIONS[way],
            chosen_by=share,
            right=float(judged.right[way, layer, head] / judged.n),
            offset=offset,
            right_by_offset=judged.offsets.get(offset, 0) / judged.n,
            n=judged.n,
        )


def counts_of(
    sentences: Iterable[ParsedSentence], read: Callable[[ParsedSentence], WordAttention | None]
) -> dict[str, RelationCounts]:
    """The totals of all sentences that can be `read`; None stands for one that does not fit into the model."""
    totals: dict[str, RelationCounts] = {}
    for sentence in sentences:
        attention = read(sentence)
        if attention is not None:
            looks = np.stack([between_words(layer, attention.words).argmax(axis=-1) for layer in attention.weights])
            count_relations(sentence, looks, totals)  # [n_layers, n_heads, n_words]
    return totals


ANALYSIS = Analysis(
    name="dependencies",
    title="which head knows which relation of grammar",
    paper=to_say('Clark et al. 2019, "What Does BERT Look At?", section 4.2'),
    needs="parsed sentences",
    formula=to_say("share of the words whose strongest other word is the right one"),
    returns="RelationCounts for every relation, right [2 directions, n_layers, n_heads]; `score_relations` judges them",
    cost=to_say("one forward pass a sentence; time n_layers · n_heads · n_tokens²"),
    compute=counts_of,
)
