"""Predicates for the settings of an untrusted tokenizer, one for each kind of value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]
Settings = dict[str, Check]

LONGEST_MARK, LONGEST_TOKEN, MOST_ENTRIES, MOST_PARTS, MOST_TOKENS_ADDED = 8, 200, 16, 32, 10_000
MOST_GROWTH = 9
"""How many times as long the replacements of a tokenizer may make a text: "..." for "…" and ".." for "‥" make 6."""
LONGEST_WORD = 1000
"""The most that max_input_chars_per_word may say: a word takes time by the square of its length."""
_BEHAVIORS = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"}
_SCHEMES = {"always", "never", "first"}


def is_switch(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LONGEST_MARK


def is_character(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 1


def is_mark(value: Any) -> bool:
    return value is None or (isinstance(value, str) and len(value) <= LONGEST_MARK)


def is_token(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TOKEN


def is_named_token(value: Any) -> bool:
    """Return a token that is written as a text, or as a table with its settings; or none."""
    return is_no_token_or_one(value.get("content") if isinstance(value, dict) else value)


def is_list(value: Any) -> bool:
    return isinstance(value, list)


def is_no_token_or_one(value: Any) -> bool:
    return value is None or is_token(value)


def is_id(value: Any) -> bool:
    return type(value) is int and value >= 0


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_nothing(value: Any) -> bool:
    return value is None


def is_behavior(value: Any) -> bool:
    return isinstance(value, str) and value in _BEHAVIORS


def is_scheme(value: Any) -> bool:
    return isinstance(value, str) and value in _SCHEMES


def is_length_of_word(value: Any) -> bool:
    return type(value) is int and 0 < value <= LONGEST_WORD


def is_no_id_or_one(value: Any) -> bool:
    return value is None or is_id(value)


def is_backend(value: Any) -> bool:
    return bool(value == "tokenizers")


def is_limit(value: Any) -> bool:
    return isinstance(value, int | float) and value > 0


def is_text_pattern(value: Any) -> bool:
    """Return a text to be looked for; never a regular expression."""
    return isinstance(value, dict) and list(value) == ["String"] and is_token(value["String"])


def is_marked_token(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_token(value[0]) and is_id(value[1])


def is_template(value: Any) -> bool:
    """Each text at most once, and few special tokens: a template could repeat a text without end."""
    if not isinstance(value, list) or len(value) > MOST_ENTRIES:
        return False
    texts = [piece["Sequence"]["id"] for piece in value if is_piece(piece, "Sequence")]
    n_special = sum(is_piece(piece, "SpecialToken") for piece in value)
    return len(texts) + n_special == len(value) and sorted(texts) in (["A"], ["A", "B"])


def is_piece(piece: Any, kind: str) -> bool:
    given = piece.get(kind) if isinstance(piece, dict) and len(piece) == 1 else None
    return isinstance(given, dict) and is_token(given.get("id")) and is_count(given.get("type_id", 0))


def are_special_tokens(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= MOST_ENTRIES and all(map(is_special_token, value.values()))


def is_special_token(value: Any) -> bool:
    ids, tokens = (value.get("ids"), value.get("tokens")) if isinstance(value, dict) else (None, None)
    if not isinstance(ids, list) or not isinstance(tokens, list) or not 0 < len(ids) == len(tokens) <= LONGEST_MARK:
        return False
    return is_token(value.get("id")) and all(map(is_id, ids)) and all(map(is_token, tokens))


def is_scored_piece(value: Any) -> bool:
    """Return a piece of a Unigram with its log probability."""
    is_pair = isinstance(value, list) and len(value) == 2 and is_token(value[0])
    return is_pair and isinstance(value[1], int | float) and abs(value[1]) < 1e6


def is_vocabulary(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_token, value)) and all(map(is_id, value.values()))


def are_scored_pieces(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_scored_piece, value))
