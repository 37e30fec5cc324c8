"""Pairs of words that mean something to a reader, by their parts of speech: a pronoun and a noun, a verb and an object.

The parts of speech are those that a tagger gives to the words of a text (de Marneffe et al. 2021, "Universal
Dependencies", table 1), or, without a tagger, those that the form of a Korean word tells. Without any nothing is known
of a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.analysis.heads.punctuation import is_punctuation
from models.analysis.one_text.usual import Mask
from models.values.answers import TokenLabels
from models.values.record import Array, Token, word_ranges
from models.values.results.finding import WordRelation
from models.values.text.english import ANAPHORS, NEGATED_VERB, NEGATIONS
from models.values.text.korean import is_korean_negation, korean_classes
from models.values.text.spelling import attach_spelling, text_of_word
from models.values.text.unknown import UNKNOWN_TOKENS

WORTH: dict[WordRelation, float] = {
    "unknown": 1,
    "repetition": 1.5,
    "pronoun": 3,
    "negation": 2,
    "verb": 2,
    "adjective": 2,
    "content": 1,
}
"""How many times a weight counts that stands out between two words; of several relations the first holds. A reader
understands a pronoun and its noun at once. Pairs without a relation, such as two function words, do not count."""
NEIGHBOUR = 0.5
"""How many times it counts between two words side by side, at which heads look by habit. If nothing is known of the
words, it does not count."""
RELATIONS = tuple(WORTH)
NO_RELATION = -1
_NOUNS = ("NOUN", "PROPN")
_BOUNDARIES = ("VERB", "CCONJ", "SCONJ")
_CONTENT = (*_NOUNS, "VERB", "ADJ", "ADV", "NUM")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedWords:
    """The words of a text: the token at which each begins, its spelling in lower case, and its part of speech, empty if
    that is not known. Special tokens are words, too, but no `candidates` for a finding; nor are punctuation marks and
    unknown words."""

    starts: list[int]
    texts: list[str]
    classes: list[str]
    candidates: Mask

    def are(self, *classes: str) -> Mask:
        """Return which words are of one of these parts of speech [n_words]."""
        return np.array([name in classes for name in self.classes], dtype=np.bool_)

    @property
    def are_anaphors(self) -> Mask:
        """Which words are pronouns that stand for a noun, "it" and "it's" [n_words]."""
        return np.array([text.replace("’", "'").split("'")[0] in ANAPHORS for text in self.texts], dtype=np.bool_)

    @property
    def are_negations(self) -> Mask:
        """Which words negate, "not" and "didn't" [n_words]."""
        return np.array([text in NEGATIONS or text.endswith(NEGATED_VERB) for text in self.texts], dtype=np.bool_)

    @property
    def are_korean_negations(self) -> Mask:
        """Which words negate a predicate, "안" and "않았다" [n_words]."""
        return np.array([is_korean_negation(text) for text in self.texts], dtype=np.bool_)


def read_words(tokens: Sequence[Token], labels: TokenLabels | None) -> TaggedWords:
    """Return the words of the tokens, with the parts of speech that a tagger gave in the same text, or those that
    Korean words show in their form."""
    ranges, parts_of_speech = word_ranges(tokens), _parts_of_speech(labels)
    pieces = attach_spelling([token.text for token in tokens])
    starts = [word.start for word in ranges]
    firsts = [tokens[start] for start in starts]
    is_known = [not token.is_special and token.text not in UNKNOWN_TOKENS for token in firsts]
    return TaggedWords(
        starts=starts,
        texts=[text_of_word(pieces[word.start : word.stop]).lower() for word in ranges],
        classes=(
            list(korean_classes(tokens))
            if labels is None
            else [parts_of_speech.get((token.segment, token.start), "") for token in firsts]
        ),
        candidates=np.array(is_known, dtype=np.bool_) & ~is_punctuation(tokens)[starts],
    )


def _parts_of_speech(labels: TokenLabels | None) -> dict[tuple[int, int | None], str]:
    """Return the part of speech of a word by its segment and first character."""
    if labels is None:
        return {}
    best = labels.probabilities.argmax(axis=1)
    return {
        (token.segment, token.start): labels.labels[label]
        for token, label in zip(labels.tokens, best, strict=True)
        if token.start is not None
    }


def relate_words(words: TaggedWords) -> NDArray[np.int8]:
    """Return the place in RELATIONS of the relation of a word to another one [n_words, n_words]; -1 if it has none."""
    nouns, verbs, content = words.are(*_NOUNS), words.are("VERB"), words.are(*_CONTENT)
    anaphors, is_unknown = words.are_anaphors, words.are("")
    same = np.array(words.texts)[:, None] == np.array(words.texts)
    masks: dict[WordRelation, Mask] = {
        "unknown": (is_unknown[:, None] | is_unknown) & ~same & ~_beside(len(nouns)),
        "repetition": same & content,
        "pronoun": anaphors[:, None] & nouns & np.tri(len(nouns), dtype=np.bool_),
        "negation": _either_way(words.are_negations, content) | _either_way(words.are_korean_negations, verbs),
        "verb": _either_way(verbs, nouns) & _in_one_clause(words),
        "adjective": _either_way(words.are("ADJ"), nouns),
        "content": (content[:, None] & content)
        | _either_way(words.are("AUX"), nouns)
        | _either_way(verbs, words.are("PRON")),
    }
    relations = np.select([masks[name] for name in RELATIONS], range(len(RELATIONS)), default=NO_RELATION)
    are_two = words.candidates[:, None] & words.candidates & ~np.eye(len(nouns), dtype=np.bool_)
    return np.where(are_two, relations, NO_RELATION).astype(np.int8)


def relate_texts(query: TaggedWords, key: TaggedWords) -> NDArray[np.int8]:
    """Return the same for the words of two texts [n_query_words, n_key_words]: nothing is known of words that are not
    spelled alike."""
    are_two = query.candidates[:, None] & key.candidates & (np.array(query.texts)[:, None] != np.array(key.texts))
    return np.where(are_two, RELATIONS.index("unknown"), NO_RELATION).astype(np.int8)


def worth_of(relations: NDArray[np.int8], *, are_one_text: bool) -> Array:
    """Return how many times a weight counts between two words [n_query_words, n_key_words]; 0 where it does not."""
    worth: Array = np.array([*WORTH.values(), 0], np.float32)[relations]  # NO_RELATION is the last
    if are_one_text:
        worth[_beside(len(worth))] *= np.float32(NEIGHBOUR)
    return worth


def _beside(n_words: int) -> Mask:
    """Return which words are side by side [n_words, n_words]."""
    places = np.arange(n_words)
    beside: Mask = np.abs(places[:, None] - places) == 1
    return beside


def _in_one_clause(words: TaggedWords) -> Mask:
    """Return between which words there is no verb and no conjunction [n_words, n_words]."""
    before = np.cumsum([0, *words.are(*_BOUNDARIES)])  # [n_words + 1], how many boundaries are before each
    places = np.arange(len(words.starts))
    first, last = np.minimum(places[:, None], places), np.maximum(places[:, None], places)
    alone: Mask = before[last] <= before[first + 1]
    return alone


def _either_way(some: Mask, others: Mask) -> Mask:
    """Return where one of some words looks at one of the others, or the other way round [n_words, n_words]."""
    mask: Mask = (some[:, None] & others) | (others[:, None] & some)
    return mask
