"""Closed classes of English words, and a cheap test of whether a text is English."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from models.values.record import Token, word_ranges
from models.values.text.spelling import attach_spelling, content_of, readable


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ANAPHORS = _word_set(
    "he him his himself she her hers herself it its itself they them their theirs themselves who whom whose"
)
"""Pronouns of the third person and relative ones: they stand for a noun that was mostly said before."""
NEGATIONS = _word_set("not no never nobody nothing none nowhere neither nor without cannot")
NEGATED_VERB = ("n't", "n’t")
"""The endings of a verb that is negated."""
FUNCTION_WORDS = _word_set(
    "about after again and any are because before being but can could did does down every for from has have her him "
    "his how if into it its just kinda might must my not now old only other our out please she should than that the "
    "their them then there these they this those too up very were what when where which who whose why with would "
    "you your"
)
"""Frequent English words that other languages in Latin letters hardly have: "in", "no" and "was" are not among them."""
FEWEST_WORDS = 3
"""The fewest words of a text that is judged: two names are no language."""
MOST_FUNCTION_WORDS = 0.05
LEAST_CUT = 0.25
MOST_LETTERS = 3.0
"""A text is not English if at most this share of its words are FUNCTION_WORDS, at least this share is cut into pieces,
and a piece has fewer letters than this on average."""


def is_english(tokens: Sequence[Token]) -> bool:
    """Return whether a text seems to be English, by the pieces of a large English vocabulary such as BERT's.

    Typing errors and foreign names pass; a text of one or two words always does.
    """
    words = [word for word in _split_words(tokens) if any(map(str.isalpha, "".join(word)))]
    texts = ["".join(word) for word in words]
    cuts = [sum(before[-1:].isalnum() and after[:1].isalnum() for before, after in pairwise(word)) for word in words]
    return (
        len(words) < FEWEST_WORDS
        or sum(text.lower() in FUNCTION_WORDS for text in texts) > MOST_FUNCTION_WORDS * len(words)
        or sum(map(bool, cuts)) < LEAST_CUT * len(words)
        or sum(map(len, texts)) >= MOST_LETTERS * (len(words) + sum(cuts))
    )


def _split_words(tokens: Sequence[Token]) -> list[list[str]]:
    """Return the texts of the pieces of every word."""
    pieces = [readable(content_of(piece)) for piece in attach_spelling([token.text for token in tokens])]
    return [pieces[word.start : word.stop] for word in word_ranges(tokens) if tokens[word.start].word is not None]
