"""English sentences that praise or complain, with their labels, made from a grammar; see docs/sentiment.md.

    from recipes.sentences.sentiment.reviews import labelled
    for made in itertools.islice(labelled(seed=0), 5): print(made.label, made.text)

    python -m recipes.sentences.sentiment.reviews --out runs/sentiment --texts 20000        # writes learned.csv and
    held-out.csv

A clause is a pattern with its words; a sentence is one clause, or two of which one decides. Everything follows from a
seed. A tenth of the clauses that decide is held out, whatever stands around them.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from recipes.sentences.classroom.passages import with_capitals
from recipes.sentences.sentiment import words
from recipes.sentences.sentiment.patterns import FAMILIES, SHAPES, Shape
from recipes.sentences.sentiment.slots import PEOPLE, go_together, judging_slots, possible_patterns, words_for
from recipes.sentences.sentiment.words import How, JudgedNoun

HELD_OUT = 0.1
"""The fraction of deciding clauses that are never trained on."""
LABELS = ("negative", "positive")
_GRADED: frozenset[How] = frozenset({"mild", "graded"})
_ABOUT = re.compile(r"\{(s|noun|a_\w+|better)\}")
"""The slots that name what is judged; a mood has none."""
_AN = re.compile(r"\b([Aa])(?= (?:[aeio]|un(?!i)|honest))")
_NOT = re.compile(r"\b(was|were|is|are|did|do|would|could) not\b(?! only)")
_TIMELESS = re.compile(r"\b(is|are|have|would|could|always|never|do)\b")
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingClause:
    """What one clause says: a pattern, what it is about, and the words in those of its slots that judge."""

    pattern: str
    noun: JudgedNoun
    words: tuple[tuple[str, str], ...]

    @property
    def key(self) -> str:
        """The clause as one text, without what changes nothing: tense, degree, determiner, and who says it."""
        about = self.noun.word if _ABOUT.search(self.pattern) else ""
        return "|".join((self.pattern, about, *(word for _, word in self.words)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SentimentContent:
    """What a sentence says: `deciding` gives it its label, `other`, if there is one, does not; `sign` is 1 or -1."""

    shape: Shape
    sign: int
    deciding: JudgingClause
    other: JudgingClause | None = None

    @property
    def label(self) -> str:
        """One of LABELS."""
        return LABELS[self.sign > 0]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledText:
    """A sentence, its label, and what it says."""

    text: str
    label: str
    content: SentimentContent


def labelled(seed: int, held_out: bool = False) -> Iterator[LabelledText]:
    """Labelled sentences without end, of the part that is held out, or of the other; a sentence may come again."""
    writer = SentimentGrammar(seed)
    while True:
        content = writer.content()
        if is_held_out(content) == held_out:
            yield LabelledText(text=writer.text(content), label=content.label, content=content)


def is_held_out(content: SentimentContent) -> bool:
    """Whether a content belongs to the part that is never trained on: its deciding clause alone says so.

    A pattern that says the same every time ("there was nothing to complain about") has to be learned, and never is.
    """
    if not content.deciding.words and not _ABOUT.search(content.deciding.pattern):
        return False
    digest = hashlib.blake2b(content.deciding.key.encode(), digest_size=8).digest()
    return int.from_bytes(digest) < HELD_OUT * 2**64


class SentimentGrammar:
    """Draws contents and says them, from one random stream that `seed` starts."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def one(self, items: Sequence[Entry]) -> Entry:
        return items[int(self.random.random() * len(items))]

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def weighted(self, items: Sequence[Entry], weights: Sequence[float]) -> Entry:
        shares = tuple(accumulate(weights))
        return items[bisect(shares, self.random.random() * shares[-1])]

    # -- what is said -------------------------------------------------------------------------------------------------

    def content(self) -> SentimentContent:
        """Praise or complaint, evenly; then in which shape, about what, and in which words."""
        sign = 1 if self.chance(0.5) else -1
        shape = self.weighted(SHAPES, [shape.weight for shape in SHAPES])
        nouns = self.one(tuple(words.TOPICS.values()))
        about = self.one(nouns)
        deciding = self.clause(about, sign, shape.of_deciding)
        beside = self.one([noun for noun in nouns if go_together(about, noun)])
        other = self.clause(beside, sign * shape.sign_of_other, shape.of_other) if shape.sign_of_other else None
        return SentimentContent(shape=shape, sign=sign, deciding=deciding, other=other)

    def clause(self, noun: JudgedNoun, sign: int, families: frozenset[str]) -> JudgingClause:
        """A clause about a noun that praises it or complains, of these families, or of any if there are none."""
        possible = possible_patterns(noun, sign, families)
        patterns = self.weighted(possible, [family.weight for family, _ in possible])[1]
        pattern = self.one(patterns)
        chosen: dict[str, str] = {}
        for slot in judging_slots(pattern):
            chosen[slot] = self.one([word for word in words_for(slot, noun) if word not in chosen.values()])
        return JudgingClause(pattern=pattern, noun=noun, words=tuple(chosen.items()))

    # -- how it is said -----------------------------------------------------------------------------------------------

    def text(self, content: SentimentContent) -> str:
        """The sentence, with what changes nothing drawn anew."""
        shape = self.one(content.shape.texts)
        is_past = content.shape.is_past or self.chance(0.75)
        said = {"b": self._clause_text(content.deciding, is_past=is_past)}
        if content.other is not None:
            said |= {"a": self._clause_text(content.other, is_past=is_past), "np": self._phrase(content.other)}
        text = shape.format_map(said)
        if shape == "{b}":
            text = self._framed(text)
        text = text.replace("cannot", "can't") if self.chance(0.5) else text
        text = _NOT.sub(r"\1n't", text) if self.chance(0.4) else text
        end = "!" if text.startswith("what ") or self.chance(0.05) else "."
        return _AN.sub(r"\1n", with_capitals(self._beside_others(text + end)))

    def _beside_others(self, text: str) -> str:
        """The sentence, now and then before or after one that says nothing good or bad."""
        if not self.chance(0.2):
            return text
        who = self.one([name for name in words.SOMEBODY if name not in words.PRONOUNS])
        neutral = f"{self.one(words.NEUTRAL).format(who=who)}."
        return f"{neutral} {text}" if self.chance(0.7) else f"{text} {neutral}"

    def _framed(self, text: str) -> str:
        """A clause with nothing, an opinion, a report or a time before it."""
        begins_with_noun = text.startswith(("the ", "this ", "these ", "our ", "my "))
        if text.startswith(("what ", "without ")) or self.chance(0.55):
            return text
        if not _TIMELESS.search(text) and self.chance(0.3):
            return f"{self.one(words.TIMES)}, {text}" if self.chance(0.7) else f"{text} {self.one(words.TIMES)}"
        if begins_with_noun and ", but" not in text and self.chance(0.5):
            return f"{self.one(words.REPORTS)} {text}"
        return f"{self.one(words.OPINIONS if begins_with_noun else words.ASIDES)}, {text}"

    def _clause_text(self, clause: JudgingClause, *, is_past: bool) -> str:
        noun, who = clause.noun, self.one(words.SOMEBODY)
        act = words.ACTS.get(noun.act)
        many = noun.number == "many"
        said = {slot: self._judged(slot, word, noun) for slot, word in clause.words}
        said |= {
            "s": self._subject(noun),
            "was": ("were" if is_past else "are") if many else ("was" if is_past else "is"),
            "it": "they" if many else "it",
            "it_was": self.one(_pointing(noun, is_past=is_past)),
            "noun": noun.word,
            "a_better": _with_article(noun, "better"),
            "a_worse": _with_article(noun, "worse"),
            "better": f"better {_plural(noun)}",
            "who": who,
            "felt": "were" if who in words.PLURAL else "was",
            "they": self.one(words.OTHERS),
            "liked": self.one(("liked", "enjoyed") if noun.kind in words.ENJOYED else ("liked",)),
            "like": self.one(("like", "enjoy") if noun.kind in words.ENJOYED else ("like",)),
            "love": self.one(("love", "like", "really like")),
            "hate": self.one(("hate", "dislike", "do not like", "cannot stand")),
            "expected": self.one(("I had expected", "we had expected", "everybody expected", "I thought")),
            "feared": self.one(("I had feared", "we had feared", "everybody feared")),
            "hoped": self.one(("I had hoped", "we had hoped", "everybody hoped")),
        }
        if act is not None:
            said |= {"do": act.do, "doing": act.doing, "done": act.done}
        return clause.pattern.format_map(said)

    def _subject(self, noun: JudgedNoun) -> str:
        if not noun.is_whole or (noun.kind != "person" and self.chance(0.6)):
            return f"the {noun.word}"
        if noun.kind in words.OURS and (noun.kind in PEOPLE or self.chance(0.6)):
            return f"{words.OURS[noun.kind]} {noun.word}"
        return f"{'these' if noun.number == 'many' else 'this'} {noun.word}"

    def _judged(self, slot: str, word: str, noun: JudgedNoun) -> str:
        """What stands in a slot that judges: the word, often with a degree, or with its noun."""
        name = slot.rstrip("0123456789")
        if name in {"good", "bad"}:
            return self._degree(word)
        if name in {"a_good", "a_bad"}:
            return _with_article(noun, self._degree(word))
        return word

    def _degree(self, word: str) -> str:
        how = next(adjective.how for adjective in words.ADJECTIVES if adjective.word == word)
        if how in _GRADED and self.chance(0.35):
            return f"{self.one(('very', 'very', 'really', 'extremely'))} {word}"
        if how == "strong" and self.chance(0.25):
            return f"{self.one(('absolutely', 'really', 'simply', 'truly'))} {word}"
        return word

    def _phrase(self, clause: JudgingClause) -> str:
        """What a clause judges, and how, as "the boring film"; an adjective of its own sign."""
        sign = 1 if any(clause.pattern in family.positive for family in FAMILIES) else -1
        word = self.one(
            [word.word for word in words.ADJECTIVES if word.sign == sign and clause.noun.kind in word.kinds]
        )
        return f"the {self._degree(word)} {clause.noun.word}"


def _pointing(noun: JudgedNoun, *, is_past: bool) -> tuple[str, ...]:
    """What stands before "a good film" or "good actors"; people are not "it"."""
    if noun.number == "many":
        return ("they were", "those were") if is_past else ("they are", "these are")
    if noun.kind in PEOPLE:
        return ("that was",) if is_past else ("this is",)
    return ("it was", "that was") if is_past else ("it is", "this is")


def _with_article(noun: JudgedNoun, said: str) -> str:
    """ "a good film", "good actors", "good music"."""
    return f"{'a ' if noun.number == 'one' else ''}{said} {noun.word}"


def _plural(noun: JudgedNoun) -> str:
    if noun.number != "one":
        return noun.word
    if noun.word.endswith("y") and noun.word[-2] not in "aeiou":
        return f"{noun.word[:-1]}ies"
    if noun.word == "series":
        return noun.word
    return f"{noun.word}{'es' if noun.word.endswith(('s', 'sh', 'ch', 'x')) else 's'}"


def main() -> None:
    """Write both parts as tables of text and label, to read or to train on elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for learned.csv and held-out.csv")
    parser.add_argument("--texts", type=int, default=20_000, help="sentences to learn from")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, held_out, count in (("learned", False, arguments.texts), ("held-out", True, arguments.texts // 20)):
        rows = dict.fromkeys((made.text, made.label) for made in islice(labelled(arguments.seed, held_out), count))
        with (arguments.out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("text", "label"), *rows])


if __name__ == "__main__":
    main()
