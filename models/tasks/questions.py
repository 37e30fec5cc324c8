"""A model with a tokenizer that may be asked everything: what its class does not answer, it says why it cannot."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractContextManager

from transformers import PreTrainedTokenizerBase

from models.model import NEXT_TOKENS, TRANSLATION, Model, missing
from models.tasks.missing import why_it_does_not_write
from models.tasks.spelling import asked_word
from models.text.prepare import PreparedText
from models.text.vocabulary import vocabulary_of
from models.values.answers import AskedWord
from models.values.errors import MissingCapabilityError, TextError
from models.values.record import ModelInfo
from models.values.text.spelling import Vocabulary
from models.values.wording import worded


class Questions(Model):
    """A model with its tokenizer, and no capability that anybody has told of yet."""

    tokenizer: PreTrainedTokenizerBase
    info: ModelInfo
    vocabulary: Vocabulary
    """The spelling of every piece [d_vocab]; empty for a model that says no words."""
    _tokenizing: AbstractContextManager[object]
    """A tokenizer keeps state while it works."""

    @abstractmethod
    def _prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        """The text, or the pair, as the model reads it."""

    @abstractmethod
    def _why_not(self, capability: str) -> str:
        """Why it does not have a capability, as half a sentence."""

    def ask_word(self, word: str) -> AskedWord:
        """How the vocabulary spells a word. Raises TextError if there is no word."""
        return asked_word(word, self._prepare, self.tokenizer)

    def _prepare_follow_up(self, text: str, text_b: str) -> PreparedText:
        """A text and the one that may follow it. Raises TextError where there is no second one."""
        if not text_b.strip():
            raise TextError(worded("There is no second sentence. Type one that may follow the first."))
        return self._prepare(text, text_b)

    def _own_vocabulary(self) -> Vocabulary:
        says_words = self.info.can_fill_mask or self.info.can_translate or self.info.can_continue
        return vocabulary_of(self.tokenizer, self.info.d_vocab if says_words else 0)

    def lacks(self, capability: str) -> MissingCapabilityError:
        """The error for a capability that is not there."""
        writes = capability in {TRANSLATION, NEXT_TOKENS}
        why = why_it_does_not_write(self.info, capability) if writes else self._why_not(capability)
        return missing(self.info, capability, why, lacks=self._instead(capability))

    def _instead(self, capability: str) -> str:
        """What is said of the model first where that it lacks the capability would not be true of it; else empty."""
        del capability
        return ""
