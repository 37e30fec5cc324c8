"""Which words of a source a translator has never seen."""

from __future__ import annotations

import re
from pathlib import Path

from models.text.prepare import PreparedText

FILE = "source-words.txt"
"""Beside a checkpoint: the words of the sources that it has learned from, one a line, in lower case."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
"""Letters and digits; apostrophes and hyphens inside."""
_PART = re.compile(r"[^\W_]+")


def known_words(folder: Path) -> frozenset[str] | None:
    """The words in the file of a checkpoint; None if it has no such file."""
    file = folder / FILE
    if not file.is_file():
        return None
    return frozenset(line.strip().casefold() for line in file.read_text(encoding="utf-8").splitlines() if line.strip())


def words_of(text: str) -> tuple[str, ...]:
    """The words of a source, as the reader typed them, each once."""
    return tuple(dict.fromkeys(_WORD.findall(text)))


def unknown_words(
    text: str, prepared: PreparedText, unknown_id: int | None, known: frozenset[str] | None
) -> tuple[str, ...]:
    """The words of a source that are not among the `known` ones, as the reader typed them, each once.

    A word of several parts ("doesn't") is known if its parts are. Without `known` words, those that hold a piece that
    the tokenizer does not know (`unknown_id`). Numbers are no words.
    """
    words = _not_among(text, known) if known is not None else _not_spelled(text, prepared, unknown_id)
    return tuple(dict.fromkeys(words))


def _not_among(text: str, known: frozenset[str]) -> list[str]:
    return [word for word in _WORD.findall(text) if not _is_known(word.casefold(), known)]


def _is_known(word: str, known: frozenset[str]) -> bool:
    return word in known or all(part in known or part.isdecimal() for part in _PART.findall(word))


def _not_spelled(text: str, prepared: PreparedText, unknown_id: int | None) -> list[str]:
    spans = [
        (token.start, token.end)
        for token, token_id in zip(prepared.tokens, prepared.input_ids, strict=True)
        if token_id == unknown_id and token.start is not None and token.end is not None
    ]
    whole = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    found = []
    for start, end in spans:
        around = next((word for word in whole if word[0] < end and start < word[1]), (start, end))
        found.append(text[around[0] : around[1]])
    return found
