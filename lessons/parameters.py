"""The parameters of the questions of a lesson: each with its name, its meaning and its parser.

A reader of a parameter raises ValueError with what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from models.values.wording import to_say, worded

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
    """Return a sentence or a few."""
    if not text.strip():
        raise ValueError(worded("expected a sentence, but it is empty."))
    if len(text) > LONGEST_TEXT:
        raise ValueError(worded("expected at most {most} characters, but it has {n}.", most=LONGEST_TEXT, n=len(text)))
    return text


def a_word(text: str) -> str:
    """Return a word, a token by its text or a position."""
    if not text.strip() or len(text) > LONGEST_WORD:
        raise ValueError(worded("expected a word of 1 to {most} characters.", most=LONGEST_WORD))
    return text


def a_head(text: str) -> str:
    """Return a head as "3.1", of a translator as "cross 3.1", or by what it does."""
    if not re.fullmatch(r"((encoder|decoder|cross) )?[0-9]{1,3}\.[0-9]{1,3}|[a-z][a-z ]{1,40}", text):
        raise ValueError(
            worded(
                "{given} is no head. Write a layer and a head, as in 3.1, or what the head does, as in: previous.",
                given=repr(text),
            )
        )
    return text


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A parser of whole numbers between two."""

    low: int
    high: int

    def __call__(self, text: str) -> int:
        """Return the number. Raises ValueError."""
        if text.isascii() and text.isdecimal() and len(text) < 6 and self.low <= int(text) <= self.high:
            return int(text)
        raise ValueError(
            worded(
                "{given} was given, expected a whole number from {low} to {high}.",
                given=repr(text),
                low=self.low,
                high=self.high,
            )
        )


@dataclass(frozen=True, slots=True)
class OneOf:
    """A parser of some words; `titles` says of each what it means."""

    titles: Mapping[str, str]

    def __call__(self, text: str) -> str:
        """Return the word. Raises ValueError."""
        if text in self.titles:
            return text
        raise ValueError(
            worded("{given} was given, expected one of {names}.", given=repr(text), names=", ".join(self.titles))
        )


TEXT = Parameter(name="text", about=to_say("the sentence that the model reads"), read=a_text)
TEXT_B = Parameter(name="text_b", about=to_say("a second sentence, for a pair"), read=a_text, is_required=False)
QUERY = Parameter(
    name="query",
    read=a_word,
    about=to_say("the token that looks: its word, “the (2)” for the second “the”, or “#5” for position 5"),
)
KEY = Parameter(name="key", about=to_say("the token that is looked at, written as a query is"), read=a_word)
HEAD = Parameter(
    name="head",
    read=a_head,
    about=to_say(
        "a head as 3.1 (layer 3, head 1), of a translator as cross 3.1, or by what it does: previous, next, special, "
        "det from the dependent, …"
    ),
)
ATTENTION = Parameter(
    name="attention",
    about=to_say("the attention of a translator: encoder, decoder or cross"),
    read=OneOf({"encoder": to_say("encoder"), "decoder": to_say("decoder"), "cross": to_say("cross")}),
    is_required=False,
)
OPTIONS = Parameter(
    name="options", about=to_say("what the reader may choose from"), read=a_word, is_list=True, is_required=False
)
