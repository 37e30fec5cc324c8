"""How a token looks to a person: cleaned, positioned, escaped. Every token text passes here before it is shown.

Byte-level BPE spells bytes with printable letters (Radford et al. 2019, "Language Models are Unsupervised Multitask
Learners", section 2.2); they are turned back into text. Nothing is added to a token: "##" stands where the model's own
vocabulary has it. Plotly reads a small HTML in labels, bidirectional controls can reorder a line: both are defused.
"""

from __future__ import annotations

import codecs
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from models.values.record import Token
from viz.kit.language import shown
from viz.kit.places import place_name

SHORT = 14
"""Columns that a label on an axis may take; a wide character (Korean, Chinese) takes two."""
CONTINUATION = "##"
"""How WordPiece begins a piece inside a word."""
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
_JOINERS = "\u200c\u200d"
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "$": "&#36;"})


def token_texts(tokens: Sequence[Token], *, limit: int | None = None) -> tuple[str, ...]:
    """Plain text for each token, with nothing invisible in it, at most `limit` columns wide. NOT escaped for HTML."""
    cleaned = _cleaned(tokens)
    return tuple(shorten(visible(text), limit) for text in cleaned)


def token_labels(tokens: Sequence[Token], *, limit: int | None = SHORT) -> tuple[str, ...]:
    """Labels for plotly or HTML: `token_texts`, escaped, each with a writing direction of its own."""
    return tuple(f"{_ISOLATE}{escape(text)}{_END_ISOLATE}" for text in token_texts(tokens, limit=limit))


def positioned_texts(tokens: Sequence[Token], positions: Sequence[int]) -> tuple[str, ...]:
    """Plain texts that no two tokens share: "5 · the" begins with a digit, a place with the word for it. NOT escaped
    for HTML."""
    return tuple(
        place_name(token.place) if token.place else f"{position} · {text}"
        for token, position, text in zip(tokens, positions, token_texts(tokens), strict=True)
    )


def without_continuation(text: str) -> str:
    """A piece as it stands in its word: "##ing" is "ing". A piece of "#" alone is a text of other vocabularies."""
    return text if text.strip("#") == "" else text.removeprefix(CONTINUATION)


def is_byte_level(vocabulary: Sequence[str]) -> bool:
    """Whether a vocabulary spells bytes: a fair share of its pieces then begin with "Ġ", a letter of Maltese."""
    return _begin_with("Ġ", vocabulary)


def marks_spaces(vocabulary: Sequence[str]) -> bool:
    """Whether pieces say themselves if a space stands before them, with "Ġ" or "▁"."""
    return _begin_with(("Ġ", "▁"), vocabulary)


def spelled(piece: str, *, in_bytes: bool | None = None) -> str:
    """A single piece of a vocabulary as a person reads it: "Ġcat" is "cat", "##ing" stays. NOT escaped for HTML.

    `in_bytes` says whether the vocabulary spells bytes; None judges by the piece. Bytes that are only a part of a
    character are shown as numbers.
    """
    return visible(_without_space_mark(piece_text(piece, in_bytes=in_bytes)))


def spelled_apart(pieces: Sequence[str], *, in_bytes: bool | None = None) -> tuple[str, ...]:
    """`spelled` for the pieces of one picture; of two that look alike, the one with a space in front shows it."""
    texts = [spelled(piece, in_bytes=in_bytes) for piece in pieces]
    marked = [piece_text(piece, in_bytes=in_bytes).startswith((" ", "▁")) for piece in pieces]
    return tuple(
        f"␣{text}" if has_space and texts.count(text) > 1 and not text.startswith("␣") else text
        for text, has_space in zip(texts, marked, strict=True)
    )


def plain_label(text: str, *, limit: int | None = SHORT) -> str:
    """A label for plotly or HTML from any stranger's text: shortened, visible, escaped. A `Message` is said."""
    return f"{_ISOLATE}{escape(shorten(visible(shown(text)), limit))}{_END_ISOLATE}"


def piece_text(piece: str, *, in_bytes: bool | None = None) -> str:
    """The text of a piece, with the space that it begins with: "Ġcat" is " cat", "▁cat" and "##ing" stay."""
    if in_bytes is False or any(character not in _BYTES for character in piece):
        return piece
    raw = bytes(_BYTES[character] for character in piece)
    if in_bytes:
        return raw.decode(errors="backslashreplace")
    try:
        decoded = raw.decode()
    except UnicodeDecodeError:
        return piece
    return piece if any(unicodedata.category(character) == "Cc" for character in decoded) else decoded


def escape(text: str) -> str:
    """Text that plotly and HTML show literally: no tag, entity, link, quote or formula is left in it.

    Quotes are numbered because plotly does not know the names "&quot;" and "&apos;". What the core has said, a
    `Message`, is said in the language that is spoken.
    """
    return shown(text).translate(_ENTITIES)


def shorten(text: str, limit: int | None) -> str:
    """The beginning of a text and an ellipsis, together at most `limit` columns wide."""
    if limit is None or width(text) <= limit:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > limit - 1:
            break
        kept += character
    return kept + "…"


def width(text: str) -> int:
    """The columns that a text takes in a fixed-width font: 2 for wide East Asian characters, 0 for combining ones."""
    return sum(_columns(character) for character in text)


def visible(text: str) -> str:
    """The text with every character that a reader could not see, or that changes the direction, spelled out."""
    if not text:
        return "∅"
    if text.isspace():
        text = text.replace(" ", "␣")
    spelled_out = "".join(
        character if _is_inner_joiner(text, index) else _visible_character(character)
        for index, character in enumerate(text)
    )
    return f"◌{spelled_out}" if unicodedata.category(spelled_out[0]) in {"Mn", "Me"} else spelled_out


def _begin_with(marks: str | tuple[str, ...], vocabulary: Sequence[str]) -> bool:
    """Whether more than one piece in fifty begins with a mark, in a sample of some thousands."""
    sample = vocabulary[:: max(len(vocabulary) // 4000, 1)]
    return sum(piece.startswith(marks) for piece in sample) > 0.02 * len(sample)


def _cleaned(tokens: Sequence[Token]) -> list[str]:
    """The tokens without the mark of the space before them, "Ġ" or "▁", and with bytes as text."""
    decoded = _decode_bytes(tokens)
    spelled = [token.text for token in tokens] if decoded is None else decoded
    return [
        text if token.is_special else _without_space_mark(text) for token, text in zip(tokens, spelled, strict=True)
    ]


def _without_space_mark(text: str) -> str:
    """ "▁the" and " the" become "the"; a token that is nothing but space stays."""
    if text.startswith("▁"):
        text = " " + text[1:]
    stripped = text.removeprefix(" ")
    return stripped if stripped and not stripped.isspace() else text


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's letters for the 256 bytes: printable Latin-1 stands for itself, the other 68 bytes follow from U+0100."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + index): byte for index, byte in enumerate(others)}


_BYTES = _byte_alphabet()


def _decode_bytes(tokens: Sequence[Token]) -> list[str] | None:
    """The tokens as text if they are spelled in bytes, else None; a piece of a character shows the whole one.

    One token alone does not tell ("ì" is an Italian letter and a byte): all must be in the alphabet, and all together
    must be UTF-8 without control characters.
    """
    ordinary = [index for index, token in enumerate(tokens) if not token.is_special]
    try:
        pieces = [bytes(_BYTES[character] for character in tokens[index].text) for index in ordinary]
        whole = codecs.getincrementaldecoder("utf-8")().decode(
            b"".join(pieces)
        )  # a cut text may end inside a character
    except (KeyError, UnicodeDecodeError):
        return None
    if whole.isascii() and not any("Ġ" in token.text or "Ċ" in token.text for token in tokens):
        return None
    if any(unicodedata.category(character) == "Cc" and character not in "\n\r\t" for character in whole):
        return None
    starts = [index for index, byte in enumerate(b"".join(pieces)) if byte & 0xC0 != 0x80]
    decoded = [token.text for token in tokens]
    begin = 0
    for index, piece in zip(ordinary, pieces, strict=True):
        end = begin + len(piece)
        decoded[index] = _touched(whole, starts, begin, end) or decoded[index]
        begin = end
    return decoded


def _touched(whole: str, starts: Sequence[int], begin: int, end: int) -> str:
    """The characters of `whole`, which begin at the bytes `starts`, with a byte in begin..end (end exclusive)."""
    return whole[max(bisect_right(starts, begin) - 1, 0) : bisect_left(starts, end)]


def _is_inner_joiner(text: str, index: int) -> bool:
    """Joiners belong inside emoji and Persian words; at an edge they only hide."""
    return text[index] in _JOINERS and 0 < index < len(text) - 1


def _visible_character(character: str) -> str:
    code, category = ord(character), unicodedata.category(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if category in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or character in _BLANK_LETTERS:
        return f"⟨U+{code:04X}⟩"
    return "␣" if category == "Zs" and character != " " else character


def _columns(character: str) -> int:
    if unicodedata.category(character) in {"Cf", "Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
