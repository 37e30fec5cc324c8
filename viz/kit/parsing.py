"""Write a reader's choices as text, as in a URL, and parse text from untrusted sources.

A parser raises ValueError for what does not fit. `written` and the parser of a choice are inverse.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

MEAN: Final = "mean"
"""The text for the mean over the heads of the layer."""
NOTHING_HELD: Final = "none"
"""The text for a list that the reader has emptied."""
Parsed = TypeVar("Parsed")


def written(value: object) -> str:
    """Return a choice as text for a URL: "yes", "3", "2-5-9"; None is the empty text, an empty list "none"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return "-".join(map(written, value)) or NOTHING_HELD
    return "" if value is None else str(value)


def one_of(*options: Parsed) -> Callable[[str], Parsed]:
    """Return a parser for one of a few values, spelled exactly as `written` does."""
    by_text = {str(option): option for option in options}

    def parse(text: str) -> Parsed:
        if text not in by_text:
            raise ValueError(text)
        return by_text[text]

    return parse


def flag(text: str) -> bool:
    return one_of("yes", "no")(text) == "yes"


def maybe(parse: Callable[[str], Parsed]) -> Callable[[str], Parsed | None]:
    """Return a parser that gives None for the empty text, and calls `parse` otherwise."""
    return lambda text: parse(text) if text else None


def list_of(parse: Callable[[str], Parsed], *, most: int, once: bool = False) -> Callable[[str], tuple[Parsed, ...]]:
    """Return a parser for a list of at most `most` items joined by "-", without duplicates if `once`; "none" and the
    empty text are the empty list."""

    def parse_all(text: str) -> tuple[Parsed, ...]:
        parts = [] if text in ("", NOTHING_HELD) else text.split("-")
        if len(parts) > most:
            raise ValueError(text)
        return tuple(map(parse, dict.fromkeys(parts) if once else parts))

    return parse_all


def number(ends: tuple[float, float]) -> Callable[[str], float]:
    """Return a parser for a plain decimal number within `ends`, both included."""

    def parse(text: str) -> float:
        if re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,6})?", text, re.ASCII) is None or not ends[0] <= float(text) <= ends[1]:
            raise ValueError(text)
        return float(text)

    return parse


def index(text: str) -> int:
    """Parse an integer from 0 to 9999, in plain digits."""
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ValueError(text)
    return int(text)


def head_or_mean(text: str) -> int | str:
    return MEAN if text == MEAN else index(text)


def within(ends: tuple[int, int], *, step: int = 1) -> Callable[[str], int]:
    """Return a parser for an integer within `ends`, both included, in steps from the first."""

    def parse(text: str) -> int:
        number = index(text)
        if not ends[0] <= number <= ends[1] or (number - ends[0]) % step:
            raise ValueError(text)
        return number

    return parse


def equal_to(options: Sequence[float]) -> Callable[[str], float]:
    """Return a parser for one of a few numbers in any spelling: 0, 0.0 and 0e0 are equal."""

    def parse(text: str) -> float:
        number = float(text)
        if not math.isfinite(number) or number not in options:
            raise ValueError(text)
        return number

    return parse


def matching(pattern: str) -> Callable[[str], str]:
    """Return a parser for text that a regular expression matches as a whole."""
    expression = re.compile(pattern)

    def parse(text: str) -> str:
        if expression.fullmatch(text) is None:
            raise ValueError(text)
        return text

    return parse
