"""The tokens of languages: those that a tokenizer can be set to add to a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from transformers import PreTrainedTokenizerBase

from models.values.text.languages import bare

_CODE = re.compile(r"_*[A-Za-z]{2,}([_-]\w+)*_*")
"""A special token that is a language, as "fra_Latn", "__fr__", "fr_XX"."""
_known: WeakKeyDictionary[PreTrainedTokenizerBase, dict[str, int]] = WeakKeyDictionary()


def language_ids(tokenizer: PreTrainedTokenizerBase) -> dict[str, int]:
    """Return the tokens of the languages that a tokenizer can be set to, by their codes without signs around them."""
    if tokenizer not in _known:
        _known[tokenizer] = _look_up_ids(tokenizer)
    return _known[tokenizer]


def _look_up_ids(tokenizer: PreTrainedTokenizerBase) -> dict[str, int]:
    if not isinstance(getattr(type(tokenizer), "src_lang", None), property):
        return {}
    known: Mapping[str, str] = getattr(tokenizer, "lang_code_to_token", {})
    named = {str(getattr(tokenizer, name)) for name in ("bos_token", "eos_token", "unk_token", "pad_token")}
    tokens = known.values() or (token for token in tokenizer.all_special_tokens if _CODE.fullmatch(token))
    vocabulary: Any = tokenizer
    ids: dict[str, int] = {
        bare(token): vocabulary.convert_tokens_to_ids(token) for token in tokens if token not in named
    }
    return {code: token_id for code, token_id in ids.items() if token_id != tokenizer.unk_token_id}


def tokens_of_languages(tokenizer: PreTrainedTokenizerBase) -> dict[int, str]:
    """Return the pieces of the languages by their ids; some tokenizers do not count them to their vocabulary."""
    ids = language_ids(tokenizer).values()
    return {token_id: str(tokenizer.convert_ids_to_tokens(token_id)) for token_id in ids}


def special_ids(tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Return the ids of the special tokens, those of languages among them."""
    return frozenset(tokenizer.all_special_ids) | frozenset(language_ids(tokenizer).values())
