"""Split words into a stem and what is attached to it, learned from the treebanks and from the text itself.

A word is a stem, a noun or a verb, and suffixes: p(word) = p(stem) p(suffix_1 | noun or verb) ... p(end | last suffix).
Suffixes are a closed list, counted first in the treebanks; stems are open. Expectation-maximisation over the words of
the text (Dempster et al. 1977) finds the stems: 영화 stands before forty suffixes, 영화는 before none. A word counts by
the logarithm of its frequency, so that a frequent one does not become a stem of its own for being frequent.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from recipes.korean.words.suffixes import TABLES, WHOLE_WORDS, fits, written_suffixes
from recipes.korean.words.treebanks import STEMS, PartKind, WordPart

NEXT: Mapping[PartKind, tuple[PartKind, ...]] = {
    "noun": ("particle", "plural", "noun ending"),
    "verb": ("verb ending", "auxiliary"),
    "plural": ("particle", "noun ending"),
    "particle": ("particle", "noun ending"),
    "noun ending": ("particle", "auxiliary"),
    "verb ending": ("particle", "auxiliary"),
    "auxiliary": ("verb ending", "particle", "noun ending"),
}
"""What can follow what."""
END = ("", "end")
"""What is counted where a word ends."""
WRITTEN_WEIGHT = 0.05
"""What a suffix of the tables counts as beside one that stands in a treebank."""
NEW_STEM = 0.5
"""The weight of stems that were never seen, as of a Dirichlet process."""
SYLLABLE = 1 / 300
"""The probability of one more syllable in a stem that was never seen."""
LEAST_STEM, LEAST_SHARE = 0.3, 0.01
"""Stems and parses below are forgotten."""
MOST_SUFFIXES, LONGEST_SUFFIX, LONGEST = 4, 6, 14
LIGHT_VERBS = frozenset("하해했한할함합되돼됐된될됨됩")
"""지루하다 is 지루 and 하다, as 공부하다 is 공부 and 하다: no verb of three syllables ends in one of these."""
Parse = tuple[WordPart, ...]
SuffixCounts = defaultdict[tuple[str, str], float]


class Splitter:
    """SuffixCounts of stems and of suffixes, and the parses that follow from them."""

    def __init__(self) -> None:
        self.stems: SuffixCounts = defaultdict(float)
        self.suffixes: dict[str, SuffixCounts] = {kind: defaultdict(float) for kind in NEXT}
        self.n_stems = NEW_STEM
        self.totals: dict[str, float] = {}

    def learn(self, treebank: Iterable[tuple[Parse, int]], words: Mapping[str, int], rounds: int) -> None:
        """Count the treebanks, then go over the words of the text `rounds` times."""
        for parts, count in treebank:
            self._count(parts, math.log2(1 + count))
        for kind, following in NEXT.items():
            seen = {key: n for key, n in self.suffixes[kind].items() if n > 1 or key == END}
            self.suffixes[kind] = defaultdict(float, seen)
            for suffix in (*(suffix for suffix in written_suffixes() if suffix[1] in following), END):
                self.suffixes[kind][suffix] += WRITTEN_WEIGHT
        first = self.stems.copy(), {kind: counts.copy() for kind, counts in self.suffixes.items()}
        self._add_up()
        for _ in range(rounds):
            expected = list(self._expect(words))
            self.stems, self.suffixes = first[0].copy(), {kind: counts.copy() for kind, counts in first[1].items()}
            for parts, weight in expected:
                self._count(parts, weight)
            self.stems = defaultdict(float, {stem: n for stem, n in self.stems.items() if n > LEAST_STEM})
            self._add_up()

    def split(self, word: str) -> Parse:
        """Return the likeliest parse of a word."""
        return max(self._shares(word), key=lambda parse: parse[1])[0]

    def _expect(self, words: Mapping[str, int]) -> Iterator[tuple[Parse, float]]:
        """Yield the parses of all words, with the weight of the word times their probability."""
        for word, count in words.items():
            for parts, share in self._shares(word):
                if share > LEAST_SHARE:
                    yield parts, math.log2(1 + count) * share

    def _count(self, parts: Parse, weight: float) -> None:
        self.stems[parts[0].text, parts[0].kind] += weight
        for part, following in pairwise(parts):
            self.suffixes[part.kind][following.text, following.kind] += weight
        self.suffixes[parts[-1].kind][END] += weight

    def _add_up(self) -> None:
        self.n_stems = sum(self.stems.values()) + NEW_STEM
        self.totals = {kind: sum(counts.values()) for kind, counts in self.suffixes.items()}

    def _shares(self, word: str) -> list[tuple[Parse, float]]:
        """Return the parses of a word with their probabilities; a word that has none is a noun."""
        parses = [] if len(word) > LONGEST or word in WHOLE_WORDS else list(self._parses(word))
        if not parses:
            return [((WordPart(word, "noun"),), 1.0)]
        highest = max(score for _, score in parses)
        weights = [math.exp(score - highest) for _, score in parses]
        total = sum(weights)
        return [(parts, weight / total) for (parts, _), weight in zip(parses, weights, strict=True)]

    def _parses(self, word: str) -> Iterator[tuple[Parse, float]]:
        for length in range(1, len(word) + 1):
            stem = word[:length]
            if length > 2 and stem.endswith(TABLES["no_stem_ends_in"]):
                continue
            new = NEW_STEM * SYLLABLE**length / len(STEMS)
            for kind in STEMS:
                if kind == "verb" and length > 2 and stem[-1] in LIGHT_VERBS:
                    continue
                score = math.log((self.stems.get((stem, kind), 0.0) + new) / self.n_stems)
                for rest, more in self._rests(word, length, kind, MOST_SUFFIXES):
                    yield (WordPart(stem, kind), *rest), score + more

    def _rests(self, word: str, begin: int, after: PartKind, left: int) -> Iterator[tuple[Parse, float]]:
        """Yield the suffixes that a word can be made of from `begin` on, at most `left`, with log-probabilities."""
        counts, total = self.suffixes[after], self.totals[after]
        if begin == len(word):
            yield (), math.log(counts[END] / total)
        if not left:
            return
        for end in range(begin + 1, min(len(word), begin + LONGEST_SUFFIX) + 1):
            text = word[begin:end]
            for kind in NEXT[after]:
                count = counts.get((text, kind))
                if count and fits(text, kind, word[begin - 1]):
                    score = math.log(count / total)
                    for rest, more in self._rests(word, end, kind, left - 1):
                        yield (WordPart(text, kind), *rest), score + more
