"""Parts of speech of Korean words by their form: nouns by their particles, predicates by their endings, negations.

A word (어절) whose form leaves its part of speech open has none.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.values.record import Token, word_ranges
from models.values.text.particles import particle_markings
from models.values.text.spelling import attach_spelling, content_of, readable

NOUN, PREDICATE, ADVERB = "NOUN", "VERB", "ADV"
HONORIFIC = "께서"
"""A particle of the subject, also before 는 and 도."""
KOREAN_NEGATIONS = frozenset({"안", "못"})
PRONOUNS = frozenset({"나는", "저는", "너는", "그는"})
"""Words of a pronoun and a particle that could be a verb, and hardly ever are (나는, "that flies")."""
NEGATED_STEMS = ("않", "못하", "못한", "못할", "못해", "못했")
"""The beginnings of a word that negates the one before it: 먹지 않았다, 가지 못했다."""
FINAL_ENDINGS = ("다", "요", "까", "죠", "네", "자", "라", "니", "군", "지", "걸")
"""The last syllables of a predicate at the end of a sentence."""
LINKING_ENDINGS = ("지만", "는데", "은데", "니까", "면서", "아서", "어서", "해서", "려고", "았고", "었고", "했고")
"""The endings of a predicate that links to the next clause."""
_SENTENCE_ENDS = frozenset(".?!")


def korean_classes(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the part of speech of each word of `word_ranges` where its Korean form tells it; "" elsewhere."""
    pieces = [readable(content_of(piece)).strip() for piece in attach_spelling([token.text for token in tokens])]
    markings, ranges = particle_markings(tokens), word_ranges(tokens)
    texts = ["".join(pieces[word.start : word.stop]) for word in ranges]
    classes = []
    for place, word in enumerate(ranges):
        is_honoured = HONORIFIC in texts[place][1:]
        is_noun = is_honoured or texts[place] in PRONOUNS or any(markings[word.start : word.stop])
        is_last = (
            place + 1 == len(ranges) or texts[place + 1] in _SENTENCE_ENDS or tokens[ranges[place + 1].start].is_special
        )
        classes.append(NOUN if is_noun else _class_of(texts[place], is_last))
    return tuple(classes)


def is_korean_negation(word: str) -> bool:
    """Return whether a word negates: 안, 못, and forms of 않다 and 못하다."""
    return word in KOREAN_NEGATIONS or word.startswith(NEGATED_STEMS)


def _class_of(word: str, is_last: bool) -> str:
    if word in KOREAN_NEGATIONS:
        return ADVERB
    is_final = is_last and len(word) > 1 and word.endswith(FINAL_ENDINGS) and "가" <= word[0] <= "힣"
    return PREDICATE if is_final or word.startswith(NEGATED_STEMS) or word.endswith(LINKING_ENDINGS) else ""
