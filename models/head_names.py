"""The heads that a model can be asked by, in plain words, and the error that says why one of them does not answer."""

from __future__ import annotations

from models.errors import MissingHeadError
from models.record import ModelInfo

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
