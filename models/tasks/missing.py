"""Why a model does not answer, as half a sentence."""

from __future__ import annotations

from models.model import NEXT_TOKENS, NO_WEIGHTS, TRANSLATION
from models.values.record import ModelInfo
from models.values.wording import Message, worded, worded_n


def gives_scores(n: int) -> Message:
    """Return the first words about a classifier that gives `n` scores without bounds."""
    return worded_n("gives one score for a text, without bounds", "gives {n} scores for a text, without bounds", n)


def why_it_does_not_write(info: ModelInfo, capability: str) -> str:
    """Why a model cannot translate, or not continue a text, as half a sentence."""
    if info.kinds == ("encoder",):
        return worded("it is an encoder, which reads text from both sides and writes none")
    if capability == TRANSLATION and "encoder" not in info.kinds:
        return worded("it has no encoder to read a source, and only continues what it is given")
    if capability == NEXT_TOKENS and "encoder" in info.kinds:
        return worded("its decoder writes for a source that its encoder has read, and does not continue a text")
    return NO_WEIGHTS
