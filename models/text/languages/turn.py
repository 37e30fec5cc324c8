"""A tokenizer that is set to languages while a thread reads with it."""

from __future__ import annotations

from threading import Lock
from typing import Any

from transformers import PreTrainedTokenizerBase

from models.text.languages.ids import language_ids
from models.values.text.languages import Languages


class TokenizerTurn:
    """A tokenizer for one thread at a time: it keeps state while it works, the languages that it is set to, too."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, lock: Lock, languages: Languages | None = None) -> None:
        self._tokenizer: Any = tokenizer
        self._lock = lock
        self._languages = languages if language_ids(tokenizer) else None

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._set_languages()
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, *_error: object) -> None:
        self._lock.release()

    def within(self, languages: Languages) -> TokenizerTurn:
        """Return turns of the same tokenizer in other languages."""
        return TokenizerTurn(self._tokenizer, self._lock, languages)

    def _set_languages(self) -> None:
        if self._languages is None:
            return
        if self._languages.target:
            self._tokenizer.tgt_lang = self._languages.target  # first: SeamlessM4T is then set to writing
        self._tokenizer.src_lang = self._languages.source
