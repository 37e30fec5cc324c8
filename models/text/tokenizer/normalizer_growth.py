"""How much longer the normalizer of a tokenizer can make a text, read from its settings before it is used.

A normalizer is a stranger's program: ten replacements of "q" by ten of them make 10^10 letters of one. What it can make
at most is the product of what its parts can. https://huggingface.co/docs/tokenizers/api/normalizers
"""

from __future__ import annotations

import json
from typing import Any
from weakref import WeakKeyDictionary

from transformers import PreTrainedTokenizerBase

MOST_NORMALIZED = 1_000_000
"""Characters that a text may have after the normalizer."""
_FORMS = {
    "BertNormalizer": 9,  # accents apart (3), and spaces around each (3)
    "ByteLevel": 4,
    "NFC": 3,
    "NFD": 4,
    "NFKC": 18,
    "NFKD": 18,
    "Precompiled": 18,
}
"""The most characters that a part makes of one: UTF-8 has 4 bytes, and U+FDFA is 18 letters in Unicode's forms KC and
KD (unicode.org/faq/normalization.html); a form that is not here keeps the length."""
_known: WeakKeyDictionary[PreTrainedTokenizerBase, int] = WeakKeyDictionary()
_with_expression: WeakKeyDictionary[PreTrainedTokenizerBase, bool] = WeakKeyDictionary()


def most_characters(tokenizer: PreTrainedTokenizerBase) -> int:
    """How many characters a text may have, so that it has not more than MOST_NORMALIZED after the normalizer."""
    if tokenizer not in _known:
        _known[tokenizer] = MOST_NORMALIZED // _growth(_settings(tokenizer))
    return _known[tokenizer]


def may_never_end(tokenizer: PreTrainedTokenizerBase) -> bool:
    """Whether normalizer or pre-tokenizer look for a regular expression, which a text can make try for ever."""
    if tokenizer not in _with_expression:
        _with_expression[tokenizer] = any(
            '"Regex"' in state_of(tokenizer, part) for part in ("normalizer", "pre_tokenizer")
        )
    return _with_expression[tokenizer]


def _settings(tokenizer: PreTrainedTokenizerBase) -> Any:
    return json.loads(state_of(tokenizer, "normalizer") or "null")


def state_of(tokenizer: PreTrainedTokenizerBase, part: str) -> str:
    """Return the settings of a part of a tokenizer as JSON; nothing where it has no such part."""
    backend_part = getattr(getattr(tokenizer, "backend_tokenizer", None), part, None)
    return "" if backend_part is None else bytes(backend_part.__getstate__()).decode()


def _growth(settings: Any) -> int:
    """The most characters that are made of one."""
    if not settings:
        return 1
    if settings["type"] == "Sequence":
        growth = 1
        for part in settings["normalizers"]:
            growth = min(growth * _growth(part), MOST_NORMALIZED + 1)
        return growth
    if settings["type"] == "Replace":
        return _growth_of_replace(settings["pattern"], len(settings["content"]))
    if settings["type"] == "Prepend":
        return 1 + len(settings["prepend"])
    return _FORMS.get(settings["type"], 1)


def _growth_of_replace(pattern: dict[str, str], n_content: int) -> int:
    """A text is found at most once in its own length; an expression may be found between all characters."""
    if "String" in pattern:
        return max(1, -(-n_content // max(1, len(pattern["String"]))))
    return 1 + n_content
