"""Where the words of a text begin and end among its tokens."""

from __future__ import annotations

from collections.abc import Sequence

from models.values.record.tokens import Token


def word_starts(tokens: Sequence[Token]) -> list[int]:
    """Return the indices at which a word begins; a token without a word is one of its own."""
    return [
        index
        for index, token in enumerate(tokens)
        if index == 0 or token.word is None or token.word != tokens[index - 1].word
    ]


def word_ranges(tokens: Sequence[Token], starts: Sequence[int] | None = None) -> list[range]:
    """Return the range of token indices of every word."""
    begins = word_starts(tokens) if starts is None else starts
    return [range(start, end) for start, end in zip(begins, [*begins[1:], len(tokens)], strict=True)]
