"""Every question that a model may be asked: one that has no head for it says so, and the adapters answer the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Lock

from transformers import PreTrainedTokenizerBase

from models.tasks.missing import (
    LABELS_OF_TEXTS,
    LABELS_OF_TOKENS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    NEXT_TOKENS,
    REPLACED_TOKENS,
    TRANSLATION,
    missing_head,
    why_it_does_not_write,
)
from models.tasks.predictions import vocabulary_of
from models.tasks.spelling import asked_word
from models.text.prepare import PreparedText
from models.values.answers import (
    AskedWord,
    JointFilling,
    LayerwisePrediction,
    MaskedText,
    ReplacedTokens,
    TextLabels,
    TokenLabels,
)
from models.values.errors import MissingHeadError
from models.values.record import MaskPrediction, ModelInfo
from models.values.writing import TokenGuesses, Writing


class Questions(ABC):
    """A model with its tokenizer, and no head that anybody has told of yet."""

    tokenizer: PreTrainedTokenizerBase
    info: ModelInfo
    vocabulary: tuple[str, ...]
    """The spelling of every piece [d_vocab]; empty without a head that says words."""
    _tokenizing: Lock
    """A tokenizer keeps state while it works."""

    @abstractmethod
    def _prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        """The text, or the pair, as the model reads it."""

    @abstractmethod
    def _why_missing(self, head: str) -> str:
        """Why there is no such head, as half a sentence."""

    def ask_word(self, word: str) -> AskedWord:
        """How the vocabulary spells a word. Raises TextError if there is no word."""
        return asked_word(word, self._prepare, self.tokenizer)

    def masked_words(self, text: str, text_b: str | None = None) -> MaskedText:
        """Raises MissingHeadError."""
        raise self._has_no(MASKED_WORDS, text, text_b)

    def fill_mask(self, text: str, top_k: int = 5, text_b: str | None = None) -> tuple[MaskPrediction, ...]:
        """Raises MissingHeadError."""
        raise self._has_no(MASKED_WORDS, text, top_k, text_b)

    def predict_by_layer(self, text: str, mask: int = 0, text_b: str | None = None) -> LayerwisePrediction:
        """Raises MissingHeadError."""
        raise self._has_no(MASKED_WORDS, text, mask, text_b)

    def fill_jointly(
        self, text: str, text_b: str | None = None, progress: Callable[[int, int], None] | None = None
    ) -> JointFilling:
        """Raises MissingHeadError."""
        raise self._has_no(MASKED_WORDS, text, text_b, progress)

    def next_sentence(self, text: str, text_b: str) -> float:
        """Raises MissingHeadError."""
        raise self._has_no(NEXT_SENTENCE, text, text_b)

    def find_replaced(self, text: str, text_b: str | None = None) -> ReplacedTokens:
        """Raises MissingHeadError."""
        raise self._has_no(REPLACED_TOKENS, text, text_b)

    def label_tokens(self, text: str, text_b: str | None = None) -> TokenLabels:
        """Raises MissingHeadError."""
        raise self._has_no(LABELS_OF_TOKENS, text, text_b)

    def label_text(self, text: str, text_b: str | None = None) -> TextLabels:
        """Raises MissingHeadError."""
        raise self._has_no(LABELS_OF_TEXTS, text, text_b)

    def translate(self, text: str, *, width: int = 1, length_penalty: float = 0.6) -> Writing:
        """Raises MissingHeadError."""
        raise self._has_no(TRANSLATION, text, width, length_penalty)

    def continue_text(
        self, text: str, *, n_new: int = 20, temperature: float = 1.0, top_k: int = 0, seed: int = 0
    ) -> Writing:
        """Raises MissingHeadError."""
        raise self._has_no(NEXT_TOKENS, text, n_new, temperature, top_k, seed)

    def guess_tokens(self, text: str) -> TokenGuesses:
        """Raises MissingHeadError."""
        raise self._has_no(MASKED_WORDS, text)

    def _own_vocabulary(self) -> tuple[str, ...]:
        says_words = self.info.can_fill_mask or self.info.can_translate or self.info.can_continue
        return vocabulary_of(self.tokenizer, self.info.d_vocab) if says_words else ()

    def _has_no(self, head: str, *_asked: object) -> MissingHeadError:
        """The error for a head that is not there, whatever was asked of it."""
        writes = head in {TRANSLATION, NEXT_TOKENS}
        why = why_it_does_not_write(self.info, head) if writes else self._why_missing(head)
        return missing_head(self.info, head, why)
