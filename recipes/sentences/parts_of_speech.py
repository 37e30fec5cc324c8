"""Sentences whose words have their part of speech, with many words that are now a noun and now a verb: "I watch the
play", "They play with a watch". What a word is, only its neighbours tell. The labels are the universal ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

TaggedWord = tuple[str, str]
Tagged = list[TaggedWord]


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


NOUN_OR_VERB = _listed(
    "answer book call cook dance drink fish help jump cover paint plan plant play promise rain record ride show sleep "
    "smile talk travel visit walk water work"
)
"""Their plural is their third person, too."""
VERBS = _listed("see like want know find buy bring carry close open read write hear meet remember understand keep lose")
NOUNS = _listed("dog house teacher letter river city child friend garden table window doctor song story horse bridge")
PLACES = _listed("park kitchen market school forest station museum office street village")
ADJECTIVES = _listed("old small happy green quiet heavy young strange cold bright empty careful")
ADVERBS = _listed("often never always slowly sometimes quickly now here")
NAMES = _listed("Anna Omar Mina Lucas Sofia Peter Yuna Leila Paris Korea")
SINGULAR, PLURAL = ("he", "she", "it"), ("I", "you", "we", "they")
ONE, MANY = ("the", "this", "that", "every"), ("the", "these", "those", "some", "many")
NUMBERS = _listed("two three four seven ten twenty")
BEFORE, JOINING, BECAUSE = _listed("in near behind with for from"), ("and", "but", "or"), ("because", "if", "when")
ABLE, CALLS = ("can", "will", "must", "should"), ("oh", "yes", "no", "well")
IRREGULAR = {"child": "children"}


def tagged_sentences(seed: int) -> Iterator[Tagged]:
    """Sentences without end, always the same ones for a seed."""
    random = np.random.default_rng(seed)
    while True:
        yield _Drawn(random).sentence()


def plural(word: str) -> str:
    """dogs, cities, watches; of a verb it is the third person."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith(("sh", "ch", "s", "x")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeiou" else f"{word}s"


class _Drawn:
    """One sentence, drawn part by part."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random

    def sentence(self) -> Tagged:
        kinds = (self._told, self._joined, self._reason, self._asked, self._called)
        words = kinds[int(self.random.choice(len(kinds), p=(0.45, 0.15, 0.15, 0.15, 0.1)))]()
        first, label = words[0]
        return [(first[0].upper() + first[1:], label), *words[1:]]

    def _told(self) -> Tagged:
        return [*self._clause(), (".", "PUNCT")]

    def _joined(self) -> Tagged:
        return [*self._clause(), (",", "PUNCT"), (self._of(JOINING), "CCONJ"), *self._clause(), (".", "PUNCT")]

    def _reason(self) -> Tagged:
        return [*self._clause(), (self._of(BECAUSE), "SCONJ"), *self._clause(), (".", "PUNCT")]

    def _asked(self) -> Tagged:
        is_one = self._by_chance(0.5)
        helper = self._of(ABLE) if self._by_chance(0.5) else "does" if is_one else "do"
        return [(helper, "AUX"), *self._subject(is_one=is_one), *self._rest(self._verb()), ("?", "PUNCT")]

    def _called(self) -> Tagged:
        return [(self._of(CALLS), "INTJ"), (",", "PUNCT"), *self._clause(), ("!", "PUNCT")]

    def _clause(self) -> Tagged:
        """Who does what to whom, and where."""
        is_one, verb = self._by_chance(0.5), self._verb()
        subject = self._subject(is_one=is_one)
        if self._by_chance(0.2):
            return [*subject, ("is" if is_one else "am" if subject[0][0] == "I" else "are", "AUX"), *self._described()]
        if self._by_chance(0.25):
            return [*subject, (self._of(ABLE), "AUX"), *self._not(), *self._rest(verb)]
        if self._by_chance(0.25):
            return [*subject, ("does" if is_one else "do", "AUX"), ("not", "PART"), *self._rest(verb)]
        if self._by_chance(0.2):
            return [*subject, ("wants" if is_one else "want", "VERB"), ("to", "PART"), *self._rest(verb)]
        often: Tagged = [(self._of(ADVERBS[:4]), "ADV")] if self._by_chance(0.25) else []
        return [*subject, *often, *self._rest(plural(verb) if is_one else verb)]

    def _described(self) -> Tagged:
        return [*self._not(), (self._of(ADJECTIVES), "ADJ")]

    def _not(self) -> Tagged:
        return [("not", "PART")] if self._by_chance(0.2) else []

    def _rest(self, verb: str) -> Tagged:
        """The verb, and what follows it."""
        words: Tagged = [(verb, "VERB")]
        if self._by_chance(0.65):
            words += self._thing(is_one=self._by_chance(0.6))
        if self._by_chance(0.4):
            words += self._place()
        return [*words, (self._of(ADVERBS[4:]), "ADV")] if self._by_chance(0.15) else words

    def _subject(self, *, is_one: bool) -> Tagged:
        if self._by_chance(0.35):
            return [(self._of(SINGULAR if is_one else PLURAL), "PRON")]
        if is_one and self._by_chance(0.3):
            return [(self._of(NAMES), "PROPN")]
        return self._thing(is_one=is_one)

    def _thing(self, *, is_one: bool) -> Tagged:
        noun = self._of(NOUN_OR_VERB if self._by_chance(0.7) else NOUNS)
        before: Tagged = [(self._of(ONE if is_one else MANY), "DET")]
        if not is_one and self._by_chance(0.25):
            before = [(self._of(NUMBERS), "NUM")]
        if self._by_chance(0.3):
            before.append((self._of(ADJECTIVES), "ADJ"))
        return [*before, (noun if is_one else plural(noun), "NOUN")]

    def _place(self) -> Tagged:
        where = self._of(PLACES if self._by_chance(0.7) else NOUNS)
        return [(self._of(BEFORE), "ADP"), ("the", "DET"), (where, "NOUN")]

    def _verb(self) -> str:
        return self._of(NOUN_OR_VERB if self._by_chance(0.8) else VERBS)

    def _of(self, words: Sequence[str]) -> str:
        return words[int(self.random.integers(len(words)))]

    def _by_chance(self, share: float) -> bool:
        return bool(self.random.random() < share)
