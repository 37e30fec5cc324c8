"""Which pieces make one word: by the words of the text, and by the characters of it that each piece covers."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from models.values.record import Token
from models.values.text.scripts import is_from_spaceless_script
from models.values.text.spelling import Span, joined_pieces, spelling_of

ZERO_WIDTH_JOINER, ZERO_WIDTH_SPACE = "\u200d", "\u200b"
REGIONAL = "\U0001f1e6", "\U0001f1ff"
"""The first and the last of the letters that make a flag, two by two."""
APOSTROPHES = frozenset("'\u2019")
_HANGUL = "[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc]"
_CLOSING = r"[)\]}\"'\u2019\u201d\u3009\u300b\u300d\u300f%\u2103]"
_INSIDE_KOREAN = re.compile(
    rf"{_CLOSING}(?={_CLOSING}*{_HANGUL})|[(\[{{\u2018\u201c\u3008\u300a\u300c\u300e](?=\S{{0,40}}{_CLOSING}{_HANGUL})"
)
"""Marks behind which an 어절 goes on with its particle: "학교"에서, 엘지(LG)는, 10%를."""


def tokens_of_written(pieces: Sequence[str], is_special: Sequence[bool], *, segment: int = 1) -> tuple[Token, ...]:
    """Return tokens for pieces that a decoder wrote by itself: no spans, and the words of the text that they spell."""
    return tuple(
        Token(text=piece, word=word, segment=segment, is_special=special)
        for piece, word, special in zip(pieces, written_words(pieces, is_special), is_special, strict=True)
    )


def written_words(pieces: Sequence[str], is_special: Sequence[bool]) -> list[int | None]:
    """Return the number of the word of every piece, counted from 0; None for a special one."""
    places = [place for place, special in enumerate(is_special) if not special]
    text, spans = joined_pieces([pieces[place] for place in places])
    span_of = dict(zip(places, spans, strict=True))
    made = [
        Piece(
            text=piece, token_id=0, segment_id=0, segment=0, span=span_of.get(place), is_structural=place not in span_of
        )
        for place, piece in enumerate(pieces)
    ]
    return [token.word for token in with_words(made, [text])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A token before its word is known; an empty span is a piece without a character of its own, such as "▁"."""

    text: str
    token_id: int
    segment_id: int
    segment: int
    span: Span | None
    is_structural: bool


def with_words(pieces: Sequence[Piece], texts: Sequence[str]) -> tuple[Token, ...]:
    """Return the tokens, with words counted from 0 over both texts in the order in which they are read.

    A piece goes on with the word in which the one before it ended, so that those of "of the" and "re" stay together.
    """
    starts = [_word_starts(text) for text in texts]
    words: list[int | None] = []
    word, ended = -1, object()
    before: Piece | None = None
    for index, piece in enumerate(pieces):
        if piece.is_structural:
            words.append(None)
            before = None
            continue
        if piece.span is None:
            begins = before is None or not _goes_on_without_span(before, piece)
            begun = ended = ("piece", index) if begins else ended
        else:
            begun, end = _reach(piece.segment, piece.span, texts[piece.segment], starts[piece.segment])
            begins = begun != ended
            ended = end
        word += begins or word < 0
        words.append(word)
        before = piece
    return tuple(_token(piece, word) for piece, word in zip(pieces, words, strict=True))


def _goes_on_without_span(before: Piece, piece: Piece) -> bool:
    """Return whether a piece that stands nowhere in the text goes on with the word before it, by its spelling."""
    spelling = spelling_of(piece.text)
    return spelling.joins(before.text, piece.text) and not spelling.content(piece.text).startswith(b" ")


def _reach(segment: int, span: Span, text: str, starts: Sequence[int]) -> tuple[object, object]:
    """Return the words in which a piece begins and ends, as values to compare.

    A piece of nothing but space belongs to the word after it; a line break is apart.
    """
    start, end = span
    visible = [place for place in range(start, end) if not text[place].isspace()]
    if visible:
        return (segment, bisect_right(starts, visible[0])), (segment, bisect_right(starts, visible[-1]))
    if "\n" in text[start:end]:
        line = ("line", segment, span)
        return line, line
    following = (segment, bisect_left(starts, end) + 1)
    return following, following


def _token(piece: Piece, word: int | None) -> Token:
    start, end = piece.span if piece.span is not None else (None, None)
    return Token(
        text=piece.text, start=start, end=end, word=word, segment=piece.segment, is_special=piece.is_structural
    )


def _word_starts(text: str) -> list[int]:
    """Return where the words of a text start: runs of letters, digits and marks; every other visible character is one.

    An apostrophe between letters belongs to its word ("didn't"), and so does a mark inside an 어절. A letter of a
    script without spaces stands alone, so that pieces of several stay as they are. A joined emoji is one word,
    and so is a flag, which is two letters.
    """
    starts = []
    inside = {found.start() for found in _INSIDE_KOREAN.finditer(text)}
    base = " "  # the last character that is not a mark, a joiner, or an apostrophe inside a word
    is_glued = is_half_flag = False
    for index, character in enumerate(text):
        if _joins(character) and not base.isspace():
            is_glued = character == ZERO_WIDTH_JOINER
            continue
        if _is_letter(base) and (
            index in inside or (character in APOSTROPHES and _is_letter(text[index + 1 : index + 2]))
        ):
            continue
        is_flag = REGIONAL[0] <= character <= REGIONAL[1]
        is_half_flag = is_flag and not is_half_flag
        is_glued = is_glued or (is_flag and not is_half_flag)
        continues = is_glued or (_is_letter(base) and _is_letter(character))
        if not character.isspace() and not continues:
            starts.append(index)
        base, is_glued = character, False
    return starts


def _joins(character: str) -> bool:
    """Return whether a character never starts a word: a mark, a joiner, or the skin tone of an emoji."""
    is_skin_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    return is_skin_tone or (
        character != ZERO_WIDTH_SPACE and unicodedata.category(character) in {"Mn", "Mc", "Me", "Cf"}
    )


def _is_letter(character: str) -> bool:
    """Return whether it is a letter, digit or "_" of a script with spaces; not so the empty string."""
    return character == "_" or (
        character != "" and unicodedata.category(character)[0] in "LN" and not is_from_spaceless_script(character)
    )
