"""Draw short pairs from the passages: half follow; the others come from elsewhere, a third with a word of A."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from recipes.evaluation.short_pairs.asked import content_stems, is_near_copy
from recipes.sentences.follow_up.passages import (
    FollowUp,
    Hero,
    draw_hero,
    read_passages,
    read_statements,
    told_of,
    transitions,
)

SHARING_OF_NEXT, SHARING = 0.32, 0.35
"""Of the pairs that follow, and of those that do not, those that share a content word: it is not to decide."""
FROM_PASSAGE = 0.4
"""Of the pairs that do not follow and share no word, those whose B is of a passage."""
NEAR_BY, NEIGHBOURS = 0.1, 40
"""How often another passage is one of those written beside it, of the same kind: another answer to a question."""
DOUBLE = 0.3
"""How often B has two sentences, where there are two."""
SHARING_PASSAGE = 0.3
"""How often a step of another passage is taken that shares a word, where it is drawn: it may follow after all."""
_TRIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagePair:
    """Two short texts, and whether B follows A."""

    first: str
    second: str
    follows: bool


class PassagePairs:
    """The passages, with `others`, sentences that follow nothing, and where each content word stands."""

    def __init__(self, others: Iterable[str] = (), passages: Sequence[FollowUp] | None = None) -> None:
        self.passages = list(read_passages() if passages is None else passages)
        self.others = [*read_statements(), *others]
        self.n_statements = len(read_statements())
        self._with: dict[str, list[tuple[int, int]]] = {}
        for number, passage in enumerate(self.passages):
            for at, step in enumerate(passage.steps[1:], start=1):
                self._enter(step, (number, at))
        for number, sentence in enumerate(self.others):
            self._enter(sentence, (-1, number))

    def _enter(self, sentence: str, place: tuple[int, int]) -> None:
        for stem in content_stems(sentence):
            self._with.setdefault(stem, []).append(place)

    def draw(self, random: np.random.Generator) -> PassagePair:
        """Draw a pair, never one that comes near the 200 that are asked."""
        while True:
            pair = self._draw(random)
            if not is_near_copy(pair.first, pair.second):
                return pair

    def _draw(self, random: np.random.Generator) -> PassagePair:
        follows = random.random() < 0.5
        shares = random.random() < (SHARING_OF_NEXT if follows else SHARING)
        while True:
            number = int(random.integers(len(self.passages)))
            passage, hero = self.passages[number], draw_hero(self.passages[number], random)
            cuts = list(transitions(passage))
            before, after = cuts[int(random.integers(len(cuts)))]
            after = after if random.random() < DOUBLE else after[:1]
            hero = hero if passage.has_hero else draw_hero(FollowUp(steps=("He",)), random)
            first = told_of(hero, before, random, is_first=True) if passage.has_hero else " ".join(before)
            if not follows:
                return PassagePair(first=first, second=self._other(random, number, first, hero, shares), follows=False)
            second = told_of(hero, after, random, is_first=False) if passage.has_hero else " ".join(after)
            if bool(content_stems(first) & content_stems(second)) is shares:
                return PassagePair(first=first, second=second, follows=True)

    def _other(self, random: np.random.Generator, number: int, first: str, hero: Hero, shares: bool) -> str:
        """Draw a B that does not follow, with a content word of A if one `shares` it and it stands elsewhere, too."""
        place = self._sharing(random, number, first) if shares else None
        if place is None:
            place = self._anywhere(random, number)
        of, at = place
        if of < 0:
            return self.others[at]
        passage = self.passages[of]
        after = passage.steps[at : at + 2] if random.random() < DOUBLE else passage.steps[at : at + 1]
        return told_of(hero, after, random, is_first=False) if passage.has_hero else " ".join(after)

    def _sharing(self, random: np.random.Generator, number: int, first: str) -> tuple[int, int] | None:
        """Find a place, not of the same passage, with a content word of A."""
        stems = sorted(stem for stem in content_stems(first) if stem in self._with)
        for _ in range(_TRIES if stems else 0):
            places = self._with[stems[int(random.integers(len(stems)))]]
            of, at = places[int(random.integers(len(places)))]
            if of < 0 or (of != number and random.random() < SHARING_PASSAGE):
                return of, at
        return None

    def _anywhere(self, random: np.random.Generator, number: int) -> tuple[int, int]:
        while random.random() < FROM_PASSAGE:
            of = int(random.integers(len(self.passages)))
            if random.random() < NEAR_BY:
                of = min(max(0, number + int(random.integers(-NEIGHBOURS, NEIGHBOURS + 1))), len(self.passages) - 1)
            if of != number:
                return of, int(random.integers(1, len(self.passages[of].steps)))
        end = self.n_statements if random.random() < 0.3 else len(self.others)
        return -1, int(random.integers(end))
