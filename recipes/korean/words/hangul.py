"""Take syllables of Hangul apart (The Unicode Standard, section 3.12)."""

from __future__ import annotations

from functools import lru_cache

INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
_FIRST, _LAST = ord("가"), ord("힣")
_N_FINALS = len(FINALS) + 1
"""Those, and none."""


def is_hangul(text: str) -> bool:
    """Tell whether a text is made of Hangul syllables alone."""
    return bool(text) and all(_FIRST <= ord(letter) <= _LAST for letter in text)


def final_letter(syllable: str) -> int:
    """Return the index of the final letter of a syllable, counted from 1; 0 where it ends in a vowel."""
    return (ord(syllable) - _FIRST) % _N_FINALS


@lru_cache(maxsize=100_000)
def letters(text: str) -> str:
    """Spell syllables in letters: 갔 is ㄱㅏㅆ. What is no syllable stays."""
    return "".join(_spelled(letter) if is_hangul(letter) else letter for letter in text)


def _spelled(syllable: str) -> str:
    number, final = ord(syllable) - _FIRST, final_letter(syllable)
    initial, vowel = divmod(number // _N_FINALS, len(VOWELS))
    return INITIALS[initial] + VOWELS[vowel] + (FINALS[final - 1] if final else "")
