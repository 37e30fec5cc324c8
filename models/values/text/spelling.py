"""Read the pieces of a tokenizer: bytes as text, and the marks that tell where words begin, end and go on.

Byte-level BPE spells bytes with printable letters (Radford et al. 2019, "Language Models are Unsupervised Multitask
Learners", section 2.2); SentencePiece writes a space as "▁" and, for what it has no piece, bytes as "<0xF0>" (Kudo and
Richardson 2018, section 3.3); BPE marks the end of a word, "</w>", or that it goes on, "@@" (Sennrich et al. 2016,
section 3.2), and WordPiece that it went on, "##".
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import Literal, Self, SupportsIndex, overload

Bytes = Literal["", "printable", "latin"]
"""How bytes are spelled: not at all, by GPT-2's printable letters, or by the letters of Latin-1 (ByT5)."""
Span = tuple[int, int]
FALLBACK = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_RAW = re.compile("[\udc80-\udcff]+")  # how Python decodes bytes that are no text: "surrogateescape"


def _printable_bytes() -> dict[str, int]:
    """GPT-2's letters for the 256 bytes: printable Latin-1 stands for itself, the other 68 bytes follow from U+0100."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + index): byte for index, byte in enumerate(others)}


PRINTABLE_BYTES = _printable_bytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """The way in which a vocabulary spells text. A mark is empty if it has none; without marks, a piece is plain text.

    `inside` begins a piece inside a word ("##"), `goes_on` ends one that is not the last of its word ("@@"), and `ends`
    one that is ("</w>"). Pieces that no mark joins stand `apart`, with a space between them.
    """

    in_bytes: Bytes = ""
    space: str = ""
    """The character for a space inside a piece ("▁")."""
    inside: str = ""
    goes_on: str = ""
    ends: str = ""
    falls_back: bool = False
    """Whether "<0xF0>" is a byte."""
    apart: bool = False

    def __post_init__(self) -> None:
        for part in fields(self):
            if not isinstance(getattr(self, part.name), str | bool):
                raise TypeError(f"{part.name} is {getattr(self, part.name)!r}, expected a text or a switch.")

    def content(self, piece: str) -> bytes:
        """Return what a piece spells, in UTF-8, without the marks of its word; a space that it spells is a space."""
        if self.falls_back and (byte := FALLBACK.fullmatch(piece)):
            return bytes([int(byte[1], 16)])
        bare = _without(piece, self.inside, self.goes_on, self.ends)
        if self.in_bytes == "printable" and all(letter in PRINTABLE_BYTES for letter in bare):
            return bytes(PRINTABLE_BYTES[letter] for letter in bare)
        if self.in_bytes == "latin" and all(ord(letter) < 256 for letter in bare):
            return bare.encode("latin-1")
        return (bare.replace(self.space, " ") if self.space else bare).encode(errors="surrogatepass")

    def shows_mark(self, piece: str) -> bool:
        """Return whether a piece has a mark that is shown to a person, "##" or "@@"."""
        return piece != _without(piece, self.inside, self.goes_on, "")

    def joins(self, before: str, piece: str) -> bool:
        """Return whether a piece follows the one `before` it without a space, but for one that either spells."""
        if self.inside and piece != self.inside and piece.startswith(self.inside):
            return True
        if self.ends:
            return not before.endswith(self.ends)
        return before.endswith(self.goes_on) if self.goes_on else not self.apart


LITERAL = Spelling()
"""A piece is text as it stands: an added token, or one of a tokenizer of characters."""
BYTE_LEVEL = Spelling(in_bytes="printable")
_MARKED = Spelling(inside="##", falls_back=True)
"""The marks that say themselves what they are."""
_BYTE_SPACES = ("Ġ", "Ċ")


class SpelledPiece(str):
    """A piece as the tokenizer spells it, which knows how it is read."""

    __slots__ = ("spelling",)
    spelling: Spelling

    def __new__(cls, text: str, spelling: Spelling) -> Self:
        made = super().__new__(cls, text)
        made.spelling = spelling
        return made

    def __reduce__(self) -> tuple[type[SpelledPiece], tuple[str, Spelling]]:
        return SpelledPiece, (str(self), self.spelling)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary(Sequence[str]):
    """All `pieces` of a vocabulary [d_vocab]; one that is looked up knows how it is read. Those that are `literal`,
    such as special tokens, are text as they stand."""

    pieces: tuple[str, ...]
    spelling: Spelling
    literal: tuple[str, ...] = ()
    _literal: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_literal", frozenset(self.literal))

    def __len__(self) -> int:
        return len(self.pieces)

    @overload
    def __getitem__(self, at: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: SupportsIndex | slice) -> str | tuple[str, ...]:
        if isinstance(at, slice):
            return tuple(map(self._spell, self.pieces[at]))
        return self._spell(self.pieces[at])

    def __iter__(self) -> Iterator[str]:
        return map(self._spell, self.pieces)

    def _spell(self, piece: str) -> SpelledPiece:
        return SpelledPiece(piece, LITERAL if piece in self._literal else self.spelling)


def attach_spelling(pieces: Sequence[str], among: Sequence[str] = ()) -> list[SpelledPiece]:
    """Return pieces that know how they are read; of plain texts, which somebody took from a tokenizer, that is judged,
    by all of them or by those that they are `among`."""
    if all(isinstance(piece, SpelledPiece) for piece in pieces):
        return [piece for piece in pieces if isinstance(piece, SpelledPiece)]
    judged = _judge_spelling(among or pieces)
    return [piece if isinstance(piece, SpelledPiece) else SpelledPiece(piece, judged) for piece in pieces]


def _judge_spelling(pieces: Sequence[str]) -> Spelling:
    """Return how plain pieces seem to be spelled: in bytes, if some begin with a space so spelled and none has a Latin
    letter beyond those of bytes ("Ġunju" and "żmien" are Maltese), or if all are text only when read as bytes."""
    if _begin_with(_BYTE_SPACES, pieces) and not any(map(_has_other_latin, pieces)):
        return BYTE_LEVEL
    if all(letter in PRINTABLE_BYTES for piece in pieces for letter in piece) and _is_text_in_bytes("".join(pieces)):
        return BYTE_LEVEL
    return replace(
        _MARKED,
        space="▁" if _begin_with(("▁",), pieces) else "",
        ends="</w>" if any(piece.endswith("</w>") for piece in pieces) else "",
    )


def _begin_with(marks: tuple[str, ...], pieces: Sequence[str]) -> bool:
    """Return whether more than one piece in fifty begins with a mark."""
    return sum(piece.startswith(marks) for piece in pieces) > 0.02 * len(pieces)


def _has_other_latin(piece: str) -> bool:
    return any("\u0144" <= letter <= "\u024f" for letter in piece)


def _is_text_in_bytes(letters: str) -> bool:
    """Return whether letters for bytes spell text of more than ASCII; it may be cut inside a character."""
    text = BYTE_LEVEL.content(letters).decode(errors="surrogateescape")
    bare = text.rstrip("".join(map(chr, range(0xDC80, 0xDD00))))
    is_whole = not _RAW.search(bare) and len(text) - len(bare) < 4
    return is_whole and not bare.isascii() and not any(map(_is_control, bare))


def _is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc" and character not in "\n\r\t"


def spelling_of(piece: str) -> Spelling:
    """Return how a piece is read; one that does not say is text as it stands."""
    return piece.spelling if isinstance(piece, SpelledPiece) else LITERAL


def content_of(piece: str) -> bytes:
    """Return what a piece spells, in UTF-8."""
    return spelling_of(piece).content(piece)


def readable(content: bytes) -> str:
    """Return bytes as text; those that are only a part of a character as their numbers, "0xF0 0x9F …"."""
    text = content.decode(errors="surrogateescape")
    return _RAW.sub(_number_of_byte, text) if _RAW.search(text) else text


def text_of(piece: str) -> str:
    """Return a piece as a person reads it: without the space that it begins with, and with the marks "##" and "@@"."""
    if spelling_of(piece).shows_mark(piece):
        return str(piece)
    text = readable(content_of(piece))
    bare = text.removeprefix(" ")
    return bare if bare and not bare.isspace() else text


def text_of_word(pieces: Sequence[str]) -> str:
    """Return the pieces of a word as a person reads it."""
    return readable(b"".join(map(content_of, pieces))).strip(" ") or " "


def joined_pieces(pieces: Sequence[str]) -> tuple[str, list[Span]]:
    """Return the text that pieces spell one after the other, and the characters that each has a part in.

    Bytes that are no text stand as lone surrogates, one each.
    """
    parts = [content_of(piece) for piece in pieces]
    for number, (before, piece) in enumerate(pairwise(pieces), start=1):
        if not spelling_of(piece).joins(before, piece):
            parts[number] = b" " + parts[number]
    text = b"".join(parts).decode(errors="surrogateescape")
    starts = _byte_starts(text)
    spans, begin = list[Span](), 0
    for part in parts:
        end = begin + len(part)
        first = bisect_right(starts, begin) - 1 if part else bisect_left(starts, begin)
        spans.append((first, bisect_left(starts, end)))
        begin = end
    return text, spans


def _byte_starts(text: str) -> list[int]:
    """Return at which byte every character begins."""
    starts, n_bytes = list[int](), 0
    for character in text:
        starts.append(n_bytes)
        n_bytes += len(character.encode(errors="surrogateescape"))
    return starts


def _without(piece: str, inside: str, goes_on: str, ends: str) -> str:
    """Return a piece without its marks; one that is nothing but a mark is text."""
    bare = piece.removeprefix(inside).removesuffix(goes_on).removesuffix(ends)
    return bare or piece


def _number_of_byte(raw: re.Match[str]) -> str:
    """Return bytes that are no text as numbers, apart from the text beside them."""
    numbers = " ".join(f"0x{ord(character) - 0xDC00:02X}" for character in raw[0])
    before = " " if raw.start() and not raw.string[raw.start() - 1].isspace() else ""
    after = " " if raw.end() < len(raw.string) and not raw.string[raw.end()].isspace() else ""
    return f"{before}{numbers} …{after}"
