"""The heads that a model can be asked by, in plain words, and the error that says why one of them does not answer."""

from __future__ import annotations

from models.values.errors import MissingHeadError
from models.values.record import ModelInfo

MASKED_WORDS = "masked words"
NEXT_SENTENCE = "next sentence"
REPLACED_TOKENS = "replaced tokens"
LABELS_OF_TOKENS = "labels of tokens"
LABELS_OF_TEXTS = "labels of texts"
TRANSLATION = "translation"
NEXT_TOKENS = "next tokens"

ADVICE = {
    MASKED_WORDS: "Choose a model that has one, such as mini-bert.",
    NEXT_SENTENCE: "Choose a model that has one, such as mini-bert.",
    REPLACED_TOKENS: "Choose an ELECTRA discriminator, such as google/electra-base-discriminator.",
    LABELS_OF_TOKENS: "Choose a model whose configuration says ForTokenClassification.",
    LABELS_OF_TEXTS: "Choose a model whose configuration says ForSequenceClassification.",
    TRANSLATION: "Choose a model with an encoder and a decoder, such as translator-es.",
    NEXT_TOKENS: "Choose a model that reads from left to right, such as mini-gpt.",
}
UNTRAINED = (
    "its configuration names one, but the head is untrained: its weights are not in the checkpoint, so what it said "
    "would be random"
)


def missing_head(info: ModelInfo, head: str, why: str) -> MissingHeadError:
    """The error for a head, one of the names above, that `info` does not have; `why` is half a sentence."""
    reason = UNTRAINED if head in info.untrained_heads else why
    return MissingHeadError(info.name, f"{info.name} has no head for {head}: {reason}. {ADVICE[head]}")


def why_it_does_not_write(info: ModelInfo, head: str) -> str:
    """Why a model cannot translate, or not continue a text, as half a sentence."""
    if info.kinds == ("encoder",):
        return "it is an encoder, which reads a text from both sides and writes none"
    if head == TRANSLATION and "encoder" not in info.kinds:
        return "it has no encoder to read a source, and only continues what it is given"
    if head == NEXT_TOKENS and "encoder" in info.kinds:
        return "its decoder writes for a source that its encoder has read, and continues no text"
    return "its checkpoint has no weights for one"
