"""A null beside an effect: the same text and the same change, read on answers that are drawn by chance.

A logit difference is linear in the unembedding, so 200 random pairs of whole words are read from the same passes as the
answer and its rival: the null costs no pass of its own. An effect inside the middle 95 % of theirs cannot be told from
what the change does to any two words, and is said to be none. A classifier has few labels: beside them it gets 200
pairs that mean nothing, read along directions drawn at random, as long as the one between the answer and its rival
(`models.inspection.probing.random_labels`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.model import Model
from models.values.probing.contrast import OF_LABELS, AnswersUnder, Contrast
from models.values.record import Array
from models.values.results.null import NullOf, NullRange, null_range
from models.values.text.spelling import content_of, spelling_of

N_NULL = 200
FEWEST_WORDS = 50
"""With fewer whole words to draw from there is no null."""
ROUNDED = 64
"""The times that a logit may be rounded on its way, in batches of different sizes."""
BEGIN_WITH_SPACE = 0.02
"""From this share of the pieces on, a vocabulary spells the space before a word."""


def with_null(model: Model, text: str, text_b: str | None, contrast: Contrast, *, seed: int = 0) -> Contrast:
    """Return a contrast with random ones beside it: pairs of whole words, or single ones where it has no rival.

    Of a classifier they are labels that mean nothing. Judgements (of a next sentence, of a replaced token) have none:
    there the contrast stays as it is.
    """
    if contrast.of not in {"mask", "next", *OF_LABELS}:
        return contrast
    choices = model.answer_logits(text, text_b, of=contrast.of, position=contrast.position).choices
    if contrast.of in OF_LABELS:
        return replace(contrast, others=tuple(range(len(choices), len(choices) + len(contrast.own) * N_NULL)))
    return replace(contrast, others=draw_words(choices, contrast, seed=seed))


def null_of(under: AnswersUnder, shape: Sequence[int], *, unit: float = 1.0) -> NullRange | None:
    """Return what every change after the first, which is none, does to the random answers, in the `unit` of the
    effects; None without any. What the rounding of float32 alone may do to the answers lies inside."""
    differences = under.null_differences
    by_chance: Array = (differences[1:] - differences[0]) / np.float32(unit)  # [n_effects, n_null]
    rounding = ROUNDED * float(np.finfo(np.float32).eps) * float(np.abs(under.logits).max()) / abs(unit)
    null = null_range(by_chance.reshape(*shape, by_chance.shape[1]), drawn=kind_drawn(under.contrast))
    return None if null is None else null.widen(rounding)


def kind_drawn(contrast: Contrast) -> NullOf:
    """Return what the random answers beside a contrast are."""
    return "labels" if contrast.of in OF_LABELS else "words"


def draw_words(choices: Sequence[str], contrast: Contrast, *, n: int = N_NULL, seed: int = 0) -> tuple[int, ...]:
    """Return the numbers of random whole words, two for each of `n` pairs; empty where there are too few."""
    words = np.setdiff1d(whole_words(choices), contrast.own)
    if len(words) < FEWEST_WORDS:
        return ()
    generator, size = np.random.default_rng(seed), len(contrast.own)
    drawn = [generator.choice(words, size=size, replace=False) for _ in range(n)]
    return tuple(int(word) for pair in drawn for word in pair)


def whole_words(choices: Sequence[str]) -> list[int]:
    """Return the numbers of the pieces that spell a word from its beginning, of two letters or more."""
    spelled = [content_of(piece).decode(errors="replace") for piece in choices]
    with_space = sum(text.startswith(" ") for text in spelled) > BEGIN_WITH_SPACE * len(spelled)
    return [
        number
        for number, (piece, text) in enumerate(zip(choices, spelled, strict=True))
        if text.startswith(" ") == with_space
        and len(text.strip()) > 1
        and text.strip().isalpha()
        and not spelling_of(piece).shows_mark(piece)
    ]
