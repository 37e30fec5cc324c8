"""Sentences as people type them."""

from __future__ import annotations

import numpy as np

CARELESS = 0.3
"""The fraction of sources that begin with a small letter, and the fraction that ends without its mark: readers type
like that. The targets stay as they should be."""
_FORMS = ("as it is", "small at first", "small", "Capitals First", "CAPITALS")
_SHARES = (0.66, 0.10, 0.16, 0.05, 0.03)
"""How often a source of everyday English is read in each form."""
_WITHOUT_MARK = 0.2


def careless(source: str, chance: np.random.Generator) -> str:
    """The source as readers type it: sometimes without its capital, sometimes without its full stop."""
    if chance.random() < CARELESS:
        source = _small_at_first(source)
    if chance.random() < CARELESS:
        source = source.rstrip(".?")
    return source


def in_any_case(source: str, chance: np.random.Generator) -> str:
    """The same for a model that spells words: in small letters, in capitals, or With A Capital Each, too.

    So "Two", "two" and "TWO" are read in the same sentences, and mean the same.
    """
    form = _FORMS[int(np.searchsorted(np.cumsum(_SHARES), chance.random(), side="right").clip(max=len(_FORMS) - 1))]
    if chance.random() < _WITHOUT_MARK:
        source = source.rstrip(".?!") or source
    if form == "small at first":
        return _small_at_first(source)
    if form == "Capitals First":
        return " ".join(word[0].upper() + word[1:] for word in source.split())
    return {"small": source.lower(), "CAPITALS": source.upper()}.get(form, source)


def forms_of(word: str) -> set[str]:
    """The forms in which `in_any_case` gives a word."""
    return {word, word.lower(), word[0].upper() + word[1:], word.upper()}


def _small_at_first(source: str) -> str:
    return source[0].lower() + source[1:]
