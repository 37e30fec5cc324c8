"""Which words of a source a translator has never seen, as its own tokenizer reads them."""

from __future__ import annotations

import re
from pathlib import Path

from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerBase

from models.text.prepare import PreparedText

FILE = "source-words.txt"
"""Beside a checkpoint: the words of the sources that it has learned from, one a line, as `words_as_read` gives them."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
"""Letters and digits; apostrophes and hyphens inside."""


def words_as_read(tokenizer: Tokenizer, text: str) -> list[str]:
    """The words and marks of a text as a tokenizer normalises and parts it, before it cuts them into pieces.

    Vocabularies are learned from these, the words of a translator are written down as these, and what a reader types is
    held against them: one function, so that what is said to be unknown is what the model does not know.
    """
    normal = tokenizer.normalizer.normalize_str(text) if tokenizer.normalizer else text
    if tokenizer.pre_tokenizer is None:
        return normal.split()
    return [word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normal)]


def known_words(folder: Path) -> frozenset[str] | None:
    """The words in the file of a checkpoint; None if it has no such file."""
    file = folder / FILE
    if not file.is_file():
        return None
    return frozenset(line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip())


def words_of(text: str) -> tuple[str, ...]:
    """The words of a source, as the reader typed them, each once."""
    return tuple(dict.fromkeys(_WORD.findall(text)))


def unknown_words(
    text: str, prepared: PreparedText, tokenizer: PreTrainedTokenizerBase, known: frozenset[str] | None
) -> tuple[str, ...]:
    """The words of a source that a model does not know, as the reader typed them, each once.

    Those with a piece that the tokenizer does not know; and, where the `known` words were written down, those of which
    a part ("doesn't" has two) is not among them. Numbers are no words.
    """
    unspelled = _unknown_pieces_of_words(text, prepared, tokenizer.unk_token_id)
    backend = getattr(tokenizer, "backend_tokenizer", None)
    unread = {
        match.span(): match.group()
        for match in _WORD.finditer(text)
        if known is not None and backend is not None and not _is_known(match.group(), backend, known)
    }
    return tuple(dict.fromkeys(word for _, word in sorted({**unspelled, **unread}.items())))


def _is_known(word: str, tokenizer: Tokenizer, known: frozenset[str]) -> bool:
    parts = words_as_read(tokenizer, word)
    return all(part in known or part.isdecimal() or not any(map(str.isalnum, part)) for part in parts)


def _unknown_pieces_of_words(text: str, prepared: PreparedText, unknown_id: int | None) -> dict[tuple[int, int], str]:
    """The words around the tokens that are unknown, by where they stand."""
    spans = [
        (token.start, token.end)
        for token, token_id in zip(prepared.tokens, prepared.input_ids, strict=True)
        if token_id == unknown_id and token.start is not None and token.end is not None
    ]
    whole = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    words = {}
    for start, end in spans:
        around = next((word for word in whole if word[0] < end and start < word[1]), (start, end))
        words[around] = text[around[0] : around[1]]
    return words
