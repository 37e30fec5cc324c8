"""Which letters are written without spaces between words, so that nothing in a text says where a word ends.

Unicode's line breaking asks a dictionary for most of them (UAX #14, class SA), and breaks between any two others (ID).
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import lru_cache

_WITHOUT_SPACES = (
    (0x0E00, 0x0FFF),  # Thai, Lao, Tibetan
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19FF),  # Tai Le, New Tai Lue, Khmer symbols
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x1B00, 0x1B7F),  # Balinese
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x312F),  # ideographic marks, Hiragana, Katakana, Bopomofo
    (0x31A0, 0x31FF),  # Bopomofo and Katakana, extended
    (0x3400, 0x4DBF),  # ideographs
    (0x4E00, 0xA4CF),  # ideographs, Yi
    (0xA980, 0xA9FF),  # Javanese, Myanmar
    (0xAA60, 0xAADF),  # Myanmar, Tai Viet
    (0xF900, 0xFAFF),  # ideographs for compatibility
    (0xFF66, 0xFF9F),  # Katakana of half a width
    (0x11700, 0x1174F),  # Ahom
    (0x12000, 0x1467F),  # Cuneiform, hieroglyphs
    (0x16FE0, 0x1B2FF),  # Tangut, Khitan, Kana, Nushu
    (0x20000, 0x3FFFF),  # ideographs
)
"""First and last of the blocks of those scripts, in order."""
_FIRSTS = [first for first, _ in _WITHOUT_SPACES]


@lru_cache(maxsize=4096)
def is_from_spaceless_script(character: str) -> bool:
    """Return whether a character is a letter of a script that is written without spaces between words."""
    code = ord(character)
    block = bisect_right(_FIRSTS, code) - 1
    in_block = block >= 0 and code <= _WITHOUT_SPACES[block][1]
    return in_block and unicodedata.category(character) in {"Lo", "Lm", "Nl", "So"}


def has_spaceless_script(text: str) -> bool:
    """Return whether a text has such letters."""
    return any(map(is_from_spaceless_script, text))
