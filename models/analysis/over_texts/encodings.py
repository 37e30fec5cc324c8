"""The encoding of a file of text: UTF-8; UTF-16 and UTF-32, as Excel's “Unicode text” is; CP949, as Excel in Korean
saves CSV. Others cannot be told apart by their bytes, and are refused by whoever decodes.
"""

from __future__ import annotations

import codecs

from models.values.wording import Message, to_say

LOOKED_AT = 65_536
"""The bytes that decide."""
ALMOST_ALL = 0.9
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",  # begins as the mark of UTF-16 does
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NOT_TEXT: dict[bytes, Message] = {
    b"PK\x03\x04": to_say("an Excel workbook or a packed file"),
    b"\xd0\xcf\x11\xe0": to_say("a workbook of an old Excel"),
    b"\x1f\x8b": to_say("a packed file"),
    b"PAR1": to_say("a table in Parquet"),
    b"%PDF": to_say("a PDF"),
    b"{\\rtf": to_say("a document of a word processor (RTF)"),
    b"<!doctype html": to_say("a web page (HTML)"),
    b"<html": to_say("a web page (HTML)"),
}
"""How files begin that hold no text, or text among marks, in small letters."""


def form_of(content: bytes) -> Message | None:
    """Return what a file is that is not text alone, by how it begins; None for one that may be text."""
    begins = content[:64].removeprefix(codecs.BOM_UTF8).lstrip()
    return next(
        (form for mark, form in _NOT_TEXT.items() if mark in (begins[: len(mark)], begins[: len(mark)].lower())), None
    )


def decode(content: bytes) -> str:
    """Return the text of a file, without the mark in front. Raises UnicodeDecodeError."""
    return content.decode(encoding_of(content[:LOOKED_AT])).removeprefix("\ufeff")


def encoding_of(begins: bytes) -> str:
    """Return the name of the encoding that a file has which begins with these bytes; that of UTF-8 where none fits."""
    for mark, encoding in _MARKS.items():
        if begins.startswith(mark):
            return encoding
    halves = begins[::2], begins[1::2]
    for half, encoding in zip(halves, ("utf-16-be", "utf-16-le"), strict=True):
        if half.count(0) > ALMOST_ALL * len(half) > 0 and begins.count(0) == half.count(0):
            return encoding
    return "utf-8-sig" if _decoded(begins, "utf-8") is not None or not _is_korean(begins) else "cp949"


def _is_korean(begins: bytes) -> bool:
    """Whether nearly all that is not ASCII is a Hangul syllable in use (KS X 1001) when the bytes are read as CP949."""
    text = _decoded(begins, "cp949") or ""
    odd = [character for character in text if not character.isascii()]
    n_syllables = sum("가" <= character <= "힣" and _is_in_use(character) for character in odd)
    return n_syllables > ALMOST_ALL * len(odd)


def _is_in_use(syllable: str) -> bool:
    try:
        return bool(syllable.encode("euc_kr"))
    except UnicodeEncodeError:
        return False


def _decoded(begins: bytes, encoding: str) -> str | None:
    """Return the text of bytes which may end within a character; None if they are of another encoding."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(begins)
    except UnicodeDecodeError:
        return None
