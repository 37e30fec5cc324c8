"""What can be given to a question of a lesson: each parameter with its name, what it means, and how it is read.

A reader of a parameter raises ValueError with what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

LONGEST_TEXT, LONGEST_WORD, MOST_WORDS = 1000, 80, 8
Read = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One thing that may be given to a question."""

    name: str
    about: str
    read: Read
    is_list: bool = False
    is_required: bool = True


def a_text(text: str) -> str:
    """A sentence or a few."""
    if not text.strip():
        raise ValueError("expected a sentence, but it is empty")
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"expected at most {LONGEST_TEXT} characters, but it has {len(text)}")
    return text


def a_word(text: str) -> str:
    """A word, a token by its text or a position."""
    if not text.strip() or len(text) > LONGEST_WORD:
        raise ValueError(f"expected a word of 1 to {LONGEST_WORD} characters")
    return text


def a_head(text: str) -> str:
    """A head as "3.1", or by what it does."""
    if not re.fullmatch(r"[0-9]{1,3}\.[0-9]{1,3}|[a-z][a-z ]{1,40}", text):
        raise ValueError(
            f"{text!r} is no head. Write a layer and a head, as in 3.1, or what the head does, as in: previous"
        )
    return text


def whole(low: int, high: int) -> Read:
    """A whole number between these two."""

    def read(text: str) -> object:
        if not (text.isascii() and text.isdecimal() and len(text) < 6 and low <= int(text) <= high):
            raise ValueError(f"{text!r} was given, expected a whole number from {low} to {high}")
        return int(text)

    return read


def one_of(*names: str) -> Read:
    """One of these words."""

    def read(text: str) -> object:
        if text not in names:
            raise ValueError(f"{text!r} was given, expected one of {', '.join(names)}")
        return text

    return read


TEXT = Parameter(name="text", about="the sentence that the model reads", read=a_text)
TEXT_B = Parameter(name="text_b", about="a second sentence, for a pair", read=a_text, is_required=False)
QUERY = Parameter(
    name="query", about="the token that looks: its word, “the (2)” for the second “the”, or “#5” for position 5",
    read=a_word,
)  # fmt: skip
KEY = Parameter(name="key", about="the token that is looked at, written as a query is", read=a_word)
HEAD = Parameter(
    name="head", about="a head as 3.1 (layer 3, head 1), or by what it does: previous, next, special, antecedent, …",
    read=a_head,
)  # fmt: skip
OPTIONS = Parameter(
    name="options", about="what the reader may choose from", read=a_word, is_list=True, is_required=False
)
