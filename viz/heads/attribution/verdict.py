"""The verdict of the methods, in a sentence: the word that it hangs on, and whether a method can be believed.

Plain text with a reader's words in it: NOT escaped.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.values.results.attribution import Attribution, Word, words_of
from viz.heads.attribution.explained import word_texts
from viz.kit.labels import answer_text
from viz.kit.language import said, tr

AGAINST = 0.5
"""The share of a method's largest score from which a word counts as one of its main words."""


def main_word(attribution: Attribution) -> Word:
    """Return the word that speaks most for the answer, as the numbers of its tokens."""
    words = words_of(attribution.tokens, attribution.places, attribution.contrast)
    return words[int(np.argmax(attribution.of_words(words)))]


def verdict(attributions: Sequence[Attribution], believed: str) -> str:
    """Return the verdict; `believed` is the name of the method to believe, empty if there is none."""
    answer = answer_text(attributions[0].contrast.answer_text, attributions[0].contrast.of)
    best = next((attribution for attribution in attributions if attribution.method == believed), None)
    if best is None:
        return tr("For “{answer}” believe no method: none is clearly better than chance.", answer=answer)
    return tr("“{answer}” depends most on “{word}”.", answer=answer, word=word_texts(best, [main_word(best)])[0])


def contradiction(attributions: Sequence[Attribution]) -> str:
    """Return a sentence on a word that speaks against the answer in one method and for it in most; empty if there is
    none."""
    first = attributions[0]
    words = words_of(first.tokens, first.places, first.contrast)
    scores = np.stack([attribution.of_words(words) for attribution in attributions])  # [n_methods, n_words]
    shares = scores / np.maximum(np.abs(scores).max(axis=1, keepdims=True), 1e-12)
    is_against, is_for = shares <= -AGAINST, shares >= AGAINST
    disputed = is_against.any(axis=0) & (2 * is_for.sum(axis=0) > len(attributions))
    if not disputed.any():
        return ""
    word = int(np.argmax(disputed))
    against = attributions[int(np.argmax(is_against[:, word]))]
    return tr(
        "The methods contradict each other about “{word}”: most say that it speaks for “{answer}”, “{method}” that it "
        "speaks against it. They ask different questions: what happens without a word is not what a word adds.",
        word=word_texts(first, words)[word],
        answer=answer_text(first.contrast.answer_text, first.contrast.of),
        method=said(against.title),
    )
