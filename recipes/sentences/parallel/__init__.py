"""Sentences in English with their translation into Spanish or Korean, made from a grammar; see docs/parallel.md.

    from recipes.sentences.parallel import pairs
    for pair in itertools.islice(pairs("es", seed=0), 5): print(pair.source, pair.target)

Everything follows from a seed. A tenth of the contents is held out: no sentence of that part, in any of the three
languages, is among the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from recipes.sentences.parallel.content import Content, Existence, Pronoun, Tense
from recipes.sentences.parallel.draw import Drawer
from recipes.sentences.parallel.english import english
from recipes.sentences.parallel.korean import korean
from recipes.sentences.parallel.spanish import spanish

HELD_OUT = 0.1
"""The fraction of contents that are never trained on."""
Language = Literal["es", "ko"]
REALISERS = {"es": spanish, "ko": korean}


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePair:
    """A sentence in English, its translation, and what both say."""

    source: str
    target: str
    content: Content


def pairs(language: Language, seed: int, held_out: bool = False) -> Iterator[SentencePair]:
    """Pairs without end, of the part that is held out, or of the other; a pair may come again."""
    drawer = Drawer(seed)
    realise = REALISERS[language]
    while True:
        content = drawer.content()
        if is_held_out(content) == held_out:
            yield SentencePair(source=english(content), target=realise(content), content=content)


def is_held_out(content: Content) -> bool:
    """Whether a content belongs to the part that is never trained on.

    Contents that share a sentence in any language belong together. Korean tells neither "a" from "the" nor one book
    from several; Spanish leaves out pronouns, says "era" of me and of her, and "enseñamos" of now and of the past. So
    the Korean text decides, of the same content in the present, with "he" for "I" and "she".
    """
    digest = hashlib.blake2b(korean(_plain(content)).encode(), digest_size=8).digest()
    return int.from_bytes(digest) < HELD_OUT * 2**64


def _plain(content: Content) -> Content:
    """The content in the present instead of the past, with "he" for "I" and "she"."""
    if content.tense is Tense.PAST:
        content = replace(content, tense=Tense.PRESENT)
    if not isinstance(content, Existence) and (content.subject is Pronoun.ME or content.subject is Pronoun.SHE):
        content = replace(content, subject=Pronoun.HE)
    return content
