"""Which pieces make one word: by their spans in the text, or by the marks of the tokenizer where there are none."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from models.values.record import Token

ZERO_WIDTH_JOINER, ZERO_WIDTH_SPACE = "\u200d", "\u200b"
WORD_MARKS = ("▁", "Ġ")
"""How the pieces at the start of a word are spelled, by SentencePiece and by byte-level tokenizers."""
APOSTROPHES = frozenset("'\u2019")
Span = tuple[int, int]


def tokens_of_written(
    pieces: Sequence[str], is_special: Sequence[bool], *, inside: str | None = None, segment: int = 1
) -> tuple[Token, ...]:
    """Tokens for pieces that a decoder wrote by itself: no spans, words by the marks of the tokenizer.

    `inside` is how pieces inside a word begin, for a tokenizer that marks those ("##"); else words begin with a mark.
    """
    written = [
        Piece(text=text, token_id=0, segment_id=0, segment=segment, span=None, is_structural=special)
        for text, special in zip(pieces, is_special, strict=True)
    ]
    return with_words(written, ["", ""], inside=inside)


def mark_inside_words(tokenizer: PreTrainedTokenizerBase) -> str | None:
    """How pieces inside a word begin, "##" in WordPiece; None for tokenizers that mark where a word begins."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return getattr(getattr(backend, "model", None), "continuing_subword_prefix", None) or None


def begins_word(piece: str, inside: str | None) -> bool:
    """Whether a word begins with a piece that has no span; `inside` as in `tokens_of_written`."""
    return piece.startswith(WORD_MARKS) if inside is None else not piece.startswith(inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A token before its word is known; an empty span is a piece without a character of its own, such as "▁"."""

    text: str
    token_id: int
    segment_id: int
    segment: int
    span: Span | None
    is_structural: bool


def with_words(pieces: Sequence[Piece], texts: Sequence[str], *, inside: str | None = None) -> tuple[Token, ...]:
    """The tokens, with words counted from 0 over both texts in the order in which they are read."""
    starts = [_word_starts(text) for text in texts]
    words: list[int | None] = []
    last: object = None
    word = -1
    for index, piece in enumerate(pieces):
        if piece.is_structural:
            words.append(None)
            continue
        before = pieces[index - 1] if index else None
        here: object = None
        if piece.span is None:
            here = ("piece", index) if begins_word(piece.text, inside) else None
        elif not _overlap(before, piece):
            here = _word_key(index, piece.segment, piece.span, texts[piece.segment], starts[piece.segment])
        if word < 0 or (here is not None and here != last):
            word, last = word + 1, here
        words.append(word)
    return tuple(_token(piece, word) for piece, word in zip(pieces, words, strict=True))


def _overlap(before: Piece | None, piece: Piece) -> bool:
    """Whether two pieces share a character, as the bytes of one do."""
    if before is None or before.segment != piece.segment or before.span is None or piece.span is None:
        return False
    return piece.span[0] < before.span[1]


def _word_key(index: int, segment: int, span: Span, text: str, starts: Sequence[int]) -> object:
    """Something equal for the pieces of one word."""
    start, end = span
    characters = text[start:end]
    if "\n" in characters and characters.isspace():
        return "line", index
    is_blank = not characters.strip()  # a lone "▁" or "Ġ" belongs to the word that it stands before
    return segment, bisect_right(starts, end if is_blank else start)


def _token(piece: Piece, word: int | None) -> Token:
    start, end = piece.span if piece.span is not None else (None, None)
    return Token(
        text=piece.text, start=start, end=end, word=word, segment=piece.segment, is_special=piece.is_structural
    )


def _word_starts(text: str) -> list[int]:
    """Where the words of a text start: runs of letters, digits and marks; every other visible character is a word.

    An apostrophe between letters belongs to its word ("didn't"). A Chinese character is a word by itself, as in BERT.
    A joined emoji is one word.
    """
    starts = []
    base = " "  # the last character that is not a mark, a joiner, or an apostrophe inside a word
    is_glued = False
    for index, character in enumerate(text):
        if _joins(character) and not base.isspace():
            is_glued = character == ZERO_WIDTH_JOINER
            continue
        if character in APOSTROPHES and _is_letter(base) and _is_letter(text[index + 1 : index + 2]):
            continue
        continues = is_glued or (_is_letter(base) and _is_letter(character))
        if not character.isspace() and not continues:
            starts.append(index)
        base, is_glued = character, False
    return starts


def _joins(character: str) -> bool:
    """Marks, joiners, and the skin tones of emoji never start a word."""
    is_skin_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    return is_skin_tone or (
        character != ZERO_WIDTH_SPACE and unicodedata.category(character) in {"Mn", "Mc", "Me", "Cf"}
    )


def _is_letter(character: str) -> bool:
    """Whether it is a letter, digit or "_"; not so an ideograph, nor the empty string."""
    is_ideograph = "\u3400" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"
    return character == "_" or (character != "" and not is_ideograph and unicodedata.category(character)[0] in "LN")
